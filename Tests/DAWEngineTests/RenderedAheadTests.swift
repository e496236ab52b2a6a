import DAWTime
import Testing

@testable import DAWEngine

private func rendered(blocksAhead: Int) -> RenderedAhead {
  let instrument = InstrumentPlan(
    soundFontPath: "", soundFontHash: "", bank: 0, program: 0, sampleRate: SampleRate(hertz: 48_000),
    events: [MIDIEvent(frame: 0, status: 0x90, data1: 60, data2: 100)])
  return RenderedAhead([instrument], blockFrames: 64, blocksAhead: blocksAhead) {
    PulseInstrument($0.events)
  }
}

@Test func rendersBlockByBlock() throws {
  let ahead = rendered(blocksAhead: 2)
  let instrument = PulseInstrument([MIDIEvent(frame: 0, status: 0x90, data1: 60, data2: 100)])
  for block in 0..<8 {
    var (left, right) = ([Float](repeating: 0, count: 64), [Float](repeating: 0, count: 64))
    instrument.produce(frameCount: 64, left: &left, right: &right)
    try ahead.withFrames(of: 0, from: TimelineFrame(64 * block), atMost: 64) { samples, _, count in
      #expect(Array(UnsafeBufferPointer(start: samples, count: count)) == left)
    }
    ahead.release(before: block + 1)
  }
}

@Test func aBlockTooFarAheadFailsInsteadOfWaitingForever() throws {
  let ahead = rendered(blocksAhead: 2)
  #expect(throws: StreamError.tooFarAhead(frame: 128)) {
    try ahead.withFrames(of: 0, from: 128, atMost: 64) { _, _, _ in }
  }
  // The other blocks are still available.
  try ahead.withFrames(of: 0, from: 64, atMost: 64) { samples, _, _ in #expect(samples[63] > 0) }
}
