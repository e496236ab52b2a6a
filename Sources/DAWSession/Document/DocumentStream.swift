import DAWModel
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
      try fill("\"events\" : [", in: &rest) { item in
        for event in try view.events(in: id) { try item(members(of: event, start)) }
      }
      try fill("\"notes\" : [", in: &rest) { item in
        for note in try view.notes(in: id) { try item(members(of: note, start)) }
      }
    }
    try output(String(rest) + "\n")
  }

  /// Writes up to a place, and then the items that belong there.
  private func fill(
    _ place: String, in rest: inout Substring,
    _ items: ((([(String, String)]) throws -> Void) throws -> Void)
  ) throws {
    guard let opening = rest.range(of: place), let closing = rest[opening.upperBound...].firstIndex(of: "]") else {
      return
    }
    try output(String(rest[..<opening.upperBound]))
    var buffer = ""
    var isFirst = true
    try items { members in
      buffer += isFirst ? "\n            {\n" : ",\n            {\n"
      isFirst = false
      for (index, member) in members.enumerated() {
        buffer += "              \"\(member.0)\" : \(member.1)"
        buffer += index + 1 < members.count ? ",\n" : "\n"
      }
      buffer += "            }"
      if buffer.utf8.count > 1 << 16 {
        try output(buffer)
        buffer.removeAll(keepingCapacity: true)
      }
    }
    // As the encoder closes an array, and one that is empty.
    try output(buffer + (isFirst ? "\n\n          " : "\n          "))
    rest = rest[closing...]
  }

  /// In order of their keys.
  private func members(of note: MIDINote, _ regionStart: TickPosition) -> [(String, String)] {
    let document = NoteDocument(note, regionStart: regionStart, in: map)
    return [
      ("channel", "\(note.channel)"), ("duration", number(document.duration)),
      ("durationTicks", "\(note.duration.ticks)"), ("id", "\"\(note.id.uuidString)\""), ("pitch", "\(note.pitch)"),
      ("releaseVelocity", "\(note.releaseVelocity)"), ("startTicks", "\(note.start.ticks)"),
      ("startTime", number(document.startTime)), ("velocity", "\(note.velocity)"),
    ]
  }

  /// In order of their keys.
  private func members(of event: RegionEvent, _ regionStart: TickPosition) throws -> [(String, String)] {
    let document = EventDocument(event, regionStart: regionStart, in: map)
    let members: [(String, String?)] = [
      ("bank", document.bank.map(String.init)), ("bytes", document.bytes.map { "\"\($0)\"" }),
      ("channel", document.channel.map(String.init)), ("controller", document.controller.map(String.init)),
      ("id", "\"\(event.id.uuidString)\""), ("kind", "\"\(document.kind.rawValue)\""),
      ("metaType", document.metaType.map(String.init)), ("pitch", document.pitch.map(String.init)),
      ("program", document.program.map(String.init)), ("startTicks", "\(event.start.ticks)"),
      ("startTime", number(document.startTime)), ("text", try document.text.map(string)),
      ("value", document.value.map(String.init)),
    ]
    return members.compactMap { key, value in value.map { (key, $0) } }
  }

  /// As the encoder writes it: without a needless ".0".
  private func number(_ value: Double) -> String {
    let text = value.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private func string(_ text: String) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return String(decoding: try encoder.encode(text), as: UTF8.self)
  }
}
