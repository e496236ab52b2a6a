import ArgumentParser
import DAWModel
import DAWSession

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
        printf 'pitch,start,length\\nC4,0b,1b\\nE4,1b,1b\\n' | daw add-notes Keys/Verse
      """)

  @Argument(help: "The region: TRACK/NAME, a name that only one region has, or an id.")
  var region: String

  @Argument(help: "The file to read, or - for standard input.", completion: .file())
  var file = "-"

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let region = try view.region(calledBy: region)
    let (bytes, name) = try context.contents(of: file)
    let drafts = try NoteList(bytes, name: name).drafts(NoteClock(region, try Timeline(view)))
    let notes = try context.editor.addNotes(to: region, drafts)
    return EditOutcome(
      summary: "Added \(counted(notes.count, "note")) to region '\(region.name)'.", made: notes.map(\.id.uuidString),
      json: JSONObject(["region": try view.entry(of: region), "notes": notes.map(\.id.uuidString)]))
  }
}
