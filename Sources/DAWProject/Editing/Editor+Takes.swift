import DAWModel
import DAWStore
import Foundation

/// What changes of a take; `nil` keeps it.
public struct TakeChange: Sendable {
  public var name: String?
  public var rating: Int?
  public var addedTags: Set<String> = []
  public var removedTags: Set<String> = []

  public init() {}
}

extension Editor {
  public func setTake(_ reference: String, _ change: TakeChange) throws -> Take {
    let old = try view.take(calledBy: reference)
    var take = old
    if let name = change.name { take.name = try Name(ofItem: name) }
    if let rating = change.rating { take.rating = rating }
    take.tags.words = take.tags.words.subtracting(change.removedTags).union(change.addedTags)
    if take != old { try apply(.set(take)) }
    note("Changed take '\(old.name)'")
    return take
  }

  /// Removes takes with their regions. What was recorded stays.
  /// - Returns: the takes, and how many regions went with them.
  public func removeTakes(_ references: [String]) throws -> (takes: [Take], regionCount: Int) {
    // All references are resolved before any take is removed: an ambiguous one must not become unique meanwhile.
    var seen: Set<TakeID> = []
    let takes = try view.takes(calledBy: references).filter { seen.insert($0.id).inserted }
    let regions = try takes.flatMap { try view.rows(Region.self, where: "take", is: $0.id) }
    if !regions.isEmpty {
      _ = try fadeExposedEdges(from: regions, to: [], in: tempoMap())
      try apply(.remove(regions.map(\.id)))
    }
    try apply(.remove(takes.map(\.id)))
    for take in takes { note("Removed take '\(take.name)'") }
    return (takes, regions.count)
  }

  /// - Parameters:
  ///   - title: empty for none; `nil` keeps it.
  ///   - notes: likewise.
  public func setRecording(_ reference: String, title: String?, notes: String?) throws -> RecordingEntry {
    let entry = try view.recording(calledBy: reference)
    let id = RecordingNoteID(rawValue: entry.recording.id.rawValue)
    let old = try view.row(id)
    // What it was begun with holds on, unless it is changed.
    var note = old ?? RecordingNote(id: id, title: entry.title)
    if let title { note.title = Self.trimmed(title) }
    if let notes { note.notes = Self.trimmed(notes).isEmpty ? nil : Self.trimmed(notes) }
    let isEmpty = note.title.isEmpty && note.notes == nil
    if let old {
      // Without a note it has the title that it was begun with.
      let isNone = isEmpty && view.titlesWithoutNotes(of: [entry.recording]).isEmpty
      if isNone { try apply(.remove(id)) } else if note != old { try apply(.set(note)) }
    } else if note != RecordingNote(id: id, title: entry.title) {
      try apply(.add(note))
    }
    self.note("Changed \(entry.subject)")
    return try view.recording(calledBy: "id:\(entry.recording.id.uuidString)")
  }

  private static func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespacesAndNewlines) }
}
