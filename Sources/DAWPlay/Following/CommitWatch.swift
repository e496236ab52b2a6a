import DAWMedia
import Foundation

/// Waits until another process may have committed to a project. inotify reports writes to the project's file or its
/// log; where it cannot, as for a file that another machine writes, the files' times and lengths tell. Used by one
/// thread.
///
/// An inotify event is only a hint: the log is written before the commit is complete. Then the project is looked at
/// often.
final class CommitWatch {
  private let path: String
  private let folder: String
  private let fileName: String
  /// The inotify descriptor; −1 when the kernel has none left.
  private let descriptor: Int32
  /// The inotify watch descriptor; −1 when nothing is watched.
  private var watched: Int32 = -1
  private var lastHint = ContinuousClock.now - CommitWatch.moment
  /// The states of the project's file and its log at the last check.
  private var states: [FileState?] = []

  /// Between two looks at the files' times, in milliseconds.
  private static let interval: Int32 = 50
  /// Between two looks at the project after a hint, in milliseconds: as long as the commit has taken, within these
  /// limits.
  private static let hintedIntervals: (least: Int32, most: Int32) = (2, 200)
  /// How long after its last write a commit may complete: it waits for the disk.
  private static let moment = Duration.seconds(1)
  /// Whatever is seen, the project is looked at as often.
  private static let longestWait = Duration.seconds(1)

  /// - Parameter path: the database.
  init(path: String) {
    self.path = path
    folder = (path as NSString).deletingLastPathComponent
    fileName = (path as NSString).lastPathComponent
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    watch()
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Returns when the project should be checked.
  /// - Parameter call: wakes this thread.
  func wait(or call: WakeUp) {
    let end = ContinuousClock.now + Self.longestWait
    while ContinuousClock.now < end {
      if watched < 0 { watch() }
      let age = ContinuousClock.now - lastHint
      let isHinted = age < Self.moment
      let (least, most) = Self.hintedIntervals
      let interval = isHinted ? min(most, max(least, Int32(age / .milliseconds(1)))) : Self.interval
      var polled = [descriptor, call.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let count = poll(&polled, 2, interval)
      if count > 0, polled[1].revents != 0 { return call.clear() }
      if count > 0, polled[0].revents != 0 {
        // Many writes make one commit.
        usleep(500)
        if takeHints() {
          lastHint = .now
          return
        }
      }
      let now = [path, path + "-wal"].map { FileState(of: $0) }
      defer { states = now }
      if isHinted || now != states { return }
    }
  }

  private func watch() {
    guard descriptor >= 0 else { return }
    let events = IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM
    watched = inotify_add_watch(descriptor, folder, UInt32(events))
  }

  /// Reads all pending inotify events.
  /// - Returns: whether any of it is about the database.
  private func takeHints() -> Bool {
    var isOurs = false
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { bytes in
      while case let count = read(descriptor, bytes.baseAddress, bytes.count), count > 0 {
        var place = 0
        while place + MemoryLayout<inotify_event>.size <= count {
          let event = bytes.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
          let name = bytes[(place + MemoryLayout<inotify_event>.size)...].prefix(Int(event.len)).prefix { $0 != 0 }
          // The index is written by who reads, too.
          isOurs = isOurs || name.starts(with: fileName.utf8) && !name.elementsEqual("\(fileName)-shm".utf8)
          // The folder itself is gone, and may come back.
          if event.mask & UInt32(IN_IGNORED) != 0 { watched = -1 }
          place += MemoryLayout<inotify_event>.size + Int(event.len)
        }
      }
    }
    return isOurs
  }
}

/// A way to wake a thread that waits for descriptors. Any thread wakes it.
final class WakeUp: Sendable {
  /// The descriptor to poll; −1 when there is none.
  let descriptor: Int32
  private let input: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) != 0 { ends = [-1, -1] }
    (descriptor, input) = (ends[0], ends[1])
    for end in ends where end >= 0 {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
  }

  deinit { for end in [descriptor, input] where end >= 0 { close(end) } }

  func call() {
    var byte: UInt8 = 0
    _ = write(input, &byte, 1)
  }

  /// Called by the waiting thread to reset the signal.
  func clear() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while read(descriptor, &bytes, 16) > 0 {}
  }
}
