import DAWModel
import Foundation
import GRDB
import Testing

@testable import DAWStore

@Suite("Long texts in messages")
struct MessageLengthTests {
  private let folder: TemporaryFolder
  private let store: ProjectStore
  /// Five million characters, as SQL.
  private static let long = "replace(hex(zeroblob(2500000)), '0', 'x')"

  init() throws {
    folder = try TemporaryFolder()
    store = try SampleProject.create(at: folder.project)
    try store.recordings.save(RecordingRepositoryTests.facts())
    try store.work.keep([WorkRepositoryTests.transcript(WorkRepositoryTests.segment())])
  }

  /// What the audit finds after another program has written.
  private func found(after sql: String) throws -> [Finding] {
    let other = try lawlessConnection(to: folder.project)
    try other.write { try $0.execute(sql: sql) }
    try other.close()
    return try store.read { try $0.brokenRules() }
  }

  @Test(
    "A finding cuts a long text of another program",
    arguments: [
      "UPDATE lanePoint SET shape = LONG", "UPDATE transcript SET words = LONG",
      "UPDATE transcript SET engine = LONG", "UPDATE track SET name = LONG WHERE id = 10",
      "UPDATE track SET color = LONG WHERE id = 10",
    ])
  func audit(sql: String) throws {
    let found = try self.found(after: sql.replacing("LONG", with: Self.long))
    #expect(!found.isEmpty)
    for finding in found { #expect("\(finding.violation)".utf8.count < 5_000, "\(finding.violation.rule)") }
  }

  @Test("The error that a listing ends with cuts a long text")
  func reading() throws {
    #expect(try !found(after: "UPDATE lanePoint SET shape = \(Self.long)").isEmpty)
    let error = #expect(throws: StoreError.self) { try store.read { _ = try $0.all(LanePoint.self) } }
    let message = try #require(error).description
    #expect(message.contains("'\(String(repeating: "x", count: 60))…'") && message.utf8.count < 1_000)
  }

  @Test("What a name can be is told in full")
  func names() {
    let name = "'\(String(repeating: "é", count: 255))'"
    #expect(RuleViolation(.trackNameIsUnique, value: name, subject: "track \(name)").subject == "track \(name)")
    #expect(RuleViolation(.trackNameIsUnique, value: name).value == name)
    let longer = "'\(String(repeating: "é", count: 256))' of \(name)"
    let short = "'\(String(repeating: "é", count: 60))…' of \(name)"
    #expect(RuleViolation(.name, value: longer).value == short)
    #expect(RuleViolation(.name, value: String(repeating: "'", count: 100_000)).value.utf8.count < 10_000)
    #expect(RuleViolation(.name, value: String(repeating: "x", count: 100_000)).value.utf8.count < 10_000)
  }

  @Test("A range that cannot be is told in words")
  func range() throws {
    let found = try self.found(after: "UPDATE transcript SET startFrame = 9223372036854775807")
    #expect(
      found.map(\.violation.value) == ["the range from frame 9223372036854775807 with 48000 frames at 48000 Hz"])
  }
}
