import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

struct SetTempo: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-tempo",
    abstract: "Alter a change of tempo.",
    discussion: """
      A change is named by its position or its id. At the start is the project's own tempo.

        daw set-tempo 5.1.0 --bpm 132
        daw set-tempo @start --ramp
        daw set-tempo 5.1.0 --at 7.1.0 --no-ramp
      """)

  @Argument(
    help: ArgumentHelp("Where the tempo changes, or its id.", valueName: "position"), transform: TypedMark.init(typed:))
  var place: TypedMark

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Quarter notes per minute: 5 to 999.", valueName: "tempo"),
    transform: Tempo.init(typed:))
  var bpm: Tempo?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Its new position.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition?

  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive,
    help: "Go evenly, per tick, to the tempo of the next change.")
  var ramp: Bool?

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let timeline = try Timeline(view)
    let mark = try place.tempo(in: context.editor, timeline)
    var change = Change<TempoChange>()
    change.set(\.tempo, to: bpm)
    change.set(\.isRamp, to: ramp)
    change.set(\.position, to: try at?.ticks(in: timeline))
    try context.editor.setTempo(mark, change)
    let position = change[\.position] ?? mark?.position ?? .zero
    let isLast = try !view.tempoChanges().contains { $0.position > position }
    return EditOutcome(
      summary:
        "Changed the tempo at \(Wording.place(position, in: try view.tempoMap())).",
      warnings: ramp == true && isLast ? [Wording.rampWithoutEnd] : [],
      json: JSONObject(["tempoMap": try TempoMapDocument(view)]))
  }

  func validate() throws {
    if bpm == nil, at == nil, ramp == nil { throw ValidationError("Say what to change: --bpm, --at or --ramp.") }
  }
}
