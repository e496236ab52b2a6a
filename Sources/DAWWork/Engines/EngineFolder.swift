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
    func bad(_ reason: String) -> Failure {
      Failure(
        .invalid, code: "invalidEngine", "The engine '\(file)' cannot be used: \(reason) Nothing was changed.",
        hint: "Documentation/Transcripts.md has the settings of an engine.")
    }
    guard let content = FileManager.default.contents(atPath: file), content.count < 1 << 20 else {
      throw bad("it cannot be read.")
    }
    guard let object = try? JSONSerialization.jsonObject(with: content) as? [String: Any] else {
      throw bad("it is no JSON object.")
    }
    let known = Set(Settings.CodingKeys.allCases.map(\.rawValue))
    if let stranger = object.keys.sorted().first(where: { !known.contains($0) }) {
      throw bad("'\(stranger)' is no setting.")
    }
    guard let settings = try? JSONDecoder().decode(Settings.self, from: content) else {
      throw bad("a setting is missing, or has a value of the wrong kind.")
    }
    var engine = Engine(name: name, command: settings.command)
    engine.task = settings.task ?? engine.task
    engine.comments = settings.comments ?? engine.comments
    engine.rate = settings.rate.map(SampleRate.init(hertz:)) ?? engine.rate
    engine.channels = settings.channels ?? engine.channels
    engine.bits = settings.bits ?? engine.bits
    engine.timeLimit = settings.timeLimit ?? engine.timeLimit
    (engine.atOnce, engine.perMinute) = (settings.atOnce, settings.perMinute)
    engine.output = settings.output ?? (engine.task == .summarize ? .text : .jsonl)
    engine.runs = settings.runs ?? engine.runs
    engine.keys = settings.keys.map { $0.hasPrefix("/") ? $0 : "\(path)/\($0)" }
    let refusals: [(Bool, String)] = [
      (engine.command.first?.isEmpty ?? true, "its command is empty."),
      (engine.command.contains { $0.contains("\0") }, "its command has a NUL character."),
      (
        engine.command.first.map { $0.contains("/") && !$0.hasPrefix("/") } ?? false,
        "the path of its program is not absolute."
      ),
      (
        engine.task == .transcribe && !engine.command.contains { $0.contains("{input}") },
        "its command does not name the sound, as {input}."
      ),
      (engine.task == .summarize && engine.output != .text, "the output of a summary is text."),
      (engine.task == .transcribe && engine.comments, "comments are given for a summary only."),
      (!(1_000...384_000).contains(engine.rate.hertz), "a rate is 1000 … 384000 Hz."),
      (![1, 2].contains(engine.channels), "it takes 1 or 2 channels."),
      (![16, 24, 32].contains(engine.bits), "it takes 16, 24 or 32 bits."),
      (!(1...86_400).contains(engine.timeLimit), "a time limit is 1 … 86400 s."),
      (!(1...1_000).contains(engine.atOnce ?? 1), "'atOnce' is 1 … 1000."),
      (!(1...100_000).contains(engine.perMinute ?? 1), "'perMinute' is 1 … 100000."),
    ]
    if let refusal = refusals.first(where: \.0) { throw bad(refusal.1) }
    return engine
  }

  private struct Settings: Codable {
    var command: [String]
    var task: Engine.Task?
    var comments: Bool?
    var rate, channels, bits: Int?
    var timeLimit: Double?
    var atOnce, perMinute: Int?
    var output: Engine.Output?
    var keys: String?
    var runs: Engine.Place?

    enum CodingKeys: String, CodingKey, CaseIterable {
      case command, task, comments, rate, channels, bits, timeLimit, atOnce, perMinute, output, keys, runs
    }
  }
}
