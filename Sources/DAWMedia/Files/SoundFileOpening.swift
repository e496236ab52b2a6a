import CSndFile
import Glibc
import Synchronization

/// Opens files with libsndfile, one at a time, because its error on opening is a global variable. Reading and writing
/// need no lock.
enum SoundFileOpening {
  /// libsndfile's error on opening a file.
  struct Refusal: Error {
    var code: Int32
    var sentence: String
  }

  /// The disk's failure to read, which libsndfile reports as the end of the file; `nil` for its other errors. What a
  /// damaged file makes it do can be refused by the system, too, as a seek to before its beginning.
  static func readFailure(code: Int32, sentence: String) -> SystemCallFailure? {
    guard code == Int32(SF_ERR_SYSTEM) else { return nil }
    return [EIO, ENXIO].first { sentence.contains(String(cString: strerror($0))) }
      .map { SystemCallFailure(call: "read", code: $0) }
  }

  private static let turn = Mutex(())

  /// - Parameters:
  ///   - descriptor: not closed.
  ///   - mode: `SFM_READ` or `SFM_WRITE`.
  static func open(descriptor: Int32, mode: Int, _ description: inout SF_INFO) throws(Refusal) -> OpaquePointer {
    // libsndfile closes the descriptor of a file that it refuses even if told not to, so it gets a duplicate.
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { throw Refusal(code: Int32(SF_ERR_SYSTEM), sentence: String(cString: strerror(errno))) }
    return try turn.withLock { _ throws(Refusal) in
      guard let handle = sf_open_fd(own, Int32(mode), &description, Int32(SF_TRUE)) else {
        throw Refusal(code: sf_error(nil), sentence: String(cString: sf_strerror(nil)))
      }
      return handle
    }
  }
}
