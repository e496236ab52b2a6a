import DAWModel
import DAWProject
import DAWTime

/// The notes and events of a project's JSON, which are read when their regions have been added.
struct UnreadContents {
  private struct List {
    var offset: Int64
    var isNotes: Bool
    var region: RegionID
    var start: TickPosition
    /// For errors.
    var path: String
  }

  let map: TempoMap
  private var lists: [List] = []

  /// Batches reach over many regions, since the store adds rows fast only where there are thousands of them.
  private static let batchCount = 1 << 15

  init(map: TempoMap) { self.map = map }

  /// - Parameter path: of the region in the JSON.
  mutating func add(_ document: RegionDocument, of region: Region, _ path: String) {
    func add(_ offset: Int64, isNotes: Bool, _ name: String) {
      lists.append(
        List(
          offset: offset, isNotes: isNotes, region: region.id, start: map.ticks(at: region.start),
          path: "\(path).\(name)"))
    }
    if case .unread(let offset) = document.notes { add(offset, isNotes: true, "notes") }
    if case .unread(let offset) = document.events { add(offset, isNotes: false, "events") }
  }

  /// Reads them and adds them to the project.
  /// - Throws: `JSONError`, `Failure`, and what edits throw.
  func read(_ reader: inout JSONReader, into editor: Editor) throws {
    var notes: [MIDINote] = []
    var events: [RegionEvent] = []
    for list in lists.sorted(by: { $0.offset < $1.offset }) {
      reader.seek(to: list.offset)
      do {
        try reader.array { reader in
          if list.isNotes {
            notes.append(try NoteDocument(from: &reader).note(in: list.region, regionStart: list.start, map))
            try add(&notes, \.id, to: editor, atLeast: Self.batchCount)
          } else {
            events.append(try EventDocument(from: &reader).event(in: list.region, regionStart: list.start, map))
            try add(&events, \.id, to: editor, atLeast: Self.batchCount)
          }
        }
      } catch let error as JSONError {
        throw error.within(list.path)
      }
    }
    try add(&notes, \.id, to: editor)
    try add(&events, \.id, to: editor)
  }

  private func add<Row: RegionContent>(
    _ rows: inout [Row], _ id: WritableKeyPath<Row, Identifier<Row>>, to editor: Editor, atLeast count: Int = 1
  ) throws {
    guard rows.count >= count else { return }
    try editor.add(rows, id)
    rows.removeAll(keepingCapacity: true)
  }
}
