import Foundation

/// What libraries print to standard error while a line is redrawn on the terminal, which they would scribble over.
final class LibraryOutput {
  private let descriptor: Int32
  private var pending: [UInt8] = []

  /// `nil` where there is no pipe to be had; the output goes where it went then.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    descriptor = ends[0]
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // A library never waits for us: what is more than the pipe holds is lost.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    Console.divertLibraries(to: ends[1])
    close(ends[1])
  }

  /// The whole lines that have come since the last call.
  func takeLines() -> [String] {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while case let count = read(descriptor, &bytes, bytes.count), count > 0 { pending += bytes.prefix(count) }
    guard let end = pending.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    let lines = pending[..<end].split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    pending.removeSubrange(...end)
    return lines
  }
}
