import ArgumentParser
import DAWModel
import DAWProject

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
    let choice = try selection.choice(in: Timeline(context.editor.view))
    let report = try context.editor.changeNotes(choice, "Removed overlaps") { chosen in
      chosen.reduce(into: NoteChanges()) { $0 += $1.removingOverlaps(acrossPitches: anyPitch) }
    }
    return try report.outcome("Removed overlaps", in: context)
  }
}
