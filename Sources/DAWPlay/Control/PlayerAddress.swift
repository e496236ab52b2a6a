import DAWMedia
import DAWProject
import Foundation

/// Where the players of a project listen to other processes: each at a socket of its own, in a folder that only this
/// user can enter.
struct PlayerAddress: Sendable {
  let folder: String
  /// What the names of this project's sockets begin with.
  let prefix: String

  /// What the names of all projects' sockets begin with.
  static let beginning = "player-"

  /// In `$XDG_RUNTIME_DIR/daw`, else in `players` in the project's cache.
  /// - Parameter project: the project's folder.
  init(
    of project: ProjectFolder, cacheFolder: String,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    // The same folder by another path is the same project.
    let real = realpath(project.path, nil)
    defer { free(real) }
    let path = real.map { String(cString: $0) } ?? project.path
    prefix = Self.beginning + "\(Self.digest(of: path))-"
    let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    folder = runtime.flatMap { access($0, W_OK) == 0 ? $0 + "/daw" : nil } ?? cacheFolder + "/players"
  }

  /// 16 hexadecimal digits.
  private static func digest(of text: String) -> String {
    var hash = StreamingSHA256()
    Array(text.utf8).withUnsafeBytes { hash.update($0) }
    return String(hash.hexDigest().prefix(16))
  }
}

/// The `errno` of a failed system call.
struct POSIXCode: Error, CustomStringConvertible {
  let number: Int32
  init(_ number: Int32) { self.number = number }
  var description: String { String(cString: strerror(number)) }
}
