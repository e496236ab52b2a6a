import ArgumentParser
import DAWModel

struct CopyNotes: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy-notes",
    abstract: "Copy notes along the timeline, or into another region.",
    discussion: """
      All notes go as far as the first of them, in ticks. With --into alone they keep their positions on the timeline.

        daw copy-notes --region Keys/Verse --from 3.1.0 --to 5.1.0 --at 9.1.0
        daw copy-notes --track Drums --pitch F#2 --by -0.0.120
        daw copy-notes --region Keys/Verse --pitch C1..B2 --into Bass/Verse
      """)

  @OptionGroup var transfer: NoteTransferOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    try transfer.outcome("Copied", in: context) { $0.copied(to: $1) }
  }
}

struct MoveNotes: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "move-notes",
    abstract: "Move notes along the timeline, or into another region.",
    discussion: """
      All notes go as far as the first of them, in ticks. With --into alone they keep their positions on the timeline.

        daw move-notes --region Keys/Verse --from 3.1.0 --to 5.1.0 --at 9.1.0
        daw move-notes --track Drums --pitch F#2 --by -0.0.120
        daw move-notes --region Keys/Verse --pitch C1..B2 --into Bass/Verse
      """)

  @OptionGroup var transfer: NoteTransferOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    try transfer.outcome("Moved", in: context) { $0.moved(to: $1) }
  }
}
