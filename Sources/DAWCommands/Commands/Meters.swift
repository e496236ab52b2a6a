import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

struct AddMeter: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-meter",
    abstract: "Change the time signature from a bar on.",
    discussion: """
      Bar lines move; notes and regions stay where they are. A later change stays at the number of its bar.

        daw add-meter 7/8 --at 9.1.0
      """)

  @Argument(
    help: ArgumentHelp("Such as 3/4 or 7/8.", valueName: "time-signature"), transform: TimeSignature.init(typed:))
  var meter: TimeSignature

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The bar line where it begins, after the first.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let bar = try at.bar(in: context.timeline())
    let mark = try context.editor.addMeter(meter, atBar: bar)
    let map = try context.editor.view.tempoMap()
    return EditOutcome(
      summary: "Added the time signature \(meter) at bar \(bar).", made: [mark.id.uuidString],
      json: JSONObject(["meter": TempoMapDocument.Meter(mark, in: map)]))
  }
}

struct SetMeter: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-meter",
    abstract: "Alter a change of time signature.",
    discussion: """
      A change is named by its position or its id. At the start is the project's own time signature.

        daw set-meter 9.1.0 --time-signature 5/8
        daw set-meter 9.1.0 --at 11.1.0
      """)

  @Argument(
    help: ArgumentHelp("Where it changes, or its id.", valueName: "position"), transform: TypedMark.init(typed:))
  var place: TypedMark

  @Option(
    help: ArgumentHelp("Such as 3/4 or 7/8.", valueName: "n/n"), transform: TimeSignature.init(typed:))
  var timeSignature: TimeSignature?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Another bar line for it.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition?

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let mark = try place.meter(in: context.editor, timeline)
    var change = Change<MeterChange>()
    change.set(\.timeSignature, to: timeSignature)
    change.set(\.bar, to: try at?.bar(in: timeline, from: mark?.bar ?? 1))
    try context.editor.setMeter(mark, change)
    return EditOutcome(
      summary: "Changed the time signature at bar \(change[\.bar] ?? mark?.bar ?? 1).",
      json: JSONObject(["tempoMap": try context.tempoMapDocument()]))
  }

  func validate() throws {
    if timeSignature == nil, at == nil { throw ValidationError("Say what to change: --time-signature or --at.") }
  }
}

struct RemoveMeter: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-meter",
    abstract: "Remove changes of time signature, so that the one before goes on.",
    discussion: """
        daw remove-meter 9.1.0
      """)

  @Argument(
    help: ArgumentHelp("Where it changes, or its id.", valueName: "position"), transform: TypedMark.init(typed:))
  var places: [TypedMark]

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let marks = try places.map { place in
      guard let mark = try place.meter(in: context.editor, timeline) else {
        throw RuleViolation(
          .meterBar, value: "removing the first time signature",
          accepted: "A project begins with a time signature: set it instead.")
      }
      return mark
    }.uniqued
    try context.editor.removeMeters(marks)
    return EditOutcome(
      summary: "Removed \(counted(marks.count, "change")) of time signature.",
      json: JSONObject(["removed": marks.map(\.id.uuidString), "tempoMap": try context.tempoMapDocument()]))
  }
}

struct ListMeters: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-meters",
    abstract: "List where the time signature changes, from the start.",
    discussion: """
        daw list-meters --json
      """)

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let (map, document) = try session.read { (try $0.tempoMap(), try TempoMapDocument($0)) }
    let shortIDs = ShortIDs(document.meters.compactMap(\.id))
    var table = TextTable(.plain, .plain, .id)
    for meter in document.meters {
      table.add([
        "\(Wording.place(meter.startTicks, in: map))", "\(meter.timeSignature)",
        TextTable.Cell(meter.id.map { shortIDs[$0] } ?? "", .dim),
      ])
    }
    return CommandResult(
      lines: table.lines(), made: document.meters.compactMap { $0.id?.uuidString }, json: document.meters)
  }
}
