import DAWModel
import Foundation
import Testing

/// The table of error codes in `Documentation/CommandLine.md`, compared with the codes in the sources.
@Suite("The table of error codes")
struct ErrorCodePageTests {
  private static let statuses: [String: String] = [
    "usage": "64", "invalid": "65", "noInput": "66", "unavailable": "69", "internal": "70", "cannotCreate": "73",
    "io": "74", "tryAgain": "75", "interrupted": "130",
  ]

  /// Codes that the sources build from a noun, as `"\(noun)NotFound"`.
  private static let built: Set<String> = [
    "trackNotFound", "groupNotFound", "effectNotFound", "regionNotFound", "noteNotFound", "eventNotFound",
    "markerNotFound",
    "tempoNotFound",
    "meterNotFound", "keySignatureNotFound", "audioFileNotFound", "soundFontNotFound", "invalidNotes", "invalidEvents",
    "invalidPoints", "takeNotFound", "recordingNotFound",
  ]

  /// From each code of the page to its statuses; a row is `| status | codes | meaning |`.
  private func listed() throws -> [String: Set<String>] {
    let page = try String(contentsOf: checkout.appending(path: "Documentation/CommandLine.md"), encoding: .utf8)
    let section = try #require(page.components(separatedBy: "\n## Error codes\n").dropFirst().first)
    var result: [String: Set<String>] = [:]
    for line in section.split(separator: "\n") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3 else { continue }
      for code in cells[1].matches(of: /`(\w+)`/) {
        result[String(code.1), default: []].formUnion(cells[0].components(separatedBy: ", "))
      }
    }
    return result
  }

  private func sources() throws -> [String] {
    let folder = checkout.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }
  }

  /// From each code that the sources write out to the statuses of the error kinds beside it.
  private func written() throws -> [String: Set<String>] {
    var result: [String: Set<String>] = [:]
    for source in try sources() {
      // `Failure(.usage, code: "usage", …)` and `CheckFinding(code: "damaged", …)`
      for match in source.matches(of: /(?:\.(\w+),\s*|\()\s*code: "(\w+)"/) {
        result[String(match.2), default: []].formUnion(match.1.flatMap { Self.statuses[String($0)] }.map { [$0] } ?? [])
      }
      // `code: isThere ? "io" : "fileNotFound"`
      for match in source.matches(of: /code: [^",\n]*\? "(\w+)" : "(\w+)"/) {
        for code in [match.1, match.2] { result[String(code), default: []].formUnion([]) }
      }
      // `case .busy: (.tryAgain, "busy")` and `case .noServer: "jackNotRunning"` of a conformance
      guard let conformance = source.firstMatch(of: /: (\w+, )*DAWError\b[^{\n]*\{\n/) else { continue }
      for match in source[conformance.range.upperBound...].matches(of: /(?:\(\.(\w+), |[:{?] )"([a-z]\w*)"/) {
        result[String(match.2), default: []].formUnion(match.1.flatMap { Self.statuses[String($0)] }.map { [$0] } ?? [])
      }
    }
    return result
  }

  @Test("Each code of the sources has a row with its exit status, and no row is left over")
  func codes() throws {
    let listed = try listed()
    var written = try written()
    #expect(written.count > 80)
    let problems = try String(
      contentsOf: checkout.appending(path: "Sources/DAWRender/Bounce/BounceProblem.swift"), encoding: .utf8)
    let names = problems.matches(of: /\n  case (\w+)\n/).map { String($0.1) } + Rule.allCases.map(\.rawValue)
    for name in Self.built.union(names) where written[name] == nil { written[name] = [] }
    for (code, statuses) in written.sorted(by: { $0.key < $1.key }) {
      let row = listed[code]
      #expect(row != nil, "\(code) has no row in Documentation/CommandLine.md")
      #expect(statuses.subtracting(row ?? statuses).isEmpty, "\(code) ends with \(statuses)")
    }
    #expect(Set(listed.keys).subtracting(written.keys).sorted() == [])
  }
}
