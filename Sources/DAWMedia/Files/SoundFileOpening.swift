import CSndFile
import Glibc
import Synchronization

/// Opens files with libsndfile. Why it could not open one, it tells by a variable that all threads share; so files are
/// opened one at a time. Reading and writing them is as parallel as it may be.
enum SoundFileOpening {
  /// What libsndfile says of a file that it does not open.
  struct Refusal: Error {
    var code: Int32
    var sentence: String
  }

  private static let turn = Mutex(())

  /// - Parameters:
  ///   - descriptor: stays open, whatever becomes of the handle.
  ///   - mode: `SFM_READ` or `SFM_WRITE`.
  static func open(descriptor: Int32, mode: Int, _ description: inout SF_INFO) throws(Refusal) -> OpaquePointer {
    // libsndfile closes the descriptor of a file that it refuses, whatever it is told; so it has one of its own.
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
