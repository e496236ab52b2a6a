import DAWErrors
import DAWModel

/// Reads settings of effects as users type them.
struct EffectAssignments {
  let kind: EffectKind
  /// What messages call the effect: "effect 'Vocal/eq'".
  let subject: String

  /// - Parameter texts: `NAME=VALUE` each; case does not matter. A delay's `time` may be a note, such as `1/8d`.
  /// - Throws: `Failure`, also for a parameter that is set twice; `RuleViolation`.
  func read(_ texts: [String]) throws -> [(parameter: String, value: Double)] {
    let settings = try texts.map(read)
    var seen: Set<String> = []
    if let repeated = settings.first(where: { !seen.insert($0.parameter).inserted }) {
      throw Failure(
        .usage, code: "repeatedOption", "'\(repeated.parameter)' is set more than once. Nothing was changed.",
        hint: "Give it one value.")
    }
    return settings
  }

  private func read(_ text: String) throws -> (parameter: String, value: Double) {
    guard let equals = text.firstIndex(of: "=") else {
      throw Failure(
        .usage, code: "usage", "'\(text)' is no setting. Nothing was changed.",
        hint: "A setting is NAME=VALUE, such as \(example).")
    }
    let (name, typed) = (String(text[..<equals]), String(text[text.index(after: equals)...]))
    var parameter = try self.parameter(name)
    var value = parameter.value(of: typed)
    if kind == .delay, parameter.name == "time", value == nil, let note = kind.parameter("noteLength"),
      let length = note.value(of: typed)
    {
      (parameter, value) = (note, length)
    }
    guard let value else {
      throw Failure(
        .usage, code: "usage", "'\(typed)' is no value for \(parameter.name). Nothing was changed.",
        hint: accepted(parameter))
    }
    guard parameter.accepts(value) else {
      throw RuleViolation(
        .effectSetting, value: "\(parameter.name) \(parameter.text(of: value))", subject: subject,
        accepted: accepted(parameter))
    }
    return (parameter.name, value)
  }

  private func accepted(_ parameter: EffectParameter) -> String { "\(parameter.name) is \(parameter.acceptedValues)." }

  private func parameter(_ name: String) throws -> EffectParameter {
    let lowered = name.lowercased()
    if let parameter = kind.parameters.first(where: { $0.name.lowercased() == lowered }) { return parameter }
    let near = nearest(to: name, among: kind.parameters.map(\.name))
    let hint =
      switch lowered {
      case "bypass": "Say --bypass or --no-bypass."
      case "key": "Say --key TRACK or --key none."
      default: near.first.map { "Did you mean '\($0)'?" } ?? ""
      }
    throw RuleViolation(
      .effectSetting, value: "the parameter '\(name)'", subject: subject,
      accepted: (hint.isEmpty ? "" : hint + " ") + "'daw list-effect-types \(kind.rawValue)' lists them all.")
  }

  private var example: String {
    switch kind {
    case .eq: "band2.gain=-3"
    case .compressor, .gate: "threshold=-24"
    case .limiter: "ceiling=-1"
    case .delay: "time=1/8d"
    case .reverb: "decay=2.5"
    }
  }
}
