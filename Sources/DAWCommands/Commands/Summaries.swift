import ArgumentParser
import DAWErrors
import DAWInterchange
import DAWModel
import DAWProject
import DAWWork
import Foundation
import Synchronization

extension Session {
  /// Works until these jobs have ended.
  /// - Returns: the jobs.
  /// - Throws: `Failure` if one failed, or its engine is offline.
  func finish(_ ids: [JobID], form: OutputForm) throws -> [Job] {
    let filter = JobFilter(ids: ids, limit: ids.count)
    // Each thread asks ten times a second, and many jobs take long to read: that takes one part in 20 of the time.
    let look = Mutex((isOpen: true, next: ContinuousClock.now))
    _ = try workOff(.idle, atOnce: 3, form: form) {
      look.withLock { look in
        let start = ContinuousClock.now
        guard look.isOpen, start >= look.next, let jobs = try? self.work.jobs(filter).jobs else { return look.isOpen }
        look.isOpen = jobs.contains { $0.state.isOpen && !$0.isOffline }
        let end = ContinuousClock.now
        look.next = end + (end - start) * 20
        return look.isOpen
      }
    }
    let ended = try failing { try self.work.jobs(filter).jobs }
    if let offline = ended.first(where: \.isOffline) {
      throw Failure(
        .unavailable, code: "engineOffline",
        "\(offline.lastError ?? "The engine is offline.") The jobs stay in the queue.",
        hint: "'daw work' tries again; 'daw list-engines' shows the engines.")
    }
    if let failed = ended.first(where: { $0.state == .failed }) {
      let hint = "'daw list-jobs --state failed' shows them, 'daw retry-job' tries again."
      if failed.kind == .summarize {
        throw Failure(.invalid, code: "summaryFailed", "The summary failed: \(failed.lastError ?? "")", hint: hint)
      }
      throw Failure(
        .invalid, code: "transcriptionFailed",
        "\(counted(ended.count { $0.state == .failed }, "job")) of \(ended.count) failed: \(failed.lastError ?? "")",
        hint: hint)
    }
    return ended
  }
}

struct Summarize: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "summarize",
    abstract: "Let an engine write a summary of what was said in a recording.",
    discussion: """
      The engine is given the texts, in order, with their times, and people's comments only if its file says so. What it \
      writes takes the place of an earlier summary; 'daw show-recording' shows it. With "summaryEngine": "NAME" in \
      settings.json it is asked by itself, as soon as all of a recording was transcribed.

        daw summarize Verse --engine llama --wait
        daw summarize $(daw list-recordings --limit 1 -q)
      """)

  @Argument(help: "The recording: its title, or its id, or the end of it.")
  var recording: String

  @Option(help: ArgumentHelp("What writes it. (default: that of settings.json)", valueName: "engine"))
  var engine: String?

  @OptionGroup var queue: EngineJobOptions

  @OptionGroup var project: ProjectOptions
  var output: OutputOptions { project.output }

  func perform() throws -> CommandResult {
    let session = try project.openForEditing()
    defer { session.close() }
    let engines = EngineFolder()
    guard let name = try engine ?? engines.summarizer() else {
      throw Failure(
        .noInput, code: "engineNotFound", "No engine for summaries is set. Nothing was changed.",
        hint: "Name one with --engine, or as \"summaryEngine\" in settings.json; 'daw list-engines' shows them.")
    }
    let job = try session.summarize(
      recording, by: try engines.engine(named: name, for: .summarize),
      fallback: try queue.fallback.map { try engines.engine(named: $0, for: .summarize) })
    guard queue.wait else {
      return CommandResult(
        text: "The summary is in the queue: 'daw work' makes it.", made: [job.id.uuidString],
        json: JSONObject(["job": job.json]))
    }
    let ended = try session.finish([job.id], form: output.form)
    let summary = try failing { try session.work.summaries(of: job.recording.map { [$0] } ?? []).first }
    return CommandResult(
      lines: (summary?.text ?? "").split(separator: "\n", omittingEmptySubsequences: false).flatMap {
        TextWrapping.lines(TerminalText.line(String($0)), width: Terminal.columns(), indentation: 0)
      }, made: [job.id.uuidString],
      json: JSONObject(["job": ended.first?.json, "summary": summary?.json]))
  }
}

extension Summary {
  var json: JSONObject {
    JSONObject([
      "text": text, "engine": engine, "processingTime": Double(processingTime) / 1000, "createdAt": createdAt.iso8601,
    ])
  }
}

extension SummaryState {
  /// The text, and what became of the last attempt.
  var lines: [String] {
    let text = summary.map { summary in
      ["summary by \(summary.engine):"]
        + summary.text.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }
    }
    let state: String? =
      switch job?.state {
      case .failed: "The summary failed: \(job?.lastError ?? "")"
      case .pending, .processing, .retrying: "A summary is in the queue."
      case .completed, .cancelled, nil: nil
      }
    return (text ?? []) + (state.map { [$0] } ?? [])
  }
}
