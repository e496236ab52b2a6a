import DAWModel
import DAWProject

extension ArgumentValues {
  /// `TRACK/EFFECT`.
  var effects: Completions {
    names { session in
      try session.read { try $0.effectEntries() }.map { Candidate(text: $0.name, about: $0.effect.kind.abstract) }
    }
  }

  /// The parameters of the effect that is added or changed; behind the '=', the values of a choice.
  func settings(_ typed: String) -> Completions {
    guard let kind else { return Completions() }
    guard let equals = typed.firstIndex(of: "=") else {
      return Completions(candidates: kind.parameters.map { Candidate(text: $0.name + "=", about: $0.acceptedValues) })
    }
    let name = typed[..<equals].lowercased()
    guard let parameter = kind.parameters.first(where: { $0.name.lowercased() == name }) else { return Completions() }
    let values: [String] =
      switch parameter.unit {
      case .choice(let names): names
      case .toggle: ["on", "off"]
      default: [parameter.text(of: parameter.defaultValue).replacing(" ", with: "")]
      }
    return Completions(candidates: values.map { Candidate(text: "\(typed[...equals])\($0)") })
  }

  /// Those for the kind of effect that is named before; all if none is.
  var effectPresets: Completions {
    Completions(
      candidates: EffectPresets().list(kind).map { Candidate(text: $0.name, about: $0.abstract) })
  }

  /// The kind of effect that the words before say: a kind, or an effect of the project.
  private var kind: EffectKind? {
    if let kind = scan.positionals.prefix(2).lazy.compactMap({ try? EffectKind(typed: $0) }).first { return kind }
    guard let reference = scan.positionals.first else { return nil }
    let session = try? ProjectFinder().findIfAny(project).map { try Session.open($0) }
    defer { session?.close() }
    return try? session?.read { try $0.effect(calledBy: reference).effect.kind }
  }
}
