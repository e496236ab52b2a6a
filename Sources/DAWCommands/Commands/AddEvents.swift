import ArgumentParser
import DAWModel
import DAWProject

struct AddEvents: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-events",
    abstract: "Add many events to a MIDI region at once.",
    discussion: """
      Reads CSV with a header, or JSON lines. The column kind is controller, pitchBend, program, channelPressure, \
      polyPressure, sysex or meta; start and channel take what 'add-event' takes, startTime bare seconds, startTicks bare \
      ticks; controller, pitch, value, program, bank, metaType, text and bytes belong to the kinds. In JSON lines the keys \
      are those of 'daw show --json --notes', and channels count from 0; an id there is not kept.

        printf 'kind,start,value\\npitchBend,0b,-4096\\n' | daw add-events Keys/Verse
      """)

  @OptionGroup var list: ItemListOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let input = try list.read(in: context)
    let drafts = try EventList(input.bytes, name: input.name).drafts(input.clock)
    let added = try context.editor.addEvents(to: input.region, drafts)
    return try input.outcome("event", added.map(\.id.uuidString), in: context)
  }
}
