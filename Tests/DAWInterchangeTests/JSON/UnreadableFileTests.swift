import DAWErrors
import DAWInterchange
import Foundation
import Testing

@Suite("Why a file cannot be read")
struct UnreadableFileTests {
  @Test("What has the name instead of a file is said, as an input that cannot be opened")
  func kinds() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("daw-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(mkfifo(folder + "/pipe", 0o600) == 0)
    for (path, code, sentence) in [
      (folder, "notAFile", "is a folder"), (folder + "/pipe", "notAFile", "is no regular file"),
      (folder + "/none", "fileNotFound", "There is no file"),
    ] {
      let failure = Failure.unreadable(path)
      #expect(failure.kind == .noInput && failure.code == code && failure.message.contains(sentence), "\(failure)")
    }
  }
}
