import CFakeJack
import CJack
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWJack

@Suite struct LatencyTestTests {
  /// What comes back by a cable of this delay and level, with noise of its own.
  private func returned(_ signal: [Float], delay: Int, gain: Float, noise: Float) -> [Float] {
    var random = SeededGenerator(seed: 1)
    return signal.indices.map { index in
      let sent = index >= delay ? signal[index - delay] : 0
      return gain * sent + noise * Float.random(in: -1...1, using: &random)
    }
  }

  private func delays(_ heard: [Float], _ signal: [Float], _ rate: Int) -> [Int?] {
    signal.withUnsafeBufferPointer { sent in
      heard.withUnsafeBufferPointer { heard in
        (0..<LatencyTest.repetitions).map { LatencyTest.delay(of: $0, sent: sent, heard: heard, rate) }
      }
    }
  }

  @Test(arguments: [(0, 1), (1, -1), (777, 0.01), (3_999, -0.3)] as [(Int, Float)])
  func theDelayIsFoundAtAnyLevelAndPolarity(delay: Int, gain: Float) {
    let signal = LatencyTest.signal(8_000)
    let heard = returned(signal, delay: delay, gain: gain, noise: abs(gain) / 20)
    #expect(delays(heard, signal, 8_000) == Array(repeating: delay, count: LatencyTest.repetitions))
  }

  @Test func silenceAndForeignNoiseAreNoReturn() {
    let signal = LatencyTest.signal(8_000)
    let none = [Int?](repeating: nil, count: LatencyTest.repetitions)
    #expect(delays(signal.map { _ in 0 }, signal, 8_000) == none)
    #expect(delays(returned(signal, delay: 10, gain: 0, noise: 0.5), signal, 8_000) == none)
  }

  @Test func whatTheServerCallsIsThereUntilTheClientIsClosed() throws {
    // The real library first, as in `FakeClient`.
    _ = try? JackLibrary.shared()
    let library = JackLibrary(functions: fake_jack_functions())
    for input in ["fake:out", "nobody:out"] {
      let handle = try #require(fake_jack_client())
      func run() throws -> LatencyTest.Outcome {
        try LatencyTest.run(library, handle, output: "fake:in", input: input) {
          // Measured in part; one more cycle runs in `jack_client_close`.
          for _ in 0..<4 { fake_jack_cycle(handle, 256) }
          return true
        }
      }
      if input == "nobody:out" {
        #expect(throws: JackError.connection(port: input)) { try run() }
      } else {
        #expect(try run() == .interrupted)
      }
      #expect(fake_jack_is_closed(handle) == 1)
    }
  }

  @Test func aServerThatDoesNotCallAnyMoreIsGivenUp() throws {
    _ = try? JackLibrary.shared()
    let library = JackLibrary(functions: fake_jack_functions())
    let handle = try #require(fake_jack_client())
    var asked = 0
    #expect(throws: JackError.lost) {
      try LatencyTest.run(library, handle, output: "fake:in", input: "fake:out", patience: .milliseconds(100)) {
        asked += 1
        if asked < 4 { fake_jack_cycle(handle, 256) }
        return false
      }
    }
    #expect(asked >= 4 && fake_jack_is_closed(handle) == 1)
  }

  @Test func aServerThatCallsTooRarelyIsNotWaitedForWithoutAnEnd() throws {
    _ = try? JackLibrary.shared()
    let library = JackLibrary(functions: fake_jack_functions())
    let handle = try #require(fake_jack_client())
    var asked = 0
    // A frame each time: the noise would take a quarter of an hour.
    let outcome = try LatencyTest.run(
      library, handle, output: "fake:in", input: "fake:out", longest: .milliseconds(200)
    ) {
      asked += 1
      fake_jack_cycle(handle, 1)
      return asked == 3_000
    }
    #expect(outcome == .unsteady && fake_jack_is_closed(handle) == 1)
  }
}
