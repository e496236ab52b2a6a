import Foundation

/// The peer of a local socket, from `SO_PEERCRED`.
struct PeerCredentials {
  var process: pid_t
  var user: uid_t

  init(process: pid_t, user: uid_t) {
    self.process = process
    self.user = user
  }

  init?(of connection: Int32) {
    // struct ucred, which Glibc's module leaves out: process, user, group.
    var credentials: (Int32, UInt32, UInt32) = (0, 0, 0)
    var length = socklen_t(MemoryLayout.size(ofValue: credentials))
    guard getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
    process = credentials.0
    user = credentials.1
  }

  /// Whether it is this user, or root.
  var isTrusted: Bool { user == geteuid() || user == 0 }
}
