import Foundation
import Testing

/// The pages that set each promise beside the tests that prove it, compared with the tests that there are.
@Suite("Pages that name tests")
struct ProofPageTests {
  private static let checkout = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

  private static let files: [URL] = {
    let tests = checkout.appending(path: "Tests")
    let names = FileManager.default.enumerator(atPath: tests.path)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".swift") }.sorted().map { tests.appending(path: $0) }
  }()

  /// All of the tests' sources, as one text.
  private static let sources = files.compactMap { try? String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")

  /// Whether there is a type, a function or a file of tests with a name.
  private func isThere(_ name: Substring) -> Bool {
    let declaration = "\\b(struct|enum|class|extension|func) `?\(name)\\b"
    return Self.files.contains { $0.lastPathComponent == "\(name).swift" }
      || Self.sources.range(of: declaration, options: .regularExpression) != nil
  }

  @Test("Each suite and each test that a page names is there", arguments: ["Recording", "Recordings", "Reliability"])
  func names(page: String) throws {
    let text = try String(
      contentsOf: Self.checkout.appending(path: "Documentation/\(page).md"), encoding: .utf8)
    let suites = text.matches(of: /`([A-Z]\w*Tests)((?:[.\/]\w+)*)`/)
    #expect(suites.count > 3)
    for suite in suites {
      #expect(isThere(suite.1), "\(page).md: \(suite.0)")
      for part in suite.2.split(whereSeparator: { $0 == "." || $0 == "/" }) {
        #expect(isThere(part), "\(page).md: \(suite.0)")
      }
    }
    // A title is given up to "…".
    for title in text.matches(of: /`[A-Z]\w*Tests` "([^"…]*)(…?)"/) {
      let end = title.2.isEmpty ? "\"" : ""
      let isThere = Self.sources.range(of: "\"\(title.1)\(end)") != nil
      #expect(isThere, "\(page).md: \(title.1)")
    }
  }
}
