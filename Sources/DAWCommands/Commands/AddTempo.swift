import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

struct AddTempo: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-tempo",
    abstract: "Change the tempo from a place on.",
    discussion: """
      Notes, MIDI regions and whatever else is kept in bars and beats keep them; audio stays at its second, or goes with \
      the beat, by its time base. With --ramp the tempo goes evenly from here to the next change.

        daw add-tempo 140 --at 5.1.0
        daw add-tempo 120 --at @verse --ramp
      """)

  @Argument(help: "Quarter notes per minute: 5 to 999.", transform: Tempo.init(typed:))
  var tempo: Tempo

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where it begins, after the start of the timeline.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition

  @Flag(help: "Go evenly, per tick, to the tempo of the next change.")
  var ramp = false

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try Timeline(context.editor.view)
    let mark = try context.editor.addTempo(tempo, at: at.ticks(in: timeline), isRamp: ramp)
    let map = try context.editor.view.tempoMap()
    return EditOutcome(
      summary: "Added a tempo of \(Wording.number(tempo.bpm)) BPM at \(Wording.place(mark.position, in: map)).",
      made: [mark.id.uuidString], json: JSONObject(["tempo": TempoMapDocument.Tempo(mark, in: map)]))
  }
}
