import DAWTime
import Foundation

/// A program that turns speech into text, or texts into a summary: `pocketsphinx`, or what a file `engines/NAME.json`
/// of the user describes.
public struct Engine: Hashable, Sendable {
  public var name: String
  public var task = Task.transcribe
  /// A program and its arguments. `{input}` stands for the file with the sound, or with the texts, which are its
  /// standard input as well; `{language}` for their language.
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
  public var runs = Location.here

  /// What the engine is for.
  public enum Task: String, CaseIterable, Sendable, Codable {
    case transcribe, summarize
  }

  public enum Output: String, CaseIterable, Sendable, Codable {
    case jsonl, srt, text, pocketsphinx
  }

  public enum Location: String, CaseIterable, Sendable, Codable {
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
