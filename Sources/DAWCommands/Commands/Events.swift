import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

struct AddEvent: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-event",
    abstract: "Add an event to a MIDI region: a controller, a bend, a program, a pressure, a message, a text.",
    discussion: """
      Positions are distances from the region's start.

        daw add-event Keys/Verse --controller 64 --value 127 --at 1b
        daw add-event Keys/Verse --bend --value -4096 --channel 2
        daw add-event Keys/Verse --program 5 --bank 128
        daw add-event Keys/Verse --pressure --value 90
        daw add-event Keys/Verse --key C4 --value 90
        daw add-event Keys/Verse --sysex 'F0 7E 7F 09 01 F7'
        daw add-event Keys/Verse --lyric --text la
      """)

  @Argument(help: "The region: TRACK/NAME, a name that only one region has, or an id.")
  var region: String

  @Flag(help: "A pitch bend, by --value.")
  var bend = false

  @Flag(help: "A pressure of the whole channel, by --value.")
  var pressure = false

  @Flag(help: "What is sung, by --text.")
  var lyric = false

  @OptionGroup var settings: EventOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let region = try view.region(calledBy: region)
    let clock = NoteClock(region, try context.timeline())
    let message = try message()
    if settings.channel != nil, !message.kind.hasChannel {
      throw RuleViolation(.channel, value: "a channel of what is sent to no channel")
    }
    let draft = EventDraft(
      start: try settings.at?.start(in: clock) ?? .zero, channel: settings.channel?.index ?? 0, message: message)
    let entries = try view.entries(of: try context.editor.addEvents(to: region, [draft]))
    let ids = entries.map(\.event.id.uuidString)
    let what = entries.first.map { Wording.event($0.event) } ?? "event"
    return EditOutcome(
      summary: "Added \(what) to region '\(region.name)' (id \(ids.joined())).", made: ids,
      json: JSONObject(["event": entries.first]))
  }

  private func message() throws -> RegionEvent.Message {
    if let bytes = try settings.sysexBytes() { return .systemExclusive(bytes) }
    if let text = settings.text { return .meta(type: lyric ? 5 : 1, Array(text.utf8)) }
    if let program = settings.program { return .program(program, bank: settings.bank) }
    let value = settings.value ?? 0
    if let number = settings.controller { return .controller(number: number, value: value) }
    if let key = settings.key { return .polyPressure(pitch: key.number, value: value) }
    return bend ? .pitchBend(value) : .channelPressure(value)
  }

  /// The kinds that were asked for, by their options.
  private var kinds: [String] {
    [
      settings.controller == nil ? nil : "--controller", bend ? "--bend" : nil,
      settings.program == nil ? nil : "--program", pressure ? "--pressure" : nil, settings.key == nil ? nil : "--key",
      settings.sysex == nil ? nil : "--sysex", settings.text == nil ? nil : "--text",
    ].compactMap(\.self)
  }

  func validate() throws {
    if lyric, settings.text == nil { throw ValidationError("What is sung is its text: --lyric --text la.") }
    guard let kind = kinds.first else {
      throw ValidationError(
        "Say what it is, by one of --controller, --bend, --program, --pressure, --key, --sysex and --text.")
    }
    guard kinds.count == 1 else {
      throw Exclusion.error("An event is one thing: \(kinds.joined(separator: " or ")).")
    }
    let needsValue = settings.controller != nil || bend || pressure || settings.key != nil
    guard needsValue == (settings.value != nil) else {
      let example = bend ? "--bend --value -4096" : "\(kind)\(pressure ? "" : " …") --value 90"
      throw ValidationError(
        needsValue
          ? "Give it a value: \(example)." : "'--value' belongs to --controller, --bend, --pressure and --key.")
    }
    if settings.bank != nil, settings.program == nil { throw ValidationError("'--bank' belongs to --program.") }
  }
}

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
    let list = try EventList(input.bytes, name: input.name)
    let added = try context.editor.addEvents(to: input.region, list.drafts(input.clock), listedOn: list.lineNumbers)
    return try input.outcome("event", added.map(\.id.uuidString), in: context)
  }
}

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
    let timeline = try context.timeline()
    let message = try settings.messageChange()
    let changes = try events.completed(among: view.eventIDs).map { reference in
      let event = try view.event(calledBy: reference)
      var change = Change<RegionEvent>()
      change.set(\.channel, to: settings.channel?.index)
      if let at = settings.at, let region = try view.region(event.region) {
        change.set(\.start, to: try at.start(in: NoteClock(region, timeline), from: event.start))
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
      throw Exclusion.error("'--sysex' and '--text' exclude each other.")
    }
  }
}

struct RemoveEvent: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-event",
    abstract: "Remove events.",
    discussion: """
        daw remove-event 64617706-0000-8000-8000-0a1b2c3d4e5f
        daw remove-event $(daw list-events --region Keys/Verse --kind pitchBend -q)
      """)

  @Argument(help: "The events: their ids, or the ends of these that 'daw list-events' shows.")
  var events: [String]

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let removed = try context.editor.removeEvents(events)
    return EditOutcome(
      summary: "Removed \(counted(removed.count, "event")).",
      json: JSONObject(["removed": removed.map(\.id.uuidString)]))
  }
}

struct ListEvents: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-events",
    abstract: "List controllers, bends, programs and other events in order of their position on the timeline.",
    discussion: """
        daw list-events --region Keys/Verse
        daw list-events --track Keys --kind controller --controller 64
        daw list-events --from 3.1.0 --to @chorus --json
      """)

  @Option(help: "Only those of this region.")
  var region: String?

  @Option(help: "Only those of this track.")
  var track: String?

  @OptionGroup var range: StartRangeOptions

  @Option(
    help: ArgumentHelp(
      "Only this kind: \(EventDocument.Kind.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "kind"),
    completion: .list(EventDocument.Kind.allCases.map(\.rawValue)), transform: kind)
  var kind: EventDocument.Kind?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only this controller: 0 to 127.", valueName: "n"),
    transform: Int.init(typed:))
  var controller: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only this MIDI channel, 1 to 16.", valueName: "n"),
    transform: Channel.init(typed:))
  var channel: Channel?

  @OptionGroup var most: LimitOptions

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let (entries, shortIDs) = try session.read { view in
      let timeline = try session.timeline(of: view)
      let range = try range.ticks(in: timeline)
      if let channel, !(0...15).contains(channel.index) {
        throw RuleViolation(.channel, value: "the channel \(channel.index + 1)")
      }
      if let controller, !(0...127).contains(controller) {
        throw RuleViolation(
          .eventValue, value: "a controller of \(controller)", accepted: "A controller is 0 … 127.")
      }
      let entries = try view.eventEntries(
        region: region, track: track, from: range.from, to: range.to,
        kind: controller == nil ? kind : .controller, number: controller, channel: channel?.index, limit: most.limit)
      let isText = project.output.form == .text
      return (entries, isText ? try ShortIDs(entries.map(\.event.id), among: view.eventIDs()) : ShortIDs())
    }
    var table = TextTable(.plain, .text, .plain, .text, .id)
    for entry in entries {
      table.add([
        "\(Wording.time(entry.timelineTime))", "\(Wording.event(entry.event))",
        entry.event.channel.map { "channel \($0 + 1)" } ?? "",
        "\(entry.track)/\(entry.region)", TextTable.Cell(shortIDs[entry.event.id], .dim),
      ])
    }
    return CommandResult(
      lines: entries.isEmpty ? ["No such events."] : table.lines(),
      made: entries.map(\.event.id.uuidString),
      json: entries)
  }

  private static func kind(_ text: String) throws -> EventDocument.Kind {
    guard let kind = EventDocument.Kind(typed: text) else {
      throw Unreadable(text, "the kinds are \(EventDocument.Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return kind
  }

  func validate() throws {
    if let kind, controller != nil, kind != .controller {
      throw ValidationError("'--controller' chooses among controllers only.")
    }
  }
}
