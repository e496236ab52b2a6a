import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWTime
import Foundation

/// A program that turns speech into text, or texts into a summary: `pocketsphinx`, or what a file `engines/NAME.json` of the
/// user describes.
public struct Engine: Hashable, Sendable {
  public var name: String
  public var task = Task.transcribe
  /// A program and its arguments. `{input}` stands for the file with the sound, or with the texts, which are its standard
  /// input as well; `{language}` for their language.
  public var command: [String]
  /// Whether a summary is also given people's comments.
  public var comments = false
  /// The format of the WAV file that it is given.
  public var rate = SampleRate(hertz: 16_000)
  public var channels = 1
  public var bits = 16
  /// Seconds for 30 s of sound, or for a summary.
  public var timeLimit = 600.0
  /// The most of its jobs that run at once; `nil`: as many as the worker does at once.
  public var atOnce: Int?
  /// The most of its jobs that begin in a minute; `nil`: no limit.
  public var perMinute: Int?
  public var output = Output.jsonl
  /// The path of a file, readable by the user alone, with lines `KEY=value` for the engine's environment.
  public var keys: String?
  /// Where it runs, as its file says: for display.
  public var runs = Place.here

  /// What the engine is for.
  public enum Task: String, CaseIterable, Sendable, Codable {
    case transcribe, summarize
  }

  public enum Output: String, CaseIterable, Sendable, Codable {
    case jsonl, srt, text, pocketsphinx
  }

  public enum Place: String, CaseIterable, Sendable, Codable {
    case here, network
  }

  public init(name: String, command: [String]) {
    self.name = name
    self.command = command
  }

  public static let pocketsphinx: Engine = {
    var engine = Engine(
      name: "pocketsphinx",
      command: ["pocketsphinx_continuous", "-infile", "{input}", "-time", "yes", "-logfn", "/dev/null"])
    engine.output = .pocketsphinx
    return engine
  }()

  /// The program's path; `nil` if it is not there.
  public var program: String? {
    guard let name = command.first else { return nil }
    if name.hasPrefix("/") { return access(name, X_OK) == 0 ? name : nil }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}

// MARK: Files

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
    engine.task = settings.task ?? .transcribe
    engine.comments = settings.comments ?? false
    engine.rate = SampleRate(hertz: settings.rate ?? 16_000)
    engine.channels = settings.channels ?? 1
    engine.bits = settings.bits ?? 16
    engine.timeLimit = settings.timeLimit ?? 600
    (engine.atOnce, engine.perMinute) = (settings.atOnce, settings.perMinute)
    engine.output = settings.output ?? (engine.task == .summarize ? .text : .jsonl)
    engine.runs = settings.runs ?? .here
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

// MARK: Running

/// Why an engine gave no answer.
enum EngineFault: Error, Equatable {
  /// It may succeed when it is asked again.
  case failed(String)
  case refused(String)
  case offline(String)
  case unwanted
}

extension Engine {
  /// Runs it on a file.
  /// - Parameters:
  ///   - length: of the sound, in seconds.
  ///   - progress: 0 … 1, where the engine tells.
  func transcribe(
    _ file: String, language: String, length: Double, while isWanted: () -> Bool,
    pausingWhile isPaused: () -> Bool = { false }, progress: (Double) -> Void
  ) throws(EngineFault) -> EngineAnswer {
    var reader = ProgressReader()
    let output = try run(file, language: language, while: isWanted, pausingWhile: isPaused) { piece in
      guard self.output == .jsonl, let value = reader.progress(in: piece) else { return }
      progress(value)
    }
    return try answer(output, length: length)
  }

  /// Runs it on a file with texts.
  func summarize(
    _ file: String, language: String, while isWanted: () -> Bool, pausingWhile isPaused: () -> Bool = { false }
  ) throws(EngineFault) -> String {
    let output = try run(file, language: language, while: isWanted, pausingWhile: isPaused) { _ in }
    let text = try answer(output, length: 0).text ?? ""
    guard !text.isEmpty else { throw .failed("'\(name)' has written nothing.") }
    guard text.utf8.count <= Summary.maximumTextLength else {
      throw .failed("The summary by '\(name)' has more than \(Summary.maximumTextLength >> 10) KiB.")
    }
    return text
  }

  private func answer(_ output: [UInt8], length: Double) throws(EngineFault) -> EngineAnswer {
    do {
      return try EngineAnswer(output, as: self.output, length: length)
    } catch {
      throw .failed("The answer of '\(name)' cannot be read: \(error.reason)")
    }
  }

  /// - Parameter received: called with each piece of its output.
  /// - Returns: its output.
  private func run(
    _ file: String, language: String, while isWanted: () -> Bool, pausingWhile isPaused: () -> Bool,
    received: (ArraySlice<UInt8>) -> Void
  ) throws(EngineFault) -> [UInt8] {
    guard let program else { throw .offline("'\(command.first ?? "")', the program of '\(name)', is not installed.") }
    var environment = ProcessInfo.processInfo.environment.filter { ["HOME", "PATH", "TMPDIR"].contains($0.key) }
    environment["LC_ALL"] = "C.UTF-8"
    environment.merge(try readKeys()) { _, new in new }
    let words = command.dropFirst().map {
      $0.replacing("{input}", with: file).replacing("{language}", with: language)
    }
    var run = ProgramRun(path: program, arguments: words, environment: environment, timeLimit: timeLimit)
    run.isIdle = true
    if task == .summarize { run.input = file }
    let result: ProgramRun.Result
    do {
      result = try run.run(while: isWanted, pausingWhile: isPaused, received: received)
    } catch {
      throw .failed("'\(program)' could not be started: \(String(cString: strerror(error.code))).")
    }
    // What it complains of may hold its keys.
    let secrets = keys == nil ? [] : environment.values.filter { $0.count >= 4 }
    let last = result.complaints.last.map { line in
      " It says: " + secrets.reduce(line) { $0.replacing($1, with: "…") }
    }
    let complaint = last ?? ""
    switch result.ending {
    case .exited(0): return result.output
    case .exited(69): throw .offline("'\(name)' cannot be reached, or is not complete.\(complaint)")
    case .exited(let status) where (64...66).contains(status):
      throw .refused(
        "'\(name)' does not take this \(task == .transcribe ? "sound" : "text") (exit status \(status)).\(complaint)")
    case .exited(127): throw .failed("'\(program)' could not be run.\(complaint)")
    case .exited(let status): throw .failed("'\(name)' ended with exit status \(status).\(complaint)")
    case .killed(let signal): throw .failed("'\(name)' was ended by signal \(signal).\(complaint)")
    case .tookTooLong: throw .failed("'\(name)' took more than \(Int(timeLimit)) s.")
    case .wroteTooMuch: throw .failed("'\(name)' wrote more than \(run.maximumOutput >> 20) MiB.")
    case .unwanted: throw .unwanted
    }
  }

  /// - Throws: `.refused` if others than the user can read the file, or a line is no `KEY=value`.
  private func readKeys() throws(EngineFault) -> [String: String] {
    guard let keys else { return [:] }
    var status = stat()
    guard stat(keys, &status) == 0, let content = FileManager.default.contents(atPath: keys) else {
      throw .offline("The keys of '\(name)', '\(keys)', cannot be read.")
    }
    guard status.st_mode & 0o077 == 0, status.st_uid == geteuid() else {
      throw .refused("Others than the user can read '\(keys)': 'chmod 600' it.")
    }
    var values: [String: String] = [:]
    for line in String(decoding: content, as: UTF8.self).split(whereSeparator: \.isNewline) {
      if line.hasPrefix("#") { continue }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let isName = parts[0].range(of: "^[A-Za-z_][A-Za-z0-9_]*$", options: .regularExpression) != nil
      guard parts.count == 2, isName, !parts[1].contains("\0") else {
        throw .refused("A line of '\(keys)' is not KEY=value.")
      }
      values[String(parts[0])] = String(parts[1])
    }
    return values
  }
}

/// Finds `{"progress": 0.5}` in lines that come in pieces.
private struct ProgressReader {
  private var line: [UInt8] = []

  /// - Returns: the last one of the lines that the piece completes.
  mutating func progress(in piece: ArraySlice<UInt8>) -> Double? {
    var found: Double?
    for byte in piece {
      if byte != UInt8(ascii: "\n") {
        if line.count < 4_096 { line.append(byte) }
        continue
      }
      if line.first == UInt8(ascii: "{"),
        let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
        let value = object["progress"] as? Double, (0...1).contains(value)
      {
        found = value
      }
      line = []
    }
    return found
  }
}
