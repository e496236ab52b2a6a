import CSndFile
import Foundation
import Testing

@testable import DAWMedia

@Suite("Failures to read that libsndfile reports")
struct ReadFailureTests {
  @Test("A disk that cannot be read is no damaged file")
  func readFailures() {
    let system = Int32(SF_ERR_SYSTEM)
    func failure(_ code: Int32, _ error: Int32) -> SystemCallFailure? {
      SoundFileOpening.readFailure(code: code, sentence: "System error : \(String(cString: strerror(error))).")
    }
    #expect(failure(system, EIO)?.code == EIO && failure(system, ENXIO)?.code == ENXIO)
    // A damaged file may lead to before its beginning.
    #expect(failure(system, EINVAL) == nil)
    #expect(failure(Int32(SF_ERR_MALFORMED_FILE), EIO) == nil && failure(Int32(SF_ERR_NO_ERROR), EIO) == nil)
  }
}
