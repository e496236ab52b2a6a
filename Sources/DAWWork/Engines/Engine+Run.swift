import DAWMedia
import DAWModel
import DAWProject
import Foundation

/// Why an engine gave no answer.
enum EngineFault: Error, Equatable {
  /// It may succeed when it is asked again.
  case failed(String)
  /// It would refuse the same sound or texts again.
  case refused(String)
  /// It is not installed, or cannot be reached.
  case offline(String)
  /// The answer is no longer wanted.
  case unwanted
}

/// What the exit status of an engine, or of a command of `daw`, means.
/// - SeeAlso: sysexits.h; Documentation/Transcripts.md
enum ExitMeaning {
  case done
  /// It cannot be reached, or is not complete.
  case offline
  /// It would refuse the same again.
  case refused
  /// The program could not be run.
  case notRun
  case failed

  init(status: Int32) {
    switch status {
    case 0: self = .done
    case 69: self = .offline
    case 64...66: self = .refused
    case 127: self = .notRun
    default: self = .failed
    }
  }
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

  /// An argument of the command with the values in their places. What looks like a place in a value, as in the path of
  /// a project, is none.
  static func filled(_ argument: String, input: String, language: String) -> String {
    argument.components(separatedBy: "{input}")
      .map { $0.replacing("{language}", with: language) }.joined(separator: input)
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
    let words = command.dropFirst().map { Self.filled($0, input: file, language: language) }
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
    case .ended(.exited(let status)):
      switch ExitMeaning(status: status) {
      case .done: return result.output
      case .offline: throw .offline("'\(name)' cannot be reached, or is not complete.\(complaint)")
      case .refused:
        let kind = task == .transcribe ? "sound" : "text"
        throw .refused("'\(name)' does not take this \(kind) (exit status \(status)).\(complaint)")
      case .notRun: throw .failed("'\(program)' could not be run.\(complaint)")
      case .failed: throw .failed("'\(name)' ended with exit status \(status).\(complaint)")
      }
    case .ended(.killed(let signal)): throw .failed("'\(name)' was ended by signal \(signal).\(complaint)")
    case .tookTooLong: throw .failed("'\(name)' took more than \(Int(timeLimit)) s.")
    case .wroteTooMuch: throw .failed("'\(name)' wrote more than \(run.maximumOutput >> 20) MiB.")
    case .unwanted: throw .unwanted
    }
  }

  /// - Throws: `.refused` if others than the user can read the file, or a line is no `KEY=value`.
  private func readKeys() throws(EngineFault) -> [String: String] {
    guard let keys else { return [:] }
    var status = stat()
    guard stat(keys, &status) == 0 else { throw .offline("The keys of '\(name)', '\(keys)', cannot be read.") }
    guard status.st_size <= SmallFile.usualMaximumSize else {
      throw .refused("The keys of '\(name)', '\(keys)', have more than 1 MiB.")
    }
    guard let content = SmallFile.contents(ofFile: keys) else {
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
