import Foundation
import Testing

@Suite("Examples")
struct ExampleTests {
  static let walks: [String] = {
    let folder = checkout.appending(path: "Examples").path
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return (names ?? []).filter { $0.hasSuffix(".sh") }.sorted()
  }()

  @Test("There are walks to run")
  func thereAreWalks() { #expect(!Self.walks.isEmpty) }

  @Test("Each walk runs from start to end, and leaves nothing behind", arguments: walks)
  func walkSucceeds(name: String) throws {
    try withScratchFolder { folder in
      let result = try runShell([checkout.appending(path: "Examples/\(name)").path], in: folder)
      #expect(result.status == 0, "\(result.text)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }
}
