import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation

extension Session {
  /// Writes what `projectDocument(includesNotes: true)` is as JSON, piece by piece, so that neither time nor memory is lost
  /// on a million notes: the rest is encoded as usual, and each region's notes and events are put into their places.
  /// - Parameter write: is given the text in order.
  /// - Throws: `Failure`, and what `write` throws.
  public func writeDocument(_ write: @escaping (String) throws -> Void) throws {
    try read { view in try DocumentStream(view, write: write).write() }
  }
}

/// A project's JSON on its way out.
private struct DocumentStream {
  let view: ProjectView
  let map: TempoMap
  /// Takes the text in order.
  let output: (String) throws -> Void

  init(_ view: ProjectView, write: @escaping (String) throws -> Void) throws {
    self.view = view
    output = write
    map = try view.tempoMap()
  }

  func write() throws {
    var document = try ProjectDocument(view, includesNotes: false)
    var regions: [RegionID] = []
    for track in document.tracks.indices {
      for index in (document.tracks[track].regions ?? []).indices {
        guard let region = document.tracks[track].regions?[index], region.regionType == .midi, let id = region.id else {
          continue
        }
        regions.append(id)
        document.tracks[track].regions?[index].noteCount = nil
        document.tracks[track].regions?[index].eventCount = nil
        document.tracks[track].regions?[index].notes = []
        document.tracks[track].regions?[index].events = []
      }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(document), as: UTF8.self)
    var rest = text[...]
    for id in regions {
      guard let region = try view.region(id) else { continue }
      let start = map.ticks(at: region.start)
      // Keys are sorted, and a quotation mark within a name is escaped: these are the places, in this order.
      try fill("\"events\" : [", in: &rest) { items in
        for event in try view.events(in: id) { try add(event, start, to: &items) }
      }
      try fill("\"notes\" : [", in: &rest) { items in
        for note in try view.notes(in: id) { try add(note, start, to: &items) }
      }
    }
    try output(String(rest) + "\n")
  }

  /// Writes up to a place, and then the items that belong there.
  private func fill(
    _ place: String, in rest: inout Substring, _ add: (inout JSONItems) throws -> Void
  ) throws {
    guard let opening = rest.range(of: place), let closing = rest[opening.upperBound...].firstIndex(of: "]") else {
      return
    }
    try output(String(rest[..<opening.upperBound]))
    var items = JSONItems(output: output)
    try add(&items)
    try items.end()
    rest = rest[closing...]
  }

  /// In order of their keys.
  private func add(_ note: MIDINote, _ regionStart: TickPosition, to items: inout JSONItems) throws {
    let document = NoteDocument(note, regionStart: regionStart, in: map)
    items.begin()
    items.add("channel", note.channel)
    items.add("duration", document.duration)
    items.add("durationTicks", Int(note.duration.ticks))
    items.add("id", text: note.id.uuidString)
    items.add("pitch", note.pitch)
    items.add("releaseVelocity", note.releaseVelocity)
    items.add("startTicks", Int(note.start.ticks))
    items.add("startTime", document.startTime)
    items.add("velocity", note.velocity)
    try items.endItem()
  }

  /// In order of their keys.
  private func add(_ event: RegionEvent, _ regionStart: TickPosition, to items: inout JSONItems) throws {
    let document = EventDocument(event, regionStart: regionStart, in: map)
    items.begin()
    if let bank = document.bank { items.add("bank", bank) }
    if let bytes = document.bytes { items.add("bytes", text: bytes) }
    if let channel = document.channel { items.add("channel", channel) }
    if let controller = document.controller { items.add("controller", controller) }
    items.add("id", text: event.id.uuidString)
    items.add("kind", text: document.kind.rawValue)
    if let type = document.metaType { items.add("metaType", type) }
    if let pitch = document.pitch { items.add("pitch", pitch) }
    if let program = document.program { items.add("program", program) }
    items.add("startTicks", Int(event.start.ticks))
    items.add("startTime", document.startTime)
    if let text = document.text { try items.add("text", escaping: text) }
    if let value = document.value { items.add("value", value) }
    try items.endItem()
  }
}
