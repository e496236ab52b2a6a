import ArgumentParser
import DAWErrors
import DAWInterchange
import DAWModel
import DAWPlay
import DAWProject
import DAWWork
import Foundation
import Synchronization

struct Work: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "work",
    abstract: "Do the jobs in the project's queue.",
    discussion: """
      Ends when no job is ready. Several of them can work on a project at once. A job that fails is tried again after \
      1, 2, 4 and 8 s; after the fifth time the fallback engine has one attempt. No job is begun while a player of the \
      user's is late. Ctrl-C gives what is under way back to the queue. Once a day 'retain' is a job, where \
      'set-retention' says what is too old.

        daw work
        daw work --until-idle --at-once 2
        daw work --watch
      """)

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How many jobs to do at once.", valueName: "n"),
    transform: Int.init(typed:))
  var atOnce = 3

  @Flag(help: "Wait for jobs that are to be tried again, until the only ones left need an engine that is not there.")
  var untilIdle = false

  @Flag(help: "Wait for new jobs, until a signal ends it.")
  var watch = false

  @OptionGroup var project: ProjectOptions

  var output: OutputOptions { project.output }

  func validate() throws {
    guard (1...64).contains(atOnce) else { throw ValidationError("'--at-once' is a whole number, 1 … 64.") }
    if untilIdle, watch { throw Exclusion.error("'--until-idle' and '--watch' exclude each other.") }
  }

  func perform() throws -> CommandResult {
    let session = try project.openForEditing()
    defer { session.close() }
    let done = try session.workOff(
      watch ? .watch : untilIdle ? .idle : .ready, atOnce: atOnce, retainsDaily: true, form: output.form)
    let counts = try failing { try session.work.counts() }
    let failed = done.count { $0.state == .failed }
    let text =
      done.isEmpty
      ? "No job was done. The queue: \(counts.status)."
      : "\(counted(done.count { $0.state == .completed }, "job")) done, \(failed) failed. The queue: \(counts.status)."
    return CommandResult(
      text: text, made: done.filter { $0.state == .completed }.map(\.id.uuidString),
      json: counts.json.merging(JSONObject(["jobs": done.map(\.json)])))
  }
}

extension Session {
  /// Works, and says of each job what became of it.
  /// - Parameter waits: ends as soon as it is `false`.
  /// - Returns: the jobs that have ended.
  func workOff(
    _ goal: Worker.Goal, atOnce: Int, retainsDaily: Bool = false, form: OutputForm,
    while waits: @escaping @Sendable () -> Bool = { true }
  ) throws -> [Job] {
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "daw"
    let log = AttemptLog(isTold: form == .text)
    let players = LatePlayers(near: self)
    try Interruption.catching {
      try Worker(self, program: program).run(
        goal, atOnce: atOnce, retainsDaily: retainsDaily, while: { !Interruption.wasRequested && waits() },
        pausingWhile: {
          let isLate = players.isAnyLate()
          log.note(isPaused: isLate)
          return isLate
        }, report: log.add)
      if Interruption.wasRequested, goal != .watch {
        throw Failure(
          .interrupted, code: "interrupted", "Interrupted. What was under way is in the queue again.")
      }
    }
    return log.ended
  }
}

/// Attempts, from several threads.
private final class AttemptLog: Sendable {
  private let jobs = Mutex<[Job]>([])
  private let isPaused = Mutex(false)
  private let isTold: Bool

  init(isTold: Bool) { self.isTold = isTold }

  var ended: [Job] { jobs.withLock { $0 } }

  /// Says it once for each pause.
  func note(isPaused new: Bool) {
    let begins = isPaused.withLock { old in
      defer { old = new }
      return new && !old
    }
    if begins, isTold {
      Console.writeError(lines: [
        "A player is late: no job is begun, and engines stand still, until it is in time again."
      ])
    }
  }

  @Sendable func add(_ attempt: Worker.Attempt) {
    let job = attempt.job
    if !job.state.isOpen { jobs.withLock { $0.append(job) } }
    guard isTold else { return }
    let text =
      switch attempt.result {
      case .transcript(let transcript): transcript.text.isEmpty ? ": silence" : ": \(transcript.text.prefix(60))"
      case .summary(let summary): ": \(summary.text.prefix(60))"
      case nil: ""
      }
    let reason = job.state == .completed ? text : job.lastError.map { ": \($0)" } ?? ""
    Console.writeError(lines: ["\(job.label): \(job.state.rawValue)\(reason)"])
  }
}

struct Queue: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "Say how the queue of jobs stands: Ready, Queued (n), Processing (n) or Offline.",
    discussion: """
        daw queue
        daw queue --json
      """)

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let counts = try session.read { try $0.work.counts() }
    return CommandResult(text: counts.status, json: counts.json)
  }
}

struct ListJobs: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-jobs",
    abstract: "List the jobs of the queue, in its order.",
    discussion: """
      The states are \(Job.State.allCases.map(\.rawValue).joined(separator: ", ")).

        daw list-jobs
        daw list-jobs --state failed
        daw list-jobs --limit 20 --page 2 --json
      """)

  @Option(
    help: ArgumentHelp("Only those in this state; may be repeated.", valueName: "state"),
    completion: .list(Job.State.allCases.map(\.rawValue)), transform: Job.State.init(typed:))
  var state: [Job.State] = []

  @OptionGroup var pages: PageOptions
  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let filter = JobFilter(states: state.isEmpty ? nil : Set(state), limit: pages.limit, offset: pages.offset)
    let (found, ids, sources) = try session.read { view in
      let found = try view.work.jobs(filter)
      return (found, try view.work.jobIDs(), view.sources(of: found.jobs))
    }
    let shortIDs = ShortIDs(found.jobs.map(\.id), among: ids)
    var table = TextTable(.text, .text, .text, .plain, .number, .text, .id)
    for job in found.jobs {
      table.add([
        "\(job.label)", "\(sources[job.id] ?? "")", "\(job.engine ?? "")",
        "\(job.isOffline ? "offline" : job.state.rawValue)", "\(job.retryCount)", "\(job.lastError ?? "")",
        TextTable.Cell(shortIDs[job.id], .dim),
      ])
    }
    return CommandResult(
      lines: found.jobs.isEmpty
        ? ["No such jobs."]
        : table.lines(fitting: Terminal.columns()) + (found.hasMore ? [StyledLine("There are more; see --page.")] : []),
      made: found.jobs.map(\.id.uuidString),
      json: JSONObject([
        "jobs": found.jobs.map { $0.json.merging(JSONObject(["source": sources[$0.id]])) }, "hasMore": found.hasMore,
      ]))
  }
}

struct RetryJob: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry-job",
    abstract: "Put jobs that failed or were cancelled into the queue again.",
    discussion: """
      A job that waits for its next attempt is tried at once.

        daw retry-job 1a2b3c
        daw retry-job $(daw list-jobs --state failed -q)
      """)

  @Argument(help: "The jobs: ids, or the ends of them.")
  var jobs: [String]

  @OptionGroup var project: ProjectOptions
  var output: OutputOptions { project.output }

  func perform() throws -> CommandResult {
    try changeJobs(jobs, project, "is in the queue again", "has ended well, or is under way") {
      try $0.retry($1, at: $2)
    }
  }
}

struct CancelJob: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel-job",
    abstract: "Cancel jobs that wait or are under way.",
    discussion: """
        daw cancel-job 1a2b3c
        daw cancel-job $(daw list-jobs --state pending -q)
      """)

  @Argument(help: "The jobs: ids, or the ends of them.")
  var jobs: [String]

  @OptionGroup var project: ProjectOptions
  var output: OutputOptions { project.output }

  func perform() throws -> CommandResult {
    try changeJobs(jobs, project, "is cancelled", "has ended") { session, id, now in
      try session.work.change(id, of: nil, keeping: nil) { $0.cancel(at: now) }
    }
  }
}

private func changeJobs(
  _ references: [String], _ project: ProjectOptions, _ changed: String, _ unchanged: String,
  _ change: (Session, JobID, Timestamp) throws -> Job?
) throws -> CommandResult {
  let session = try project.openForEditing()
  defer { session.close() }
  // All are found before one is changed.
  let ids = try session.read { try $0.jobIDs(calledBy: references) }
  let now = Timestamp.now()
  var lines: [String] = []
  var jobs: [Job] = []
  var left: [String] = []
  for (reference, id) in zip(references, ids) {
    let job = try failing { try change(session, id, now) }
    lines.append("Job \(reference) \(job == nil ? unchanged : changed).")
    if let job { jobs.append(job) } else { left.append(id.uuidString) }
  }
  return CommandResult(
    lines: lines, made: jobs.map(\.id.uuidString),
    json: JSONObject(["jobs": jobs.map(\.json), "unchanged": left]))
}

struct Enqueue: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "enqueue",
    abstract: "Put a command of daw into the queue, for 'daw work'.",
    discussion: """
      It is done on this project, from the folder in which it was typed. Options of its own come behind --.

        daw enqueue -- bounce -o mix.wav --overwrite
        daw enqueue check
      """)

  @Argument(help: "The command, without 'daw'.")
  var command: [String]

  @OptionGroup var project: ProjectOptions
  var output: OutputOptions { project.output }

  func validate() throws {
    guard let name = command.first, let type = DAWCommand.command(named: name) else {
      throw ValidationError("'\(command.first ?? "")' is no command of daw.")
    }
    if ["work", "enqueue", "play", "record", "transport"].contains(name) {
      throw ValidationError("'\(name)' cannot be done by a job.")
    }
    // The worker puts the project before it.
    if try OptionGrammar(of: type).named("--project") == nil {
      throw ValidationError("'\(name)' is not done on the project that -p names, so that no job can do it.")
    }
  }

  func perform() throws -> CommandResult {
    let session = try project.openForEditing()
    defer { session.close() }
    try requireReadable(in: session.folder.path)
    let added = try session.enqueue(command, in: FileManager.default.currentDirectoryPath)
    return CommandResult(
      text: "'\(added.label)' is in the queue.", made: [added.id.uuidString], json: JSONObject(["job": added.json]))
  }
}

extension Enqueue {
  /// Refuses words that cannot be read as a command: the worker types the same ones.
  private func requireReadable(in project: String) throws {
    do {
      let words = TypedArguments(["-p", project] + command)
      let parsed = try Program.parse(words)
      if StandardStreamUse.isAsked(by: parsed) {
        throw Failure(
          .usage, code: "standardInputInUse", "A job has no standard input or output. Nothing was changed.",
          hint: "Name a file.")
      }
      if parsed is any ReportingCommand { return }
    } catch  where !DAWCommand.exitCode(for: error).isSuccess {
      let failure = Program.failure(error)
      throw Failure(
        failure.kind, code: failure.code,
        "No job can do '\(command.joined(separator: " "))': ".shortenedForMessage + failure.message,
        hint: failure.hint)
    } catch {}
    throw Failure(
      .usage, code: "usage", "Help is no job. Nothing was changed.", hint: "Type 'daw \(command[0]) --help'.")
  }
}

// MARK: Texts

extension JobCounts {
  /// "Ready", "Queued (3)", "Processing (2)", "Offline"
  var status: String {
    if self[.processing] > 0 { return "Processing (\(self[.processing]))" }
    if waiting > 0 { return waiting == offline ? "Offline" : "Queued (\(waiting))" }
    return "Ready"
  }

  var json: JSONObject {
    JSONObject([
      "status": status, "offline": offline,
      "counts": JSONObject(
        Dictionary(uniqueKeysWithValues: Job.State.allCases.map { ($0.rawValue, self[$0] as (any JSONWritable)?) })),
    ])
  }
}

extension Job {
  /// "transcribe 0:30.000", "bounce -o mix.wav"; a command longer than any name can be is cut.
  var label: String {
    switch kind {
    case .command:
      let text = command.joined(separator: " ").unicodeScalars
      return text.count > Name.maximumLength
        ? String(String.UnicodeScalarView(text.prefix(60))) + "…" : String(text)
    case .summarize: return "summarize \(recording?.uuidString.suffix(12) ?? "")"
    case .transcribe: return "transcribe from " + Wording.time(range.map { $0.seconds($0.start) } ?? 0)
    }
  }

  var json: JSONObject {
    JSONObject([
      "id": id.uuidString, "kind": kind.rawValue, "state": state.rawValue, "progress": progress,
      "retryCount": retryCount, "lastError": lastError, "isOffline": isOffline, "engine": engine, "fallback": fallback,
      "language": kind == .command ? nil : language, "createdAt": createdAt.iso8601,
      "nextAttempt": state == .pending || state == .retrying ? nextAttempt.iso8601 : nil,
      "startedAt": startedAt?.iso8601, "endedAt": endedAt?.iso8601, "command": command.isEmpty ? nil : command,
      "folder": folder, "range": range?.json, "recording": recording?.uuidString,
    ])
  }
}

extension SoundRange {
  var json: JSONObject {
    var index: Int?
    if case .segment(_, let number) = medium { index = number }
    return JSONObject([
      "pass": pass?.uuidString, "segmentIndex": index, "audioFile": audioFile?.uuidString, "startFrame": start.frames,
      "frames": frames.frames, "sampleRate": sampleRate.hertz, "startTime": seconds(start),
      "duration": seconds(frames),
    ])
  }
}

extension Job.State {
  init(typed text: String) throws { try self.init(typed: text, listedAs: "a state is") }
}
