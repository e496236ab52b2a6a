import Foundation

/// A user for whom modes of files hold, also in tests that root runs, whom none stops.
public enum OtherUser {
  /// The user that owns no files, on most systems.
  private static let id = 65_534

  /// Whether modes hold in `run`, and what others may read can be read there.
  public static let isPossible: Bool = {
    guard let folder = try? TemporaryFolder(), let file = try? folder.write([1], to: "closed") else { return false }
    return withExtendedLifetime(folder) {
      chmod(folder.path, 0o755)
      chmod(file, 0)
      let isStopped = try? run { access(folder.path, R_OK | X_OK) == 0 && access(file, R_OK) != 0 && errno == EACCES }
      return isStopped ?? false
    }
  }()

  public struct Impossible: Error, CustomStringConvertible {
    public let description: String
  }

  /// Runs `body`, where root runs the tests as another user. What it is not to use has mode 0, which stops all but
  /// root. It starts no thread: that would stay the other user's.
  /// - Throws: what `body` throws; `Impossible`, before that, where the thread cannot be another user's.
  public static func run<Value>(_ body: () throws -> Value) throws -> Value {
    guard geteuid() == 0 else { return try body() }
    try become(id)
    defer { try? become(0) }
    return try body()
  }

  /// Changes the user of this thread alone, and keeps the way back to root. glibc's `setresuid` changes all threads.
  private static func become(_ user: Int) throws {
    typealias Function = @convention(c) (Int, Int, Int, Int) -> Int
    guard let number = setresuidNumber, let symbol = dlsym(dlopen(nil, RTLD_NOW), "syscall") else {
      throw Impossible(description: "no system call is known that changes a thread's user")
    }
    guard unsafeBitCast(symbol, to: Function.self)(number, user, user, 0) == 0 else {
      throw Impossible(description: "a thread cannot be another user's: \(String(cString: strerror(errno)))")
    }
  }

  /// - SeeAlso: `asm/unistd.h` of Linux.
  private static var setresuidNumber: Int? {
    #if arch(x86_64)
    return 117
    #elseif arch(arm64)
    return 147
    #else
    return nil
    #endif
  }
}
