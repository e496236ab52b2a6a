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
    let position = try at?.ticks(in: context.timeline()) ?? .zero
    let mark = try context.editor.addKey(key, at: position)
    let map = try context.editor.view.tempoMap()
    return EditOutcome(
      summary: "Added the key signature \(key) at \(Wording.place(position, in: map)).", made: [mark.id.uuidString],
      json: JSONObject(["keySignature": KeySignatureDocument(mark, in: map)]))
  }
}

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
    let timeline = try context.timeline()
    let old = try place.key(in: context.editor, timeline)
    var change = Change<KeySignature>()
    change.set(\.key, to: key)
    change.set(\.position, to: try at?.ticks(in: timeline, from: .musical(old.position)))
    let mark = try context.editor.setKey(old, change)
    let map = try view.tempoMap()
    return EditOutcome(
      summary: "The key signature at \(Wording.place(mark.position, in: map)) is \(mark.key).",
      json: JSONObject(["keySignature": KeySignatureDocument(mark, in: map)]))
  }

  func validate() throws {
    if key == nil, at == nil { throw ValidationError("Say what to change: --key or --at.") }
  }
}

struct RemoveKey: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-key",
    abstract: "Remove key signatures, so that the one before goes on.",
    discussion: """
        daw remove-key 9.1.0
      """)

  @Argument(help: ArgumentHelp("Where it is, or its id.", valueName: "position"), transform: TypedMark.init(typed:))
  var places: [TypedMark]

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let marks = try places.map { try $0.key(in: context.editor, timeline) }.uniqued
    try context.editor.removeKeys(marks)
    return EditOutcome(
      summary: "Removed \(counted(marks.count, "key signature")).",
      json: JSONObject(["removed": marks.map(\.id.uuidString)]))
  }
}

struct ListKeys: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-keys",
    abstract: "List the key signatures, from the start.",
    discussion: """
        daw list-keys --json
      """)

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let (map, marks) = try session.read { (try $0.tempoMap(), try $0.keySignatures()) }
    let shortIDs = ShortIDs(marks.map(\.id))
    var table = TextTable(.plain, .plain, .id)
    for mark in marks {
      table.add(["\(Wording.place(mark.position, in: map))", "\(mark.key)", TextTable.Cell(shortIDs[mark.id], .dim)])
    }
    return CommandResult(
      lines: marks.isEmpty ? ["No key signatures."] : table.lines(), made: marks.map(\.id.uuidString),
      json: marks.map { KeySignatureDocument($0, in: map) })
  }
}
