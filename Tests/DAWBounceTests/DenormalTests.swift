import DAWBounce
import DAWEngine
import DAWRealtime
import DAWTime
import Testing

/// A file of numbers around the smallest normal float.
private final class DenormalReader: SampleReader {
  private let source: AudioSource

  init(_ source: AudioSource) { self.source = source }

  func read(from frame: FileFrame, frameCount: Int, into samples: UnsafeMutablePointer<Float>) {
    for i in 0..<frameCount * source.channelCount {
      let place = UInt32(truncatingIfNeeded: frame.number * source.channelCount + i)
      // Every third number becomes denormal only when multiplied.
      samples[i] = place % 3 == 0 ? 1.2e-38 * Float(place % 7) : Float(bitPattern: place &* 7_919 % 0x80_0000)
    }
  }
}

@Suite("Denormal numbers")
struct DenormalTests {
  private func bounce(_ options: BounceOptions) throws -> [[UInt32]] {
    let sink = MemorySink()
    let bouncer = Bouncer(
      makeProducer: { FakeInstrument($0) }, openReader: { (source) throws(StreamError) in DenormalReader(source) })
    var plan = testPlan()
    for index in plan.instruments.indices { plan.instruments[index].plan.events = [] }
    _ = try bouncer.bounce(plan, to: sink, options: options)
    return sink.bits
  }

  @Test("The bits do not depend on the calling thread's denormal flags", arguments: [1, 2], Instructions.allCases)
  func flags(threadCount: Int, instructions: Instructions) throws {
    let options = BounceOptions(
      range: 0..<12_000, blockFrames: 1_000, threadCount: threadCount, instructions: instructions)
    let expected = try bounce(BounceOptions(range: 0..<12_000))
    let kept = DenormalFlags.keep()
    let withDenormals = try bounce(options)
    kept.restore()
    let flushed = DenormalFlags.flush()
    let withoutDenormals = try bounce(options)
    flushed.restore()
    #expect(withDenormals == expected)
    #expect(withoutDenormals == expected)
    // Normal numbers are audible, and no output is denormal.
    #expect(expected[0].contains { $0 != 0 })
    #expect(expected.allSatisfy { $0.allSatisfy { $0 == 0 || Float(bitPattern: $0).isNormal } })
  }
}
