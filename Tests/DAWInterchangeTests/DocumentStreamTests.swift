import DAWModel
import DAWStore
import DAWTestSupport
import Foundation
import Testing

@testable import DAWInterchange
@testable import DAWProject

@Suite("A project's JSON, written piece by piece")
struct DocumentStreamTests {
  @Test("is the same text as when it is encoded whole, whatever the project holds")
  func same() throws {
    let seed = Seed.current()
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("daw-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path + ".daw") }
    let origin = EditOrigin(author: "ada@test", commandLine: "test")
    let session = try Session.create(
      ProjectFolder(path: path + ".daw"), settings: ProjectSettings(), origin: origin)
    defer { session.close() }
    var edits = RandomEdits(seed: seed)
    for _ in 0..<600 {
      let edit = edits.next(for: try session.read { try $0.project() })
      _ = try? session.edit(origin) { try $0.apply(edit) }
    }
    let document = try session.projectDocument(includesNotes: true)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    var written = ""
    try session.writeDocument { written += $0 }
    #expect(written == String(decoding: try encoder.encode(document), as: UTF8.self) + "\n", "seed \(seed)")
    #expect(written.contains("\"velocity\"") && written.contains("\"kind\""), "seed \(seed): nothing to write")
  }
}
