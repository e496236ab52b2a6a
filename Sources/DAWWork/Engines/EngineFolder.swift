import DAWErrors
import DAWModel
import DAWProject
import DAWTime
import Foundation

/// The engines of the user.
public struct EngineFolder: Sendable {
  public let path: String
  private let environment: [String: String]

  public init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.environment = environment
    path = UserFolders.configuration(environment) + "/engines"
  }

  /// `pocketsphinx`, unless a file has its name, and one for each file, in order of name.
  public func names() -> [String] {
    let files = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0.hasSuffix(".json") }
      .map { String($0.dropLast(5)) }.filter(Job.isEngineName)
    return Set(files + [Engine.pocketsphinx.name]).sorted()
  }

  /// - Throws: `Failure` if there is none with the name, its file cannot be used, or it is for another task.
  public func engine(named name: String, for task: Engine.Task) throws(Failure) -> Engine {
    let engine = try engine(named: name)
    guard engine.task == task else {
      let (takes, wanted) = task == .transcribe ? ("texts", "sound") : ("sound", "texts")
      throw Failure(
        .invalid, code: "engineTask", "The engine '\(name)' takes \(takes), not \(wanted). Nothing was changed.",
        hint: "'daw list-engines' says what each is for.")
    }
    return engine
  }

  /// The engine that is asked for a summary when the last segment of a recording was transcribed; `nil` if the user's
  /// settings name none.
  /// - Throws: `Failure` if they cannot be used.
  public func summarizer() throws -> String? { try UserSettings.read(environment).summaryEngine }

  /// - Throws: `Failure` if there is none with the name, or its file cannot be used.
  public func engine(named name: String) throws(Failure) -> Engine {
    let file = "\(path)/\(name).json"
    guard Job.isEngineName(name), FileManager.default.fileExists(atPath: file) else {
      if name == Engine.pocketsphinx.name { return .pocketsphinx }
      throw Failure(
        .noInput, code: "engineNotFound", "There is no engine '\(name)'. Nothing was changed.",
        hint: "There are: \(names().joined(separator: ", ")). An engine is a file '\(path)/NAME.json'.")
    }
    let engine = Engine(name: name, try settings(in: file), folder: path)
    if let reason = engine.refusal { throw Self.unusable(file, reason) }
    return engine
  }

  private func settings(in file: String) throws(Failure) -> Settings {
    guard let content = SmallFile.contents(ofFile: file) else {
      throw Self.unusable(file, "it cannot be read, or has more than 1 MiB.")
    }
    guard let object = try? JSONSerialization.jsonObject(with: content) as? [String: Any] else {
      throw Self.unusable(file, "it is no JSON object.")
    }
    let known = Set(Settings.CodingKeys.allCases.map(\.rawValue))
    if let stranger = object.keys.sorted().first(where: { !known.contains($0) }) {
      throw Self.unusable(file, "'\(stranger)' is no setting.")
    }
    guard let settings = try? JSONDecoder().decode(Settings.self, from: content) else {
      throw Self.unusable(file, "a setting is missing, or has a value of the wrong kind.")
    }
    return settings
  }

  private static func unusable(_ file: String, _ reason: String) -> Failure {
    Failure(
      .invalid, code: "invalidEngine", "The engine '\(file)' cannot be used: \(reason) Nothing was changed.",
      hint: "Documentation/Transcripts.md has the settings of an engine.")
  }

  fileprivate struct Settings: Codable {
    var command: [String]
    var task: Engine.Task?
    var comments: Bool?
    var rate, channels, bits: Int?
    var timeLimit: Double?
    var atOnce, perMinute: Int?
    var output: Engine.Output?
    var keys: String?
    var runs: Engine.Location?

    enum CodingKeys: String, CodingKey, CaseIterable {
      case command, task, comments, rate, channels, bits, timeLimit, atOnce, perMinute, output, keys, runs
    }
  }
}

extension Engine {
  /// - Parameter folder: of the user's engines, in which a relative path of keys begins.
  fileprivate init(name: String, _ settings: EngineFolder.Settings, folder: String) {
    self.init(name: name, command: settings.command)
    task = settings.task ?? task
    comments = settings.comments ?? comments
    rate = settings.rate.map(SampleRate.init(hertz:)) ?? rate
    channels = settings.channels ?? channels
    bits = settings.bits ?? bits
    timeLimit = settings.timeLimit ?? timeLimit
    (atOnce, perMinute) = (settings.atOnce, settings.perMinute)
    output = settings.output ?? (task == .summarize ? .text : .jsonl)
    runs = settings.runs ?? runs
    keys = settings.keys.map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" }
  }

  /// Why it cannot be used; `nil` if it can.
  fileprivate var refusal: String? {
    let refusals: [(Bool, String)] = [
      (command.first?.isEmpty ?? true, "its command is empty."),
      (command.contains { $0.contains("\0") }, "its command has a NUL character."),
      (
        command.first.map { $0.contains("/") && !$0.hasPrefix("/") } ?? false,
        "the path of its program is not absolute."
      ),
      (
        task == .transcribe && !command.contains { $0.contains("{input}") },
        "its command does not name the sound, as {input}."
      ),
      (task == .summarize && output != .text, "the output of a summary is text."),
      (task == .transcribe && comments, "comments are given for a summary only."),
      (!(1_000...384_000).contains(rate.hertz), "a rate is 1000 … 384000 Hz."),
      (![1, 2].contains(channels), "it takes 1 or 2 channels."),
      (![16, 24, 32].contains(bits), "it takes 16, 24 or 32 bits."),
      (!(1...86_400).contains(timeLimit), "a time limit is 1 … 86400 s."),
      (!(1...1_000).contains(atOnce ?? 1), "'atOnce' is 1 … 1000."),
      (!(1...100_000).contains(perMinute ?? 1), "'perMinute' is 1 … 100000."),
    ]
    return refusals.first(where: \.0)?.1
  }
}
