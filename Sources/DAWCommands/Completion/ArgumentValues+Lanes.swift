import DAWModel
import DAWProject

extension ArgumentValues {
  private func given(_ option: String) -> (isGiven: Bool, value: String?) {
    let last = scan.options.last { $0.argument.names.contains(option) }
    return (last != nil, last?.value)
  }

  private var isOfGroup: Bool { given("--group").isGiven }

  /// Whether `--group` says that a lane's owner is a group.
  func takesGroups(_ argument: OptionGrammar.Argument) -> Bool {
    isOfGroup && (argument.names.isEmpty || argument.names.contains("--to-track"))
  }

  /// The parameters that a lane of the track or group can move that is named before.
  func laneParameters(_ argument: OptionGrammar.Argument) -> Completions {
    let other = argument.names.contains("--to-parameter") ? given("--to-track").value : nil
    guard let owner = other ?? scan.positionals.first else { return Completions() }
    if isOfGroup { return Completions(candidates: LaneParameter.ofGroups.map { Candidate(text: $0.name) }) }
    return names { session in
      try session.read { try $0.laneParameterNames(of: $0.track(calledBy: owner)) }.map { Candidate(text: $0) }
    }
  }

  /// Those of a switch, and silence.
  var pointValues: Completions {
    guard scan.positionals.count > 1 else { return Completions() }
    let reference = LaneReference(scan.positionals[0], scan.positionals[1], isOfGroup: isOfGroup)
    return names { session in
      guard let parameter = try? session.read({ try $0.laneTarget(reference).parameter }) else { return [] }
      let values = parameter.isStepped ? ["on", "off"] : parameter.isSilenceAccepted ? ["-inf"] : []
      return values.map { Candidate(text: $0) }
    }
  }
}
