import ArgumentParser
import DAWModel
import DAWProject

/// Which notes are moved or copied, and where to.
struct NoteTransferOptions: ParsableArguments {
  @OptionGroup var destination: NoteDestinationOptions
  @OptionGroup var room: RegionRoomOptions
  @OptionGroup var selection: NoteSelectionOptions

  /// - Parameters:
  ///   - verb: the first word of the summary: "Copied".
  ///   - change: returns the changes of the chosen notes of one region.
  func outcome(
    _ verb: String, in context: EditContext, _ change: (ChosenNotes, NoteDestination) -> NoteChanges
  ) throws -> EditOutcome {
    let choice = try selection.choice(in: context.timeline())
    let report = try context.editor.changeNotes(choice, "\(verb) notes", lengthensRegions: room.lengthen) { chosen in
      let destination = try destination.destination(of: chosen, in: context)
      return chosen.reduce(into: NoteChanges()) { $0 += change($1, destination) }
    }
    return try report.outcome(verb, in: context)
  }
}
