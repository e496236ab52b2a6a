import DAWEngine
import DAWMedia
import Foundation

/// Flushes a recording's files to disk, makes the next ones beforehand and hashes complete ones, on its own thread.
/// The writing thread waits for it only at a recording's end.
final class RecordingFlusher: Sendable {
  private let state = Monitor(State())
  private let beforeHashing: @Sendable () -> Void

  private struct State {
    var filesToSync: [RecordedFile] = []
    var filesToHash: [SealedSegment] = []
    var isHashing = false
    var isFlushing = false
    /// Whether the last work was to flush.
    var hasFlushed = false
    var hashed: [LedgerRecord] = []
    /// The writers of the recording under way, whose next files are made here.
    var writers: [SegmentWriter] = []
    var folder: RecordingFolder?
    var isStopping = false
    var hasEnded = false

    /// Whether nothing is left to do.
    var isDone: Bool { filesToSync.isEmpty && !isFlushing && filesToHash.isEmpty && !isHashing }

    /// Flushing comes first, so that a power cut loses little. If flushing takes all the time, a piece is hashed after
    /// each flush, since files that wait to be hashed stay open.
    mutating func nextWork() -> Work? {
      if isStopping { return .end }
      if !filesToSync.isEmpty, !hasFlushed || filesToHash.isEmpty {
        defer { filesToSync = [] }
        (isFlushing, hasFlushed) = (true, true)
        return .sync(filesToSync, folder, writers)
      }
      guard !filesToHash.isEmpty else { return nil }
      (isHashing, hasFlushed) = (true, false)
      return .hash(filesToHash.removeFirst())
    }
  }

  private enum Work {
    case sync([RecordedFile], RecordingFolder?, [SegmentWriter])
    case hash(SealedSegment)
    case end
  }

  /// More files than this are flushed by one call for the whole file system.
  private static let mostSingleFiles = 3

  /// - Parameter beforeHashing: called on the thread before a piece of a file is hashed.
  init(beforeHashing: @escaping @Sendable () -> Void = {}) { self.beforeHashing = beforeHashing }

  /// - Parameter problem: called on the thread with the first error of a failure.
  func start(problem: @escaping @Sendable (SystemCallFailure) -> Void) {
    Thread { [self] in run(problem) }.start()
  }

  /// Ends the thread. Nothing more is flushed.
  func stop() {
    state.update { $0.isStopping = true }
    state.wait { $0.hasEnded ? () : nil }
  }

  // MARK: The writing thread

  /// - Parameters:
  ///   - files: to be flushed now.
  ///   - sealed: to be hashed when there is time.
  ///   - writers: those that make their next files.
  func take(
    _ files: [RecordedFile], toHash sealed: [SealedSegment], of folder: RecordingFolder, writers: [SegmentWriter]
  ) {
    state.update { state in
      state.filesToSync += files
      state.filesToHash += sealed
      state.folder = folder
      state.writers = writers
    }
  }

  /// Records of the files that were hashed since the last call.
  func takeHashed() -> [LedgerRecord] {
    guard state.read({ !$0.hashed.isEmpty }) else { return [] }
    return state.update { state in
      defer { state.hashed = [] }
      return state.hashed
    }
  }

  /// At a recording's end: returns when all files are flushed, or could not be, and all are hashed that can be read.
  func waitUntilDone() { state.wait { $0.isDone ? () : nil } }

  /// - Returns: whether that is done.
  func waitUntilDone(atMost seconds: Double) -> Bool {
    state.wait(atMost: seconds) { $0.isDone ? true : nil } ?? false
  }

  func forgetRecording() {
    state.update { state in
      state.folder = nil
      state.writers = []
    }
  }

  // MARK: The flushing thread

  private func run(_ problem: (SystemCallFailure) -> Void) {
    var hasFailed = false
    while true {
      switch state.wait(for: { $0.nextWork() }) {
      case .sync(let files, let folder, let writers):
        do throws(SystemCallFailure) {
          try Self.sync(files, in: folder)
          hasFailed = false
        } catch {
          if !hasFailed { problem(error) }
          hasFailed = true
        }
        state.update { $0.isFlushing = false }
        for writer in writers { try? writer.reserveNext() }
      case .hash(let file): hash(file)
      case .end: return state.update { $0.hasEnded = true }
      }
    }
  }

  /// - Parameter folder: the recording's. Files of a spill folder lie on another file system.
  /// - Throws: the first error; the other files are flushed all the same.
  private static func sync(_ files: [RecordedFile], in folder: RecordingFolder?) throws(SystemCallFailure) {
    var failure: SystemCallFailure?
    var rest = files
    if rest.count > mostSingleFiles, let folder {
      do throws(SystemCallFailure) { try folder.syncFileSystem() } catch { failure = error }
      rest.removeAll { folder.isOnFileSystem(of: $0) }
    }
    // All of these are in the spill folder.
    if rest.count > mostSingleFiles, let file = rest.first {
      do throws(SystemCallFailure) { try file.syncFileSystem() } catch { failure = failure ?? error }
      rest = []
    }
    for file in rest {
      do throws(SystemCallFailure) { try file.sync() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Hashes a piece of a file. One that cannot be read stays without a hash, and is tried again at the recording's end.
  private func hash(_ sealed: SealedSegment) {
    var sealed = sealed
    var hashed: LedgerRecord?
    var isOver = false
    beforeHashing()
    do throws(SystemCallFailure) {
      hashed = try sealed.hashPiece()
      isOver = hashed != nil
    } catch {
      isOver = true
    }
    state.update { state in
      state.isHashing = false
      if let hashed { state.hashed.append(hashed) }
      if !isOver { state.filesToHash.insert(sealed, at: 0) }
    }
  }
}
