import ArgumentParser
import DAWModel
import DAWProject
import DAWTime

struct Quantize: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "quantize",
    abstract: "Move notes to the lines of a grid.",
    discussion: """
      The grid starts again at every bar line. Each note goes to its nearest line, of two as near to the later one. Swing \
      moves every second line of a bar: it says where in a pair of steps the second one lies, from 50 (straight) by 66.667 \
      (triplets) to 75 (dotted).

        daw quantize --region Keys/Verse --grid 1/16
        daw quantize --track Drums --grid 1/8 --swing 58 --strength 80
        daw quantize --track Keys --from 5.1.0 --to 9.1.0 --grid 1/8t --ends
      """)

  @Option(
    help: ArgumentHelp(
      "A note's value (1/16), of triplets (1/8t) or dotted (1/8d), or bars (bar, 2bars).", valueName: "grid"),
    transform: Grid.Spacing.init(typed:))
  var grid: Grid.Spacing

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How far towards its line a note goes: 0 to 100.", valueName: "percent"),
    transform: Percentage.init(typed:))
  var strength = Percentage(100)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where in a pair of steps the second one lies: 25 to 75.", valueName: "percent"),
    transform: Percentage.init(typed:))
  var swing: Percentage?

  @Flag(help: "Move the notes' ends to the grid too; else their lengths stay.")
  var ends = false

  @OptionGroup var room: RegionRoomOptions
  @OptionGroup var selection: NoteSelectionOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let quantization = Quantization(
      grid: Grid(grid, swing: swing ?? Grid.straight), strength: strength, includesEnds: ends)
    let report = try context.editor.changeNotes(
      selection.choice(in: timeline), "Quantized notes", lengthensRegions: room.lengthen
    ) { chosen in
      chosen.reduce(into: NoteChanges()) { $0 += $1.quantized(quantization, in: timeline.tempoMap) }
    }
    return try report.outcome("Quantized", in: context)
  }

  func validate() throws {
    guard strength <= Percentage(100) else { throw ValidationError("'--strength' is a number from 0 to 100.") }
    guard let swing else { return }
    guard Grid.acceptedSwing.contains(swing) else {
      throw ValidationError("'--swing' is a number from 25 to 75; 50 is straight.")
    }
    if case .bars = grid { throw ValidationError("Bars do not swing: leave '--swing' away, or give a finer '--grid'.") }
  }
}

struct Transpose: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "transpose",
    abstract: "Move notes up or down.",
    discussion: """
      Percussion is transposed like everything else, to other drums: choose by --channel or --track what is meant.

        daw transpose --track Keys --by 12
        daw transpose --region Bass/Verse --pitch C1..B1 --by -2
      """)

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Semitones up, or down: 12, -2.", valueName: "n"),
    transform: Int.init(typed:))
  var by: Int

  @OptionGroup var selection: NoteSelectionOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let choice = try selection.choice(in: context.timeline())
    let report = try context.editor.changeNotes(choice, "Transposed notes by \(by)") { chosen in
      chosen.reduce(into: NoteChanges()) { $0 += $1.transposed(by: by) }
    }
    return try report.outcome("Transposed by \(counted(by, "semitone"))", in: context)
  }

  func validate() throws {
    guard (-127...127).contains(by) else { throw ValidationError("'--by' is a whole number from -127 to 127.") }
  }
}

struct ScaleVelocity: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "scale-velocity",
    abstract: "Make notes louder or softer.",
    discussion: """
      With --by and --add each velocity is multiplied, and then added to. With --range the softest of the notes comes to \
      the lower end, the loudest to the upper one, and the others in between. Velocities stay within 1 and 127; notes of \
      velocity 0, which play nothing, stay as they are.

        daw scale-velocity --track Keys --by 120%
        daw scale-velocity --region Drums/Fill --velocity 100..127 --add -10
        daw scale-velocity --track Strings --range 40..90
      """)

  @Option(
    parsing: .unconditional, help: ArgumentHelp("A factor: 0.8, 120%.", valueName: "factor"),
    transform: Percentage.init(typedFactor:))
  var by: Percentage?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("What is added: 5, -10.", valueName: "n"),
    transform: Int.init(typed:))
  var add: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The softest and the loudest that shall be: 40..90.", valueName: "range"),
    transform: VelocityRange.init(typed:))
  var range: VelocityRange?

  @OptionGroup var selection: NoteSelectionOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let choice = try selection.choice(in: context.timeline())
    let report = try context.editor.changeNotes(choice, "Scaled velocities") { chosen in
      let scaling = scaling(of: chosen)
      return chosen.reduce(into: NoteChanges()) { $0 += $1.scalingVelocities(scaling) }
    }
    return try report.outcome("Scaled velocities", in: context)
  }

  private func scaling(of chosen: [ChosenNotes]) -> VelocityScaling {
    guard let range else { return .by(by ?? Percentage(100), adding: add ?? 0) }
    let velocities = chosen.lazy.flatMap(\.notes).map(\.velocity).filter { $0 > 0 }
    return .mapping(from: (velocities.min() ?? 1)...(velocities.max() ?? 127), to: range.numbers)
  }

  func validate() throws {
    guard range != nil || by != nil || add != nil else {
      throw ValidationError("Say how: --by (a factor), --add, or --range.")
    }
    guard range == nil || by == nil && add == nil else {
      throw Exclusion.error("'--range' goes with neither '--by' nor '--add'.")
    }
    if let range, !(1...127).contains(range.numbers.lowerBound) || range.numbers.upperBound > 127 {
      throw ValidationError("'--range' lies within 1..127.")
    }
    if let add, !(-127...127).contains(add) { throw ValidationError("'--add' is a whole number from -127 to 127.") }
  }
}

struct Legato: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "legato",
    abstract: "Let notes last until the next one begins.",
    discussion: """
      Each note ends where the next of the chosen notes of its region and channel begins, be it longer or shorter before; \
      the last one stays. Notes that begin together, or within --chord of the first of them, are a chord and end together.

        daw legato --region Strings/Pad
        daw legato --track Bass --gap 0.0.240
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What is left before the next note (default: nothing).", valueName: "distance"),
    transform: TypedDistance.init(typed:))
  var gap: TypedDistance?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How far apart the notes of a chord may begin (default: less than 1/64).", valueName: "distance"),
    transform: TypedDistance.init(typed:))
  var chord: TypedDistance?

  @OptionGroup var selection: NoteSelectionOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let report = try context.editor.changeNotes(selection.choice(in: timeline), "Joined notes") { chosen in
      try chosen.reduce(into: NoteChanges()) { changes, notes in
        changes += notes.legato(
          gap: try gap?.ticks(in: timeline, from: notes.start) ?? .zero,
          chordWindow: try chord?.ticks(in: timeline, from: notes.start) ?? TickCount(ticks: TickCount.perQuarter / 16))
      }
    }
    return try report.outcome("Joined", in: context)
  }
}

struct Humanize: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "humanize",
    abstract: "Let notes stray from the grid and from one loudness, by chance.",
    discussion: """
      Small deviations are likelier than large ones, and none is beyond the limits. The same notes with the same seed give \
      the same result on every machine; without --seed one is drawn, and said. Notes stay within their regions.

        daw humanize --track Drums --timing 8ms --velocity-by 6 --seed 1
        daw humanize --region Keys/Verse --timing 0.0.300
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How early or late a note may come: 8ms, 0.0.300.", valueName: "distance"),
    transform: TypedDistance.init(typed:))
  var timing: TypedDistance?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How much louder or softer it may be: 0 to 127.", valueName: "n"),
    transform: Int.init(typed:))
  var velocityBy = 0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What chance begins with: a whole number from 0. (default: drawn, and said)", valueName: "n"),
    transform: seed)
  var seed: UInt64?

  @OptionGroup var selection: NoteSelectionOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let seed = seed ?? UInt64.random(in: 0..<1_000_000)
    var generator = SplitMix64(seed: seed)
    let report = try context.editor.changeNotes(selection.choice(in: timeline), "Humanized notes with seed \(seed)") {
      try $0.reduce(into: NoteChanges()) { changes, notes in
        let limit = try timing?.limit(in: timeline, from: notes.start) ?? .musical(.zero)
        changes += notes.humanized(
          Humanization(timing: limit, velocity: velocityBy), in: timeline.tempoMap, using: &generator)
      }
    }
    var outcome = try report.outcome("Humanized with seed \(seed)", in: context)
    outcome.json = outcome.json.merging(JSONObject(["seed": seed]))
    return outcome
  }

  private static func seed(_ text: String) throws -> UInt64 {
    guard let seed = UInt64(text) else {
      throw Unreadable(text, "a seed is a whole number from 0 to \(UInt64.max).")
    }
    return seed
  }

  func validate() throws {
    guard timing != nil || velocityBy != 0 else { throw ValidationError("Say what strays: --timing or --velocity-by.") }
    guard (0...127).contains(velocityBy) else { throw ValidationError("'--velocity-by' is a whole number, 0 … 127.") }
  }
}

struct RemoveOverlaps: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-overlaps",
    abstract: "Let no note sound into the next one of its pitch.",
    discussion: """
      A note ends where the next of the chosen notes of its region, channel and pitch begins. Of those that begin together \
      the longest stays, of equally long ones the loudest. With --any-pitch a note also ends where one of another pitch \
      begins; chords stay.

        daw remove-overlaps --track Keys
        daw remove-overlaps --region Bass/Verse --any-pitch
      """)

  @Flag(help: "End a note where one of another pitch begins, too.")
  var anyPitch = false

  @OptionGroup var selection: NoteSelectionOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let choice = try selection.choice(in: context.timeline())
    let report = try context.editor.changeNotes(choice, "Removed overlaps") { chosen in
      chosen.reduce(into: NoteChanges()) { $0 += $1.removingOverlaps(acrossPitches: anyPitch) }
    }
    return try report.outcome("Removed overlaps", in: context)
  }
}

struct SplitNotes: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "split-notes",
    abstract: "Cut in two the notes that sound across a position.",
    discussion: """
      The left part keeps the id.

        daw split-notes --at 3.1.0
        daw split-notes --track Strings --at 12.5s
      """)

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where on the timeline: 4s, 3.1.0.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition

  @OptionGroup var selection: NoteSelectionOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let cut = try at.ticks(in: timeline)
    let report = try context.editor.changeNotes(selection.choice(in: timeline), "Split notes") { chosen in
      chosen.reduce(into: NoteChanges()) { $0 += $1.split(at: cut) }
    }
    return try report.outcome("Split at \(timeline.tempoMap.barBeatTick(at: cut))", in: context)
  }
}
