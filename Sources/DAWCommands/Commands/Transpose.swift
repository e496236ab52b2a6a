import ArgumentParser
import DAWModel
import DAWProject

struct Transpose: EditCommand {
  static let configuration = CommandConfiguration(
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
    let choice = try selection.choice(in: Timeline(context.editor.view))
    let report = try context.editor.changeNotes(choice, "Transposed notes by \(by)") { chosen in
      chosen.reduce(into: NoteChanges()) { $0 += $1.transposed(by: by) }
    }
    return try report.outcome("Transposed by \(counted(by, "semitone"))", in: context)
  }

  func validate() throws {
    guard (-127...127).contains(by) else { throw ValidationError("'--by' is a whole number from -127 to 127.") }
  }
}
