import DAWErrors
import Testing

@Suite struct FailureTests {
  private struct Known: DAWError, CustomStringConvertible {
    var kind: ErrorKind { .noInput }
    var code: String { "known" }
    var description: String { "It is known." }
  }

  private struct Unknown: Error {}

  @Test func anErrorOfOursKeepsItsReport() {
    #expect(Failure(Known()) == Failure(.noInput, code: "known", "It is known."))
  }

  @Test func aFailureStaysAsItIs() {
    let failure = Failure(.io, code: "io", "The disk is gone.", hint: "Find it.")
    #expect(Failure(failure as any Error) == failure)
  }

  @Test func anyOtherErrorIsAFaultOfOurOwn() {
    let failure = Failure(Unknown())
    #expect(failure.kind == .internal && failure.code == "internal")
    #expect(failure.message.contains("Unknown"))
  }
}
