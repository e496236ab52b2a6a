import ArgumentParser
import DAWModel
import DAWProject
import DAWTime

/// What a project has one of: the settings that `new` and `set-project` share.
struct ProjectSettingOptions: ParsableArguments {
  @Option(help: "What the project is called.")
  var name: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Quarter notes per minute, 5 to 999.", valueName: "bpm"),
    transform: Tempo.init(typed:))
  var tempo: Tempo?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The meter, such as 4/4 or 7/8.", valueName: "n/m"),
    transform: TimeSignature.init(typed:))
  var timeSignature: TimeSignature?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Frames per second: 44100, 48000, 88200, 96000, 176400 or 192000.", valueName: "hz"),
    transform: SampleRate.init(typed:))
  var rate: SampleRate?

  @Option(
    help: ArgumentHelp(
      "How mono tracks are spread over two sides: \(PanLaw.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "law"),
    completion: .list(PanLaw.allCases.map(\.rawValue)), transform: panLaw)
  var panLaw: PanLaw?

  var isEmpty: Bool { name == nil && plainChange.isEmpty }

  /// - Throws: `RuleViolation` for the name.
  func change() throws -> Change<ProjectSettings> {
    var change = plainChange
    change.set(\.name, to: try name.map { try Name($0) })
    return change
  }

  /// All but the name.
  private var plainChange: Change<ProjectSettings> {
    var change = Change<ProjectSettings>()
    change.set(\.tempo, to: tempo)
    change.set(\.timeSignature, to: timeSignature)
    change.set(\.sampleRate, to: rate)
    change.set(\.panLaw, to: panLaw)
    return change
  }

  /// Those of a new project.
  func settings(named folderName: String) throws -> ProjectSettings {
    plainChange.applied(to: ProjectSettings(name: try Name(name ?? folderName)))
  }

  private static func panLaw(_ text: String) throws -> PanLaw {
    try PanLaw(typed: text, listedAs: "a pan law is one of")
  }
}
