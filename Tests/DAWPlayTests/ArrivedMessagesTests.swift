import DAWEngine
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWPlay

@Suite struct ArrivedMessagesTests {
  /// Frames of a few hundred, so that several messages share one.
  private func arrive(
    _ count: Int, from first: Int, _ random: inout SeededGenerator, into captures: [MIDICapture]
  ) -> [CapturedMessage] {
    var sent: [CapturedMessage] = []
    for number in 0..<count {
      let place = Int.random(in: captures.indices, using: &random)
      let input = Int.random(in: 0..<captures[place].inputCount, using: &random)
      // Some come late, as one does that came in parts.
      let frame = HostFrame(first + number - Int.random(in: 0...3, using: &random))
      let bytes: [UInt8] = [0x90, UInt8(number % 128), UInt8(number / 128)]
      let isWritten = captures[place].write(bytes, count: bytes.count, of: input, at: frame)
      #expect(isWritten)
      let before = captures[..<place].reduce(0) { $0 + $1.inputCount }
      sent.append(CapturedMessage(hostFrame: frame, input: before + input, bytes: bytes))
    }
    return sent
  }

  @Test func aRunHasItsMessagesInTheOrderOfTheirFrames() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let captures = [MIDICapture(inputCount: 2), MIDICapture(inputCount: 1)]
    var arrived = ArrivedMessages()
    var all: [CapturedMessage] = []
    for round in 0..<40 {
      all += arrive(100, from: 100 * round, &random, into: captures)
      let losses = arrived.read(captures, notBefore: nil)
      #expect(losses.isEmpty)
      let end = 100 * round + 50
      let frames = HostFrame(Int.random(in: max(0, end - 700)...end, using: &random))..<HostFrame(end)
      for input in 0..<4 {
        // What one input brings at one frame stays in the order in which it came.
        let expected = all.enumerated()
          .filter { $0.element.input == input && frames.contains($0.element.hostFrame) }
          .sorted { ($0.element.hostFrame, $0.offset) < ($1.element.hostFrame, $1.offset) }.map(\.element)
        #expect(
          arrived.messages(of: input, in: frames) == expected, "seed \(seed), round \(round), input \(input)")
      }
      // Of what may still be asked for nothing is forgotten.
      arrived.forget(before: HostFrame(end - 600))
    }
    #expect(!arrived.messages(of: 0, in: 3_400..<4_000).isEmpty)
    arrived.forget(before: 4_000)
    #expect((0..<3).allSatisfy { arrived.messages(of: $0, in: 0..<4_000).isEmpty })
  }

  /// A server that runs ahead of a late client has counted its next cycle when the client asks for the frame of its own.
  @Test(arguments: [false, true])
  func messagesOfACycleThatWasMisreadAreWhereTheyCame(isReadMeanwhile: Bool) throws {
    let other = MIDICapture(inputCount: 1)
    let capture = MIDICapture(inputCount: 2)
    var arrived = ArrivedMessages()
    // The second of these cycles began at 100.
    for (cycle, frames) in [(0, [10]), (200, [210, 299]), (200, [205, 250]), (300, [301])] {
      capture.begin(at: HostFrame(cycle), frameCount: 100)
      for frame in frames {
        for source in [capture, other] { source.write([0x90, 60, 1], count: 3, of: 0, at: HostFrame(frame)) }
      }
      if isReadMeanwhile { #expect(arrived.read([other, capture], notBefore: 0).isEmpty) }
    }
    #expect(arrived.read([other, capture], notBefore: 0).isEmpty)
    let frames = (0..<3).map { arrived.messages(of: $0, in: 0..<400).map(\.hostFrame.number) }
    // Those of another queue stay.
    #expect(frames == [[10, 205, 210, 250, 299, 301], [10, 110, 199, 205, 250, 301], []])
  }

  @Test func ofAnotherServersMessagesNoneIsLeft() throws {
    let captures = [MIDICapture(inputCount: 1)]
    var arrived = ArrivedMessages()
    let isWritten = captures[0].write([0x90, 60, 1], count: 3, of: 0, at: 500)
    #expect(isWritten)
    _ = arrived.read(captures, notBefore: 600)
    // One that is late is put where the next frames are.
    #expect(arrived.messages(of: 0, in: 600..<601).map(\.bytes) == [[0x90, 60, 1]])
    arrived.forgetAll()
    #expect(arrived.messages(of: 0, in: 0..<1_000).isEmpty)
  }

  @Test func whatIsOfNoFrameThatCanHaveComeIsLeftOut() throws {
    let capture = MIDICapture(inputCount: 1)
    var arrived = ArrivedMessages()
    for frame in [9_000, 100, 200, 201] as [HostFrame] {
      let isWritten = capture.write([0x90, 60, 1], count: 3, of: 0, at: frame)
      #expect(isWritten)
    }
    capture.lose(2, of: 0, from: 9_001, through: 9_002)
    capture.reportLoss(of: 0)
    #expect(arrived.read([capture], notBefore: nil, notAfter: 200).isEmpty)
    #expect(arrived.messages(of: 0, in: 0..<10_000).map(\.hostFrame) == [100, 200])
  }

  /// A recording of days would otherwise have millions of them.
  @Test func whatNoRegionHoldsIsLeftOut() throws {
    let captures = [MIDICapture(inputCount: 1)]
    var arrived = ArrivedMessages()
    let held: [[UInt8]] = [[0x80, 60, 0], [0xf0, 1, 0xf7], [0xef, 0, 64]]
    for bytes in [[0xf8], held[0], [0xfe], [0xf1, 3], held[1], [0xf2, 1, 2], [0xfa], held[2], [0xff]] as [[UInt8]] {
      let isWritten = captures[0].write(bytes, count: bytes.count, of: 0, at: 500)
      #expect(isWritten)
    }
    #expect(arrived.read(captures, notBefore: nil).isEmpty)
    #expect(arrived.messages(of: 0, in: 0..<1_000).map(\.bytes) == held)
  }
}
