import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

struct SetKey: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-key",
    abstract: "Alter a key signature.",
    discussion: """
      It is named by its position or its id.

        daw set-key 1.1.0 --key G
        daw set-key 9.1.0 --at 11.1.0
      """)

  @Argument(help: ArgumentHelp("Where it is, or its id.", valueName: "position"), transform: TypedMark.init(typed:))
  var place: TypedMark

  @Option(help: ArgumentHelp("Such as D, Bb, F#m, 'C minor'.", valueName: "key"), transform: Key.init(typed:))
  var key: Key?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Its new position.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition?

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let timeline = try Timeline(view)
    var change = Change<KeySignature>()
    change.set(\.key, to: key)
    change.set(\.position, to: try at?.ticks(in: timeline))
    let mark = try context.editor.setKey(place.key(in: context.editor, timeline), change)
    let map = try view.tempoMap()
    return EditOutcome(
      summary: "The key signature at \(Wording.place(mark.position, in: map)) is \(mark.key).",
      json: JSONObject(["keySignature": KeySignatureDocument(mark, in: map)]))
  }

  func validate() throws {
    if key == nil, at == nil { throw ValidationError("Say what to change: --key or --at.") }
  }
}
