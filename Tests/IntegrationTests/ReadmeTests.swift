import Foundation
import Testing

@Suite("README")
struct ReadmeTests {
  /// The shell blocks, in order; those that need a server are no `sh`.
  private static func blocks() throws -> [String] {
    let readme = try String(contentsOf: checkout.appending(path: "README.md"), encoding: .utf8)
    return readme.components(separatedBy: "\n```sh\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
  }

  @Test("Every line works as typed, and leaves a song")
  func linesWork() throws {
    let blocks = try Self.blocks()
    try #require(blocks.count >= 12)
    try withScratchFolder { folder in
      try FileManager.default.copyItem(
        at: checkout.appending(path: "Projects"), to: folder.appending(path: "Projects"))
      let result = try runShell(in: folder, input: "set -euxo pipefail\n" + blocks.joined(separator: "\n"))
      #expect(result.status == 0, "\(result.text)")
      #expect(FileManager.default.fileExists(atPath: folder.appending(path: "Song/song.wav").path))
      // All that is typed lands in a folder that git ignores.
      let made = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
      #expect(Set(made) == ["Projects", "Song"])
      let ignored = try String(contentsOf: checkout.appending(path: ".gitignore"), encoding: .utf8)
      #expect(ignored.split(separator: "\n").contains("/Song/"))
    }
  }

  private static let pages: [String] = {
    let folder = checkout.appending(path: "Documentation").path
    let documentation = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return documentation.filter { $0.hasSuffix(".md") }.map { "Documentation/" + $0 }.sorted()
      + ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Projects/README.md", "Benchmarks/README.md"]
  }()

  @Test("Each link leads to a page, and each file that is named is there", arguments: pages)
  func namesAreTrue(page: String) throws {
    let url = checkout.appending(path: page)
    let text = try String(contentsOf: url, encoding: .utf8)
    let links = text.matches(of: /\]\(([^)#]+)(#[^)]*)?\)/).map { String($0.1) }.filter { !$0.hasPrefix("http") }
    for link in links {
      let target = url.deletingLastPathComponent().appending(path: link)
      #expect(FileManager.default.fileExists(atPath: target.path), "\(link)")
    }
    let names = text.matches(of: /`((Sources|Tests|Scripts|Projects|Examples|Benchmarks)\/[A-Za-z0-9+.\/-]+)/)
    for name in names.map({ String($0.1) }) {
      #expect(FileManager.default.fileExists(atPath: checkout.appending(path: name).path), "\(name)")
    }
  }
}
