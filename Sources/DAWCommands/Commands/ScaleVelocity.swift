import ArgumentParser
import DAWModel
import DAWProject
import DAWTime

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
    let choice = try selection.choice(in: Timeline(context.editor.view))
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
      throw ValidationError("'--range' goes with neither '--by' nor '--add'.")
    }
    if let range, !(1...127).contains(range.numbers.lowerBound) || range.numbers.upperBound > 127 {
      throw ValidationError("'--range' lies within 1..127.")
    }
    if let add, !(-127...127).contains(add) { throw ValidationError("'--add' is a whole number from -127 to 127.") }
  }
}
