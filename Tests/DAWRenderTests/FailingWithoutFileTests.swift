import DAWErrors
import Testing

@testable import DAWRender

@Suite("Errors of what makes no file")
struct FailingWithoutFileTests {
  @Test(
    "They do not end with the sentence that nothing was written, and are as they were else",
    arguments: [
      ("There is nothing. Nothing was written.", "There is nothing."), ("Interrupted.", "Interrupted."),
      ("Nothing was written. Make room.", "Nothing was written. Make room."),
    ])
  func lastSentence(message: String, expected: String) {
    let failure = #expect(throws: Failure.self) {
      try failingWithoutFile { () throws -> Void in
        throw Failure(.noInput, code: "fileNotFound", message, hint: "Put it back.")
      }
    }
    #expect(failure == Failure(.noInput, code: "fileNotFound", expected, hint: "Put it back."))
  }

  @Test("What is no failure becomes one, and a value is given on")
  func others() throws {
    struct Other: Error {}
    let failure = #expect(throws: Failure.self) { try failingWithoutFile { () throws -> Void in throw Other() } }
    #expect(failure?.code == "internal")
    #expect(try failingWithoutFile { 7 } == 7)
  }
}
