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

  var isEmpty: Bool { name == nil && tempo == nil && timeSignature == nil && rate == nil && panLaw == nil }

  var change: ProjectChange {
    var change = ProjectChange()
    change.name = name
    change.tempo = tempo
    change.timeSignature = timeSignature
    change.sampleRate = rate
    change.panLaw = panLaw
    return change
  }

  /// Those of a new project.
  func settings(named folderName: String) throws -> ProjectSettings {
    var settings = ProjectSettings(name: try Name(name ?? folderName))
    if let tempo { settings.tempo = tempo }
    if let timeSignature { settings.timeSignature = timeSignature }
    if let rate { settings.sampleRate = rate }
    if let panLaw { settings.panLaw = panLaw }
    return settings
  }

  private static func panLaw(_ text: String) throws -> PanLaw {
    guard let law = PanLaw.allCases.first(where: { $0.rawValue.lowercased() == text.lowercased() }) else {
      throw Unreadable(text, "a pan law is one of \(PanLaw.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return law
  }
}
