import Foundation

/// Keeps the process's memory in RAM, so that the audio thread never waits for a page.
enum MemoryLock {
  /// Locks what there is and what will come, each page from its first use on. The program's code is dropped first, so
  /// that what ran at the start alone is not kept in RAM: what is used from here on comes back, and stays.
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
    dropCode()
    let onFault: Int32 = 4
    guard mlockall(Int32(MCL_CURRENT) | Int32(MCL_FUTURE) | onFault) != 0 else { return nil }
    return "Memory is not locked: \(String(cString: strerror(errno)))."
  }

  /// Gives back the pages of executable files, which can be read again. A debugger's breakpoints go with them.
  private static func dropCode() {
    guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else { return }
    for line in maps.split(separator: "\n") {
      // Addresses, access, offset, device, inode, path.
      let words = line.split(separator: " ")
      let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard words.count >= 6, words[1] == "r-xp", words[5].first == "/", ends.count == 2, ends[0] < ends[1],
        let start = UnsafeMutableRawPointer(bitPattern: ends[0])
      else { continue }
      madvise(start, Int(ends[1] - ends[0]), MADV_DONTNEED)
    }
  }
}
