import DAWModel
import DAWStore
import DAWTime

/// A new note, positioned relative to its region.
public struct NoteDraft: Sendable {
  public var pitch: Int
  public var velocity: Int
  public var start: TickCount
  public var duration: TickCount
  /// 0 … 15.
  public var channel: Int
  /// `nil` for the default.
  public var releaseVelocity: Int?

  public init(
    pitch: Int, velocity: Int = 80, start: TickCount, duration: TickCount, channel: Int = 0,
    releaseVelocity: Int? = nil
  ) {
    self.pitch = pitch
    self.velocity = velocity
    self.start = start
    self.duration = duration
    self.channel = channel
    self.releaseVelocity = releaseVelocity
  }
}

extension Editor {
  /// - Parameter region: must be a MIDI region.
  public func addNotes(to region: Region, _ drafts: [NoteDraft]) throws -> [MIDINote] {
    let first = try newID(of: MIDINote.self)
    let notes = drafts.enumerated().map { index, draft in
      MIDINote(
        id: first.advanced(by: index), region: region.id, pitch: draft.pitch, velocity: draft.velocity,
        start: draft.start, duration: draft.duration, channel: draft.channel,
        releaseVelocity: draft.releaseVelocity ?? MIDINote.defaultReleaseVelocity)
    }
    if !notes.isEmpty { try naming(notes.map(\.subject), "note") { try apply(.add(notes)) } }
    note("Added \(counted(notes.count, "note")) to region '\(region.name)'")
    return notes
  }

  public func setNotes(_ references: [String], _ change: Change<MIDINote>) throws -> [MIDINote] {
    let notes = try references.map { change.applied(to: try view.note(calledBy: $0)) }
    try apply(.set(notes))
    note("Changed \(counted(notes.count, "note"))")
    return notes
  }

  public func removeNotes(_ references: [String]) throws -> [MIDINote] {
    let notes = try references.map { try view.note(calledBy: $0) }.uniqued
    try apply(.remove(notes.map(\.id)))
    note("Removed \(counted(notes.count, "note"))")
    return notes
  }
}

extension Editor {
  /// Runs `body`, which adds rows. In errors, replaces a row's subject by its number, since the subject contains the id
  /// of a row that was not added.
  /// - Parameter subjects: the rows' `subject`s, in order.
  func naming(_ subjects: @autoclosure () -> [String], _ noun: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch EditError.rule(var violation) {
      let subjects = subjects()
      guard let index = subjects.firstIndex(of: violation.subject) else { throw EditError.rule(violation) }
      violation.subject = subjects.count == 1 ? "" : "\(noun) \(index + 1) of \(subjects.count)"
      throw EditError.rule(violation)
    }
  }
}

extension Array where Element: Hashable {
  /// Without duplicates, in order of first occurrence.
  public var uniqued: Self {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
