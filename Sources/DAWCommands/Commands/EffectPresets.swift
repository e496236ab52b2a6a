import ArgumentParser
import DAWErrors
import DAWInterchange
import DAWModel
import DAWProject

struct SavePreset: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "save-preset",
    abstract: "Keep an effect's parameters under a name, for all projects.",
    discussion: """
      It becomes a file presets/KIND/NAME.json in $XDG_DATA_HOME/daw or ~/.local/share/daw. Its key, and whether it is \
      bypassed, are not part of it.

        daw save-preset Vocal/eq 'My voice'
        daw save-preset Vocal/eq 'My voice' --replace
        daw add-effect Guest eq --preset 'My voice'
      """)

  @Argument(help: "The effect: TRACK/EFFECT, or its id.")
  var effect: String

  @Argument(help: ArgumentHelp("What the preset is called.", valueName: "name"))
  var preset: String

  @Flag(help: "Replace a preset of that name.")
  var replace = false

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let entry = try session.read { try $0.effect(calledBy: effect) }
    let preset = EffectPreset(entry.effect.kind, self.preset, entry.values)
    let path = try EffectPresets().save(preset, replaces: replace)
    return CommandResult(
      text: "Saved preset '\(preset.name)' for \(preset.kind.rawValue) in '\(path)'.", made: [path],
      json: JSONObject(["kind": preset.kind.rawValue, "name": preset.name, "path": path]))
  }
}

struct RemovePreset: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-preset",
    abstract: "Remove a preset of your own.",
    discussion: """
      Effects that were made with it keep their parameters.

        daw remove-preset eq 'My voice'
      """)

  @Argument(
    help: ArgumentHelp("eq, compressor, gate, limiter, delay or reverb.", valueName: "kind"),
    completion: .list(EffectKind.allCases.map(\.rawValue)), transform: EffectKind.init(typed:))
  var kind: EffectKind

  @Argument(help: ArgumentHelp("The preset.", valueName: "effect-preset"))
  var preset: String

  @OptionGroup var output: OutputOptions

  func perform() throws -> CommandResult {
    let name = try EffectPresets().remove(kind, named: preset)
    return CommandResult(
      text: "Removed preset '\(name)' for \(kind.rawValue).",
      json: JSONObject(["kind": kind.rawValue, "removed": [name]]))
  }
}

struct ListEffectPresets: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-effect-presets",
    abstract: "List the presets for effects, your own last.",
    discussion: """
        daw list-effect-presets
        daw list-effect-presets compressor --json
      """)

  @Argument(
    help: ArgumentHelp("Only those for this kind of effect.", valueName: "kind"),
    completion: .list(EffectKind.allCases.map(\.rawValue)), transform: EffectKind.init(typed:))
  var kind: EffectKind?

  @OptionGroup var output: OutputOptions

  func perform() throws -> CommandResult {
    let presets = EffectPresets().list(kind)
    var table = TextTable(.plain, .text, .text)
    var warnings: [String] = []
    for preset in presets {
      var about = preset.abstract
      switch preset.values {
      case .success(let values): if about.isEmpty { about = Wording.settings(values).joined(separator: ", ") }
      case .failure(let failure):
        about = "cannot be used"
        warnings.append(failure.message.replacing(" Nothing was changed.", with: ""))
      }
      table.add([
        TextTable.Cell(preset.kind.rawValue), TextTable.Cell(preset.name), TextTable.Cell(about, .dim),
      ])
    }
    return CommandResult(
      lines: table.lines(), made: presets.map { "\($0.kind.rawValue)/\($0.name)" }, json: presets.map(\.json),
      warnings: warnings)
  }
}

extension EffectPresets.Listed {
  fileprivate var json: JSONObject {
    let values = try? values.get()
    return JSONObject([
      "kind": kind.rawValue, "name": name, "abstract": abstract.isEmpty ? nil : abstract, "path": path,
      "isFactory": path == nil, "settings": values?.json(all: false),
    ])
  }
}
