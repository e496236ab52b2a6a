import DAWEngine
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@Suite struct MIDICaptureTests {
  @discardableResult
  private func write(_ capture: MIDICapture, _ bytes: [UInt8], of input: Int = 0, at frame: HostFrame) -> Bool {
    bytes.withUnsafeBufferPointer { memory in
      guard let first = memory.baseAddress else { return false }
      return capture.write(first, count: memory.count, of: input, at: frame)
    }
  }

  /// Messages of any length through a small queue that wraps often: each is read as it was written, or is in a loss.
  @Test(arguments: 0..<20) func eachMessageIsReadOrCounted(number: Int) {
    let seed = Seed.current() &+ UInt64(number)
    var random = SeededGenerator(seed: seed)
    let capture = MIDICapture(inputCount: 3, minimumByteCount: 512)
    var (sent, read): ([CapturedMessage], [CapturedMessage]) = ([], [])
    var lost: [MIDILoss] = []
    func drain() {
      while let message = capture.read() { read.append(message) }
      while let loss = capture.readLoss() { lost.append(loss) }
    }
    for step in 0..<2_000 {
      let (input, frame) = (Int.random(in: 0..<3, using: &random), HostFrame(step / 2))
      var bytes: [UInt8] = [0x90, UInt8(step & 127), 1]
      if Int.random(in: 0..<4, using: &random) == 0 {
        let count = Int.random(in: 0...600, using: &random)
        bytes = [0xf0] + (0..<count).map { UInt8(($0 + step) & 127) } + [0xf7]
      }
      write(capture, bytes, of: input, at: frame)
      sent.append(CapturedMessage(hostFrame: frame, input: input, bytes: bytes))
      capture.reportLoss(of: input)
      if Int.random(in: 0..<8, using: &random) == 0 { drain() }
    }
    drain()
    for input in 0..<3 { capture.reportLoss(of: input) }
    drain()
    for input in 0..<3 {
      var losses = lost.filter { $0.input == input }[...]
      var left = read.filter { $0.input == input }[...]
      for message in sent where message.input == input {
        if left.first == message {
          left.removeFirst()
        } else if var loss = losses.first {
          #expect(loss.first...loss.last ~= message.hostFrame, "seed \(seed)")
          loss.count -= 1
          losses[losses.startIndex] = loss
          if loss.count == 0 { losses.removeFirst() }
        } else {
          Issue.record("seed \(seed): \(message) is neither read nor counted")
        }
      }
      #expect(left.isEmpty && losses.isEmpty, "seed \(seed)")
    }
    #expect(!lost.isEmpty && !read.isEmpty, "seed \(seed)")
  }

  @Test func aReaderOnAnotherThreadMissesNothing() {
    let capture = MIDICapture(inputCount: 1, minimumByteCount: 4_096)
    let count = 100_000
    Thread {
      for number in 0..<count {
        let bytes: [UInt8] = [0xf0] + (0..<3).map { UInt8(number >> (7 * $0) & 127) }
        let padding = [UInt8](repeating: UInt8(number & 127), count: number % 40)
        write(capture, bytes + padding + [0xf7], at: HostFrame(number))
        capture.reportLoss(of: 0)
      }
      // What could not be reported or written while the reader was late.
      while !capture.reportLoss(of: 0) { usleep(1_000) }
      while !write(capture, [0xf8], at: -1) { usleep(1_000) }
    }.start()
    var (readCount, lostCount, last) = (0, 0, -1)
    var hasEnded = false
    while !hasEnded {
      while let loss = capture.readLoss() { lostCount += loss.count }
      guard let message = capture.read() else { continue }
      hasEnded = message.bytes == [0xf8]
      guard !hasEnded else { continue }
      let number = message.hostFrame.number
      let expected: [UInt8] = [0xf0] + (0..<3).map { UInt8(number >> (7 * $0) & 127) }
      guard
        number > last,
        message.bytes == expected + [UInt8](repeating: UInt8(number & 127), count: number % 40) + [0xf7]
      else {
        Issue.record("\(message) after \(last)")
        return
      }
      (readCount, last) = (readCount + 1, number)
    }
    while let loss = capture.readLoss() { lostCount += loss.count }
    #expect(readCount + lostCount == count)
  }

  @Test func aMessageLongerThanTheQueueIsCounted() {
    let capture = MIDICapture(inputCount: 2, minimumByteCount: 64)
    write(capture, [UInt8](repeating: 0xf0, count: 1_000), of: 1, at: 5)
    write(capture, [0x90, 60, 1], of: 1, at: 7)
    write(capture, [0x90, 60, 1], of: 2, at: 7)
    write(capture, [0x90, 60, 1], of: -1, at: 7)
    capture.lose(3, of: 1, from: 2, through: 9)
    capture.reportLoss(of: 1)
    #expect(capture.read() == CapturedMessage(hostFrame: 7, input: 1, bytes: [0x90, 60, 1]))
    #expect(capture.read() == nil)
    #expect(capture.readLoss() == MIDILoss(input: 1, first: 2, last: 9, count: 4))
    #expect(capture.readLoss() == nil)
  }

  @Test func partsOfAMessageAreJoined() {
    let capture = MIDICapture(inputCount: 2)
    let parts: [(input: Int, bytes: [UInt8])] = [
      (0, [0xf0, 1, 2]), (1, [0xf0, 9]), (0, [0xf8]), (0, [3, 0xf8, 4]), (1, [8, 0xf7]), (1, [0x90, 1, 1]), (0, [0xf7]),
    ]
    for (index, part) in parts.enumerated() { write(capture, part.bytes, of: part.input, at: HostFrame(index)) }
    var read: [CapturedMessage] = []
    while let message = capture.read() { read.append(message) }
    let expected = [
      CapturedMessage(hostFrame: 2, input: 0, bytes: [0xf8]),
      CapturedMessage(hostFrame: 1, input: 1, bytes: [0xf0, 9, 8, 0xf7]),
      CapturedMessage(hostFrame: 5, input: 1, bytes: [0x90, 1, 1]),
      CapturedMessage(hostFrame: 0, input: 0, bytes: [0xf0, 1, 2, 3, 4, 0xf7]),
    ]
    #expect(read == expected)
    #expect(capture.readLoss() == nil)
  }

  @Test func aMessageThatDoesNotComeWholeIsCountedOnce() {
    let capture = MIDICapture(inputCount: 1)
    // A rest without its beginning; one cut by a note; one cut by the next.
    let parts: [[UInt8]] = [
      [9], [8, 0xf7], [0xf0, 1], [0x90, 60, 1], [2, 3], [4], [5, 0xf7], [0xf0, 6], [0xf0, 7, 0xf7], [0xf0, 8],
    ]
    for (index, part) in parts.enumerated() { write(capture, part, at: HostFrame(index)) }
    // A part of the last one is lost, so that its rest is not the rest of it.
    capture.lose(1, of: 0, from: 10, through: 10)
    write(capture, [10, 0xf7], at: 11)
    write(capture, [0xf0, 11, 0xf7], at: 12)
    capture.reportLoss(of: 0)
    var read: [[UInt8]] = []
    while let message = capture.read() { read.append(message.bytes) }
    #expect(read == [[0x90, 60, 1], [0xf0, 7, 0xf7], [0xf0, 11, 0xf7]])
    var lost: [HostFrame] = []
    while let loss = capture.readLoss() {
      #expect(loss.count == 1)
      lost.append(loss.first)
    }
    #expect(lost == [10, 0, 2, 7])
  }

  @Test func anEndlessMessageIsCountedOnceAndTakesNoMoreMemory() {
    var joiner = ExclusiveJoiner()
    func part(_ bytes: [UInt8]) -> CapturedMessage { CapturedMessage(hostFrame: 3, input: 0, bytes: bytes) }
    #expect(joiner.join(part([0xf0]), by: 0) == nil)
    for _ in 0..<2_000 { #expect(joiner.join(part([UInt8](repeating: 1, count: 1_024)), by: 0) == nil) }
    #expect(joiner.join(part([0xf7]), by: 0) == nil)
    #expect(joiner.join(part([0xf0, 1, 0xf7]), by: 0)?.bytes == [0xf0, 1, 0xf7])
    #expect(joiner.takeLoss() == MIDILoss(input: 0, first: 3, last: 3, count: 1))
    #expect(joiner.takeLoss() == nil)
  }
}
