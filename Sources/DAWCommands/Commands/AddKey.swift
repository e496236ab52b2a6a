import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

struct AddKey: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-key",
    abstract: "Add a key signature.",
    discussion: """
      It says how the music is written, here and in MIDI files; what is heard stays as it is. Without --at it is the one \
      at the start.

        daw add-key D
        daw add-key Bbm --at 9.1.0
        daw add-key 'F# minor' --at @bridge
      """)

  @Argument(help: ArgumentHelp("Such as D, Bb, F#m, 'C minor'.", valueName: "key"), transform: Key.init(typed:))
  var key: Key

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where it begins; else at the start.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition?

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let position = try at?.ticks(in: Timeline(context.editor.view)) ?? .zero
    let mark = try context.editor.addKey(key, at: position)
    let map = try context.editor.view.tempoMap()
    return EditOutcome(
      summary: "Added the key signature \(key) at \(Wording.place(position, in: map)).", made: [mark.id.uuidString],
      json: JSONObject(["keySignature": KeySignatureDocument(mark, in: map)]))
  }
}
