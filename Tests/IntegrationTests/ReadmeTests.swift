import Foundation
import Testing

@Suite("README")
struct ReadmeTests {
  /// The shell blocks of the tour, in order.
  static func tour() throws -> [String] {
    let readme = try String(contentsOf: checkout.appending(path: "README.md"), encoding: .utf8)
    let section = readme.components(separatedBy: "\n## ").first { $0.hasPrefix("Five minutes") } ?? ""
    return section.components(separatedBy: "\n```sh\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
  }

  @Test("Every line of the tour works as typed, and leaves a song")
  func tourWorks() throws {
    let blocks = try Self.tour()
    try #require(blocks.count >= 5)
    try withScratchFolder { folder in
      try FileManager.default.copyItem(
        at: checkout.appending(path: "Projects"), to: folder.appending(path: "Projects"))
      let result = try runShell(in: folder, input: "set -euxo pipefail\n" + blocks.joined(separator: "\n"))
      #expect(result.status == 0, "\(result.text)")
      #expect(FileManager.default.fileExists(atPath: folder.appending(path: "song.wav").path))
    }
  }

  @Test("Each page that the README leads to is there")
  func linksLeadSomewhere() throws {
    let readme = try String(contentsOf: checkout.appending(path: "README.md"), encoding: .utf8)
    let targets = readme.matches(of: /\]\(([^)]+)\)/).map { String($0.1) }.filter { !$0.hasPrefix("http") }
    #expect(!targets.isEmpty)
    for target in targets {
      #expect(FileManager.default.fileExists(atPath: checkout.appending(path: target).path), "\(target)")
    }
  }
}
