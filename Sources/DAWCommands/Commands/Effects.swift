import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject

struct AddEffect: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-effect",
    abstract: "Add an effect to a track, a bus or the master.",
    discussion: """
      The kinds are eq, compressor, gate, limiter, delay and reverb. Effects lie before the strip's fader, or with \
      --post behind it and the pan, in the order of list-effects. The second one of a kind on a strip is called \
      'compressor 2'.

        daw add-effect Vocal eq band2.frequency=250 band2.gain=-3
        daw add-effect Vocal compressor --preset vocal --at 2
        daw add-effect Music compressor --preset duck --key Vocal
        daw add-effect Master limiter ceiling=-1 --post
        daw add-effect Hall reverb --preset hall mix=1
      """)

  @Argument(help: "The track, bus or master: its name or id.")
  var track: String

  @Argument(
    help: ArgumentHelp("eq, compressor, gate, limiter, delay or reverb.", valueName: "kind"),
    completion: .list(EffectKind.allCases.map(\.rawValue)), transform: EffectKind.init(typed:))
  var kind: EffectKind

  @OptionGroup var settings: EffectOptions

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Its place among the strip's effects, from 1.", valueName: "n"),
    transform: Int.init(typed:))
  var at: Int?

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    var change = settings.change
    change.place = at
    let result = try context.editor.addEffect(kind, to: track, change, presets: EffectPresets())
    let id = result.entry.effect.id.uuidString
    return EditOutcome(
      summary: "Added effect '\(result.entry.name)'\(Wording.behind(result.entry)).", made: [id],
      warnings: result.remarks, json: JSONObject(["effect": result.entry.json()]))
  }
}

struct SetEffect: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-effect",
    abstract: "Change an effect's parameters and settings.",
    discussion: """
      Values have the parameter's unit, or another one behind them: 2500, 2.5k, 10ms, 1/8d. A band that is off becomes \
      a bell when its frequency, gain or q is set.

        daw set-effect Vocal/eq band2.gain=-3 band8.type=highShelf
        daw set-effect 'Vocal/compressor 2' ratio=3 attack=5ms
        daw set-effect Bass/compressor --key Kick
        daw set-effect Hall/reverb --preset plate --bypass
      """)

  @Argument(help: "The effect: TRACK/EFFECT, or its id.")
  var effect: String

  @OptionGroup var settings: EffectOptions

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let result = try context.editor.setEffect(effect, settings.change, presets: EffectPresets())
    let lanes = try context.warnings(
      ofLanesOver: result.setParameters + [settings.bypass.map { _ in "bypass" }], of: .effect(result.entry.effect.id))
    return EditOutcome(
      summary: "Effect '\(result.entry.name)'\(Wording.behind(result.entry)).",
      warnings: result.remarks + lanes,
      json: JSONObject(["effect": result.entry.json()]))
  }

  func validate() throws {
    if settings.change.isEmpty {
      throw ValidationError("Say what to change, such as band2.gain=-3, --preset or --bypass.")
    }
  }
}

struct MoveEffect: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "move-effect",
    abstract: "Move an effect along its strip, or to another one.",
    discussion: """
      Its settings go with it. Places are counted from 1; those behind the fader come after those before it.

        daw move-effect Vocal/eq --at 1
        daw move-effect Vocal/compressor --to Band
      """)

  @Argument(help: "The effect: TRACK/EFFECT, or its id.")
  var effect: String

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Its place among the strip's effects, from 1.", valueName: "n"),
    transform: Int.init(typed:))
  var at: Int?

  @Option(help: ArgumentHelp("The track, bus or master: its name or id.", valueName: "track"))
  var to: String?

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let result = try context.editor.moveEffect(effect, toPlace: at, on: to)
    let entry = result.entry
    return EditOutcome(
      summary: "Effect '\(entry.name)' is at place \(entry.place) of track '\(entry.track.name)'.",
      warnings: result.remarks, json: JSONObject(["effect": entry.json()]))
  }

  func validate() throws {
    if at == nil, to == nil { throw ValidationError("Say where to: --at or --to.") }
  }
}

struct CopyEffect: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy-effect",
    abstract: "Copy an effect with its settings.",
    discussion: """
      The copy is the last of the strip's effects on its side of the fader. Without a track it lies on the same strip.

        daw copy-effect Vocal/eq Choir
        daw copy-effect Vocal/eq --at 1
      """)

  @Argument(help: "The effect: TRACK/EFFECT, or its id.")
  var effect: String

  @Argument(help: "The track, bus or master that the copy is for: its name or id.")
  var track: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Its place among the strip's effects, from 1.", valueName: "n"),
    transform: Int.init(typed:))
  var at: Int?

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let original = try context.editor.view.effect(calledBy: effect).name
    let result = try context.editor.copyEffect(effect, to: track, place: at)
    return EditOutcome(
      summary: "Copied effect '\(original)' to '\(result.entry.name)'.", made: [result.entry.effect.id.uuidString],
      warnings: result.remarks, json: JSONObject(["effect": result.entry.json()]))
  }
}

struct RemoveEffect: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-effect",
    abstract: "Remove effects with their settings.",
    discussion: """
        daw remove-effect Vocal/eq
        daw remove-effect 'Vocal/compressor 2' Bass/gate
      """)

  @Argument(help: "The effects: TRACK/EFFECT, or ids.")
  var effects: [String]

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let removed = try context.editor.removeEffects(effects)
    let names = removed.map { "'\($0.name)'" }.joined(separator: ", ")
    return EditOutcome(
      summary: "Removed \(removed.count == 1 ? "effect" : "effects") \(names).",
      json: JSONObject(["removed": removed.map(\.effect.id.uuidString)]))
  }
}
