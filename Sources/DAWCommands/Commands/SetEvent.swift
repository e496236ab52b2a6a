import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject

struct SetEvent: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-event",
    abstract: "Change events.",
    discussion: """
      An event stays of its kind.

        daw set-event 64617706-0000-8000-8000-0a1b2c3d4e5f --value 100
        daw set-event $(daw list-events --controller 7 -q) --channel 2
      """)

  @Argument(help: "The events: their ids, or the ends of these that 'daw list-events' shows.")
  var events: [String]

  @OptionGroup var settings: EventOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let timeline = try Timeline(view)
    let message = try settings.messageChange()
    let changes = try events.map { reference in
      let event = try view.event(calledBy: reference)
      var change = Change<RegionEvent>()
      change.set(\.channel, to: settings.channel?.index)
      if let at = settings.at, let region = try view.region(event.region) {
        change.set(\.start, to: try NoteClock(region, timeline).start(at))
      }
      return (event: event, change: change)
    }
    let changed = try context.editor.setEvents(changes, message)
    return EditOutcome(
      summary: "Changed \(counted(changed.count, "event")).",
      json: JSONObject(["events": try view.entries(of: changed)]))
  }

  func validate() throws {
    if settings.isEmpty { throw ValidationError("Say what to change, such as --at, --channel or --value.") }
    if settings.sysex != nil, settings.text != nil {
      throw ValidationError("'--sysex' and '--text' exclude each other.")
    }
  }
}
