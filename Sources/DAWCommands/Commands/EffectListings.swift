import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject

struct ListEffects: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-effects",
    abstract: "List the effects of all strips or of one, or the parameters of one effect.",
    discussion: """
      Of parameters, those that are not at their defaults, or with --all every one.

        daw list-effects
        daw list-effects Vocal
        daw list-effects Vocal/compressor --all
        daw list-effects --json
      """)

  @Argument(help: ArgumentHelp("A track, a bus or the master; or TRACK/EFFECT.", valueName: "track|effect"))
  var subject: String?

  @Flag(help: "Show the parameters that are at their defaults too.")
  var all = false

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    try session.read { view in
      let (entries, isOne) = try subject.map(view.effectEntries(about:)) ?? (view.effectEntries(), false)
      let made = entries.map(\.effect.id.uuidString)
      let json = entries.map { $0.json(all: all) }
      if entries.isEmpty { return CommandResult(lines: ["No effects."], made: made, json: json) }
      let shortIDs = ShortIDs(entries.map(\.effect.id), among: try view.all(Effect.self).map(\.id))
      var table = TextTable(.number, .plain, .text, .id)
      for entry in entries {
        table.add([
          "\(entry.place)", "\(entry.effect.name)", "\(Wording.settings(entry).joined(separator: ", "))",
          TextTable.Cell(shortIDs[entry.effect.id], .dim),
        ])
      }
      let lines = zip(entries, table.lines()).enumerated().flatMap { index, row in
        let isFirst = index == 0 || entries[index - 1].track.id != row.0.track.id
        return (isFirst ? [title(of: row.0.track)] : []) + [row.1] + (isOne || all ? parameters(row.0) : [])
      }
      return CommandResult(
        lines: lines, made: made, json: json, warnings: try entries.flatMap { try view.idleReasons(of: $0.effect) })
    }
  }

  private func title(of track: Track) -> StyledLine {
    let name = TerminalText.line(track.name.text)
    return StyledLine([(Terminal.columns().map { name.shortened(to: $0) } ?? name, .colored(track.color))])
  }

  private func parameters(_ entry: EffectEntry) -> [StyledLine] {
    let listed = zip(entry.values.kind.parameters, entry.values.values).filter { all || $0.defaultValue != $1 }
    var table = TextTable(.plain, .plain, .text)
    for (parameter, value) in listed {
      table.add([
        TextTable.Cell("    \(parameter.name)"), TextTable.Cell(parameter.text(of: value)),
        TextTable.Cell(parameter.abstract, .dim),
      ])
    }
    return table.lines()
  }
}

struct ListEffectTypes: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-effect-types",
    abstract: "List the kinds of effects, or the parameters of one.",
    discussion: """
      Of each parameter: what it accepts, and its default.

        daw list-effect-types
        daw list-effect-types compressor
        daw list-effect-types eq --json
      """)

  @Argument(
    help: ArgumentHelp("eq, compressor, gate, limiter, delay or reverb.", valueName: "kind"),
    completion: .list(EffectKind.allCases.map(\.rawValue)), transform: EffectKind.init(typed:))
  var kind: EffectKind?

  @OptionGroup var output: OutputOptions

  func perform() throws -> CommandResult {
    let kinds = kind.map { [$0] } ?? EffectKind.allCases
    return CommandResult(
      lines: kind.map(parameters) ?? kindLines, made: kinds.map(\.rawValue),
      json: kinds.map { kind in
        JSONObject([
          "kind": kind.rawValue, "abstract": kind.abstract, "hasKey": kind.hasKey,
          "parameters": kind.parameters.map(\.json),
        ])
      })
  }

  private var kindLines: [StyledLine] {
    var table = TextTable(.plain, .text)
    for kind in EffectKind.allCases {
      table.add([TextTable.Cell(kind.rawValue), TextTable.Cell(kind.abstract)])
    }
    return table.lines()
  }

  private func parameters(of kind: EffectKind) -> [StyledLine] {
    // Bands differ only in their numbers and frequencies.
    let shown = kind.parameters.filter { kind != .eq || $0.name.hasPrefix("band1.") }
    let names = shown.map { kind == .eq ? $0.name.replacing("band1", with: "bandN") : $0.name }
    let width = 2 + (names.map(\.count).max() ?? 0)
    let heading = kind == .eq ? ["N: 1 … \(EffectKind.bandCount)"] : []
    let lines = zip(names, shown).flatMap { name, parameter in
      let value = kind == .eq ? bandDefault(of: parameter) : parameter.text(of: parameter.defaultValue)
      return TextWrapping.lines(
        name + String(repeating: " ", count: width - name.count)
          + "\(parameter.acceptedValues); default \(value): \(parameter.abstract)",
        width: Terminal.columns(), indentation: width)
    }
    return (heading + lines).map { StyledLine($0) }
  }

  private func bandDefault(of parameter: EffectParameter) -> String {
    guard parameter.unit == .hertz else { return parameter.text(of: parameter.defaultValue) }
    return EffectKind.eq.parameters.filter { $0.unit == .hertz }.map { Wording.number($0.defaultValue) }
      .joined(separator: " ")
  }
}

extension EffectParameter {
  fileprivate var json: JSONObject {
    var choices: [String]?
    if case .choice(let names) = unit { choices = names }
    return JSONObject([
      "name": name, "unit": unitName, "minimum": choices == nil ? range.lowerBound : nil,
      "maximum": choices == nil ? range.upperBound : nil, "choices": choices, "default": jsonValue(defaultValue),
      "leastAboveZero": leastAboveZero, "isAutomatable": isAutomatable, "abstract": abstract,
    ])
  }

  private var unitName: String {
    switch unit {
    case .hertz: "Hz"
    case .decibels: "dB"
    case .milliseconds: "ms"
    case .seconds: "s"
    case .ratio: "ratio"
    case .plain: "number"
    case .notes: "quarter notes"
    case .choice: "choice"
    case .toggle: "toggle"
    }
  }
}
