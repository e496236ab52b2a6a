import ArgumentParser
import DAWModel
import DAWProject
import DAWTime

struct Humanize: EditCommand {
  static let configuration = CommandConfiguration(
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

  @Option(help: ArgumentHelp("What chance begins with: a whole number from 0.", valueName: "n"))
  var seed: UInt64?

  @OptionGroup var selection: NoteSelectionOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try Timeline(context.editor.view)
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

  func validate() throws {
    guard timing != nil || velocityBy != 0 else { throw ValidationError("Say what strays: --timing or --velocity-by.") }
    guard (0...127).contains(velocityBy) else { throw ValidationError("'--velocity-by' is a whole number, 0 … 127.") }
  }
}
