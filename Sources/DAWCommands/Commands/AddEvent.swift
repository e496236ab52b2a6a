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
    let clock = NoteClock(region, try Timeline(view))
    let message = try message()
    if settings.channel != nil, !message.kind.hasChannel {
      throw RuleViolation(.channel, value: "a channel of what is sent to no channel")
    }
    let draft = EventDraft(
      start: try settings.at.map(clock.start) ?? .zero, channel: settings.channel?.index ?? 0, message: message)
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
      throw ValidationError("An event is one thing: \(kinds.joined(separator: " or ")).")
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
