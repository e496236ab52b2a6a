import ArgumentParser
import DAWModel
import DAWProject

struct AddNotes: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-notes",
    abstract: "Add many notes to a MIDI region at once.",
    discussion: """
      Reads CSV with a header, or JSON lines. The columns pitch, start, length, velocity and channel take what 'add-note' \
      takes; startTime and duration take bare seconds, startTicks and durationTicks bare ticks. Columns may be left out. \
      In JSON lines the keys are those of 'daw show --json --notes', and channels count from 0; an id there is not kept, \
      since the notes are new.

        daw add-notes Keys/Verse notes.csv
        printf 'pitch,start\\nC4,0b\\nE4,1b\\n' | daw add-notes Keys/Verse
      """)

  @OptionGroup var list: ItemListOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let input = try list.read(in: context)
    let drafts = try NoteList(input.bytes, name: input.name).drafts(input.clock)
    let added = try context.editor.addNotes(to: input.region, drafts)
    return try input.outcome("note", added.map { $0.id.uuidString }, in: context)
  }
}
