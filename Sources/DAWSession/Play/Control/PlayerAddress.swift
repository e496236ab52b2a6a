import DAWMedia
import Foundation

/// Where a project's player listens to other processes: a socket in a folder that only this user can enter.
struct PlayerAddress: Sendable {
  let folder: String
  let name: String

  var path: String { folder + "/" + name }

  /// In `$XDG_RUNTIME_DIR/daw`, else in the project's cache.
  /// - Parameter project: the project's folder.
  init(
    of project: ProjectFolder, cacheFolder: String,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    // The same folder by another path is the same project.
    let real = realpath(project.path, nil)
    defer { free(real) }
    let path = real.map { String(cString: $0) } ?? project.path
    name = "player-\(Self.digest(of: path)).socket"
    let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    folder = runtime.flatMap { access($0, W_OK) == 0 ? $0 + "/daw" : nil } ?? cacheFolder
  }

  /// 16 hexadecimal digits.
  private static func digest(of text: String) -> String {
    var hash = StreamingSHA256()
    Array(text.utf8).withUnsafeBytes { hash.update($0) }
    return String(hash.hexDigest().prefix(16))
  }

  /// Calls `body` with the socket's address. The folder is open while that runs: a socket's address holds 107 bytes, and the
  /// way through `/proc` is short where the project's own path is not.
  /// - Throws: what the system says, as errno's number.
  func withSocketAddress<T>(
    name: String? = nil, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(POSIXCode) -> T
  ) throws(POSIXCode) -> T {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXCode(errno) }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array("/proc/self/fd/\(descriptor)/\(name ?? self.name)".utf8)
    guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { throw POSIXCode(ENAMETOOLONG) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    return try withUnsafePointer(to: address) { pointer throws(POSIXCode) in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer throws(POSIXCode) in
        try body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

/// What a call of the system failed with.
struct POSIXCode: Error, CustomStringConvertible {
  let number: Int32
  init(_ number: Int32) { self.number = number }
  var description: String { String(cString: strerror(number)) }
}
