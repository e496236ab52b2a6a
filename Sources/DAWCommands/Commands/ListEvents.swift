import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject

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

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only what lies at or after this position.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var from: TypedPosition?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only what lies before this position.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var to: TypedPosition?

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
      let timeline = try Timeline(view)
      let range = try TimelineRange(from, to, in: timeline)
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
    var table = TextTable(.plain, .text, .plain, .text)
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
