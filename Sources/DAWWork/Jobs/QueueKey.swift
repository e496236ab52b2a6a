import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import Foundation

/// A secret of this user's, by which a worker tells the jobs that the user has queued. A project that came from
/// elsewhere may have jobs in its queue as well: `bounce -o` could write over any file, and an engine that sends sound
/// to a service costs money, and may be given any file that the project names.
///
/// It lies in `UserFolders.data`, readable by the user alone.
struct QueueKey: Sendable {
  private let bytes: [UInt8]

  private static let fileName = "queue-key"
  private static let byteCount = 32

  /// The user's key; `nil` if there is none, or others could have read it.
  init?(_ environment: [String: String]) {
    guard let file = try? Self.folder(environment).open().openFile(Self.fileName, O_RDONLY) else { return nil }
    defer { close(file) }
    var status = stat()
    var bytes = [UInt8](repeating: 0, count: Self.byteCount)
    guard fstat(file, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0,
      status.st_size == Self.byteCount, pread(file, &bytes, Self.byteCount, 0) == Self.byteCount
    else { return nil }
    self.bytes = bytes
  }

  /// The user's key, made if there is none.
  /// - Throws: `Failure` if it cannot be made, or the one that is there is of no use.
  static func making(_ environment: [String: String]) throws -> QueueKey {
    if let key = QueueKey(environment) { return key }
    let place = folder(environment)
    do throws(SystemCallFailure) {
      try place.makeRoot()
      try make(in: place.make(mode: 0o700))
    } catch {
      throw Failure(
        .cannotCreate, code: "queueKey",
        "The key of the queue cannot be made in '\(place.path)': \(String(cString: strerror(error.code))). "
          + "Nothing was changed.",
        hint: "Check the permissions of the folder and the free space; or let XDG_DATA_HOME name another folder.")
    }
    if let key = QueueKey(environment) { return key }
    throw Failure(
      .invalid, code: "queueKey",
      "The key of the queue, '\(place.path)/\(fileName)', is not one that only you can read. Nothing was changed.",
      hint: "Remove it; what is in queues must be put there again.")
  }

  private static func make(in folder: Folder) throws(SystemCallFailure) {
    let spare = ".\(fileName).\(UUID().uuidString)"
    let file = try folder.openFile(spare, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    defer {
      close(file)
      try? folder.remove(spare)
    }
    let bytes = (0..<byteCount).map { _ in UInt8.random(in: .min ... .max) }
    guard write(file, bytes, byteCount) == byteCount, fsync(file) == 0 else {
      throw SystemCallFailure(call: "write", code: errno)
    }
    do throws(SystemCallFailure) {
      try folder.link(spare, to: folder, as: fileName)
    } catch {
      // Another process may have made one meanwhile.
      if error.code != EEXIST { throw error }
    }
  }

  private static func folder(_ environment: [String: String]) -> Place { Place(path: UserFolders.data(environment)) }

  /// What only this user can write beside a command.
  /// - Parameter project: so that it counts in no other project.
  func seal(of job: Job, in project: ProjectID) -> String {
    code(["\(project)", "\(job.createdAt.milliseconds)", job.folder ?? ""] + job.command)
  }

  /// What only this user can write beside a job for an engine: that the sound of a file or a pass, or what was said in
  /// a recording, may be given to the user's engines.
  func seal(ofEngineJob job: Job) -> String {
    if let recording = job.recording { return code(["recording", "\(recording.rawValue)"]) }
    if let pass = job.range?.pass { return seal(of: pass) }
    return code(["file", "\(job.range?.audioFile?.rawValue ?? 0)"])
  }

  func seal(of pass: PassID) -> String { code(["pass", "\(pass.rawValue)"]) }

  private func code(_ parts: [String]) -> String {
    // With lengths, so that no two lists make the same text.
    let message = parts.map { "\($0.utf8.count):\($0)," }.joined()
    return HMACSHA256.code(of: Array(message.utf8), key: bytes)
  }
}

extension Session {
  /// Puts a command of daw into the project's queue.
  /// - Parameters:
  ///   - command: the words behind `daw`.
  ///   - folder: in which it is done.
  /// - Throws: `Failure`.
  @discardableResult
  public func enqueue(
    _ command: [String], in folder: String, now: Timestamp = .now(),
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> Job {
    var job = Job(kind: .command, command: command, folder: folder, createdAt: now)
    job.seal = try QueueKey.making(environment).seal(of: job, in: try read { try $0.header().id })
    return try failing { try work.add([job])[0] }
  }

  /// Puts jobs for engines into the queue. What waits there already is done as it is asked for now.
  /// - Returns: as many jobs.
  /// - Throws: `EditError`, `Failure`.
  func addEngineJobs(_ jobs: [Job], _ environment: [String: String]) throws -> [Job] {
    let jobs = try sealed(jobs, environment)
    return try zip(jobs, work.add(jobs)).map { wanted, job in
      var changed = job
      guard changed.restart(as: wanted) else { return job }
      return try work.change(job.id, of: nil, keeping: nil) { $0.restart(as: wanted) } ?? job
    }
  }

  /// Puts a job that failed or was cancelled into the queue again. An engine does it then, also if another user asked
  /// for it before; a command only for the user who has typed it.
  /// - Returns: `nil` if it has ended well, or is under way.
  /// - Throws: `Failure`.
  public func retry(
    _ id: JobID, at now: Timestamp = .now(), environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> Job? {
    try failing {
      guard let job = try work.job(id) else { return nil }
      let key = job.kind == .command ? nil : try QueueKey.making(environment)
      return try work.change(id, of: nil, keeping: nil) { job in
        guard job.retry(at: now) else { return false }
        if let key { job.seal = key.seal(ofEngineJob: job) }
        return true
      }
    }
  }

  /// Whether a job was put into the queue of this project by this user, on this machine.
  /// - Throws: `Failure` if the project cannot be read.
  func isQueuedByUser(_ job: Job, _ environment: [String: String]) throws -> Bool {
    guard let seal = job.seal, let key = QueueKey(environment) else { return false }
    switch job.kind {
    case .command:
      let project = try read { try $0.header().id }
      return seal == key.seal(of: job, in: project)
    case .transcribe: return seal == key.seal(ofEngineJob: job)
    case .summarize:
      if seal == key.seal(ofEngineJob: job) { return true }
      // That of the transcription which it follows.
      let passes = try read { try $0.recordings.passes(of: job.recording.map { [$0] } ?? []) }
      return passes.contains { seal == key.seal(of: $0.id) }
    }
  }
}

/// Jobs for engines as this user asks for them.
/// - Throws: `Failure`.
func sealed(_ jobs: [Job], _ environment: [String: String]) throws -> [Job] {
  let key = try QueueKey.making(environment)
  return jobs.map { job in
    var job = job
    job.seal = key.seal(ofEngineJob: job)
    return job
  }
}
