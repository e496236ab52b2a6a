import DAWErrors
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

/// The lines of a file that list what is added, for messages.
public struct LineNumbers: Sendable {
  /// The line of each item, from 1.
  public var numbers: [Int]
  /// What messages call the file.
  public var file: String

  public init(_ numbers: [Int], of file: String) {
    self.numbers = numbers
    self.file = file
  }

  /// What begins a message about an item.
  public func beginning(_ index: Int) -> String { "Line \(numbers[index]) of \(file): " }
}

extension Editor {
  /// - Parameters:
  ///   - region: must be a MIDI region.
  ///   - lines: those that list the notes, if any do.
  public func addNotes(
    to region: Region, _ drafts: [NoteDraft], listedOn lines: LineNumbers? = nil
  ) throws -> [MIDINote] {
    let first = try newID(of: MIDINote.self)
    let notes = drafts.enumerated().map { index, draft in
      MIDINote(
        id: first.advanced(by: index), region: region.id, pitch: draft.pitch, velocity: draft.velocity,
        start: draft.start, duration: draft.duration, channel: draft.channel,
        releaseVelocity: draft.releaseVelocity ?? MIDINote.defaultReleaseVelocity)
    }
    if !notes.isEmpty {
      try naming(
        notes.map(\.subject), "note", listedOn: lines,
        outside: notes.firstIndex { (try? $0.validate(in: region)) == nil }
      ) { try apply(.add(notes)) }
    }
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
    let notes = try references.completed(among: view.noteIDs).map { try view.note(calledBy: $0) }.uniqued
    try apply(.remove(notes.map(\.id)))
    note("Removed \(counted(notes.count, "note"))")
    return notes
  }
}

extension Editor {
  /// Runs `body`, which adds rows. In errors, replaces a row's subject by its number, or names its line, since the
  /// subject contains the id of a row that was not added.
  /// - Parameters:
  ///   - subjects: the rows' `subject`s, in order.
  ///   - lines: those that list the rows, if any do.
  ///   - outside: the first row that does not fit into its region, which the error is about then.
  func naming(
    _ subjects: @autoclosure () -> [String], _ noun: String, listedOn lines: LineNumbers? = nil,
    outside: @autoclosure () -> Int? = nil, _ body: () throws -> Void
  ) throws {
    do {
      try body()
    } catch EditError.rule(var violation) {
      let subjects = subjects()
      var index = subjects.firstIndex(of: violation.subject)
      if let index {
        violation.subject = subjects.count == 1 || lines != nil ? "" : "\(noun) \(index + 1) of \(subjects.count)"
      } else if violation.rule == .noteWithinRegion || violation.rule == .eventWithinRegion {
        index = outside()
      }
      guard let lines, let index else { throw EditError.rule(violation) }
      var failure = Failure(violation)
      failure.message = lines.beginning(index) + failure.message
      throw failure
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
