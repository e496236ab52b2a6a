import ArgumentParser
import DAWModel
import DAWSession

struct AddEvents: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-events",
    abstract: "Add many events to a MIDI region at once.",
    discussion: """
      Reads CSV with a header, or JSON lines. The column kind is controller, pitchBend, program, channelPressure, \
      polyPressure, sysex or meta; start and channel take what 'add-event' takes, startTime bare seconds, startTicks bare \
      ticks; controller, pitch, value, program, bank, metaType, text and bytes belong to the kinds. In JSON lines the keys \
      are those of 'daw show --json --notes', and channels count from 0; an id there is not kept.

        printf 'kind,start,controller,value\\ncontroller,0b,64,127\\ncontroller,1b,64,0\\n' | daw add-events Keys/Verse
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
    let drafts = try EventList(bytes, name: name).drafts(NoteClock(region, try Timeline(view)))
    let events = try context.editor.addEvents(to: region, drafts)
    return EditOutcome(
      summary: "Added \(counted(events.count, "event")) to region '\(region.name)'.", made: events.map(\.id.uuidString),
      json: JSONObject(["region": try view.entry(of: region), "events": events.map(\.id.uuidString)]))
  }
}
