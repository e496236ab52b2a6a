import Foundation

/// Keeps the process's memory in RAM, so that the audio thread never waits for a page.
enum MemoryLock {
  /// Locks what there is and what will come, each page from its first use on.
  /// - Returns: why that cannot be done, as a sentence; `nil` where it is done.
  static func acquire() -> String? {
    var limit = rlimit()
    // RLIMIT_MEMLOCK, which Glibc's module leaves out.
    getrlimit(__rlimit_resource_t(8), &limit)
    // With a limit the lock itself may succeed, and a later allocation would fail for it.
    guard geteuid() == 0 || limit.rlim_cur == .max else {
      return
        "Memory is not locked, since this user may lock \(limit.rlim_cur >> 10) kB only; a group with 'memlock unlimited' "
        + "in /etc/security/limits.d (often 'audio') may lock all."
    }
    let onFault: Int32 = 4
    guard mlockall(Int32(MCL_CURRENT) | Int32(MCL_FUTURE) | onFault) != 0 else { return nil }
    return "Memory is not locked: \(String(cString: strerror(errno)))."
  }
}
