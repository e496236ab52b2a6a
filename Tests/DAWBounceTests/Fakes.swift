import DAWBounce
import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Synchronization

/// A sink in memory.
final class MemorySink: AudioFileSink {
  let format = AudioFileFormat(
    container: .wave, encoding: .float32, sampleRate: SampleRate(hertz: 48_000), channelCount: 2)
  private(set) var left: [Float] = []
  private(set) var right: [Float] = []
  private(set) var isFinished = false
  private(set) var isCancelled = false
  private let capacity: Int

  init(capacity: Int = .max) { self.capacity = capacity }

  var frameCount: Int64 { Int64(left.count) }
  var clippedSampleCount: Int64 { 0 }

  func append(interleaved samples: UnsafePointer<Float>, frameCount: Int) throws(AudioFileWriteError) {
    for i in 0..<frameCount {
      left.append(samples[2 * i])
      right.append(samples[2 * i + 1])
    }
  }

  func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError) {
    guard left.count + frameCount <= capacity else { throw .exists(path: "/full") }
    left += UnsafeBufferPointer(start: channels[0], count: frameCount)
    right += UnsafeBufferPointer(start: channels[1], count: frameCount)
  }

  func finish() { isFinished = true }
  func cancel() { isCancelled = true }

  var bits: [[UInt32]] { DAWTestSupport.bits([left, right]) }
}

/// A decoder without a file: each sample is computed from its frame and channel.
final class FakeReader: SampleReader {
  private let source: AudioSource

  init(_ source: AudioSource) { self.source = source }

  static func sample(_ frame: FileFrame, _ channel: Int) -> Float {
    Float((frame.number &* 7_919 &+ channel &* 104_729) % 20_011) / 20_011 - 0.5
  }

  func read(from frame: FileFrame, frameCount: Int, into samples: UnsafeMutablePointer<Float>) throws(StreamError) {
    if source.path == "/broken" { throw .cutShort(path: source.path, frame: frame) }
    // Without a range or a property in it, a loop takes a tenth of the time where nothing is optimised.
    let count = source.channelCount
    var (channel, index) = (0, 0)
    while channel < count {
      index = 0
      while index < frameCount {
        samples[index * count + channel] = Self.sample(frame + index, channel)
        index += 1
      }
      channel += 1
    }
  }
}

/// An instrument with state: each frame depends on all earlier ones.
final class FakeInstrument: StreamProducer {
  private let plan: InstrumentPlan
  private var frame: TimelineFrame = 0
  private var next = 0
  private var level: Float = 0

  init(_ plan: InstrumentPlan) { self.plan = plan }

  func produce(frameCount: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
    // Up to the next event in one go, and without a property in the loop: nothing is optimised here.
    var index = 0
    while index < frameCount {
      while next < plan.events.count, plan.events[next].frame <= frame {
        level += Float(plan.events[next].data2) / 127
        next += 1
      }
      let nextEvent = next < plan.events.count ? index + (plan.events[next].frame - frame) : frameCount
      let (first, end) = (index, min(nextEvent, frameCount))
      var sounding = level
      while index < end {
        sounding *= 0.9995
        left[index] = sounding
        right[index] = -sounding
        index += 1
      }
      level = sounding
      frame += end - first
    }
  }
}

/// Four tracks that overlap, two of them instruments, 40,000 frames.
func testPlan(brokenSource: Bool = false) -> RenderPlan {
  func source(_ path: String, _ channelCount: Int) -> AudioSource {
    AudioSource(path: path, sha256: "", frameCount: 100_000, channelCount: channelCount, content: .decoded(nil))
  }
  func instrument(_ program: Int, _ events: [TimelineFrame]) -> PlannedInstrument {
    PlannedInstrument(
      trackID: Int64(program),
      plan: InstrumentPlan(
        soundFontPath: "/gm.sf2", soundFontHash: "", bank: 0, program: program, sampleRate: SampleRate(hertz: 48_000),
        events: events.map { MIDIEvent(frame: $0, status: 0x90, data1: 60, data2: UInt8($0.number / 64 % 100)) }))
  }
  return RenderPlan(
    sampleRate: SampleRate(hertz: 48_000),
    sources: [source(brokenSource ? "/broken" : "/a", 1), source("/b", 2)],
    instruments: [instrument(1, [64, 6_400, 12_800]), instrument(2, [1_280, 19_200, 38_400])],
    regions: [
      PlannedRegion(regionID: 1, source: 0, frames: 100..<30_000, anchor: -50, channels: .one(0), gain: .constant(0.3)),
      PlannedRegion(regionID: 2, source: 0, frames: 20_000..<40_000, anchor: 10, channels: .one(0)),
      PlannedRegion(regionID: 3, source: 1, frames: 5_000..<35_000, anchor: 5_000, channels: .two(0, 1)),
    ],
    steps: [
      .clear(StripID(0), buffer: 0),
      .sumRegions(StripID(1), 0..<2, into: 1, width: .mono),
      .mix(
        Connection(from: StripID(1), to: StripID(0)), 1, width: .mono, into: 0, left: .constant(0.7),
        right: .constant(0.1)),
      .playInstrument(StripID(2), 0, into: 1),
      .mix(
        Connection(from: StripID(2), to: StripID(0)), 1, width: .stereo, into: 0, left: .constant(0.2),
        right: .constant(0.9)),
      .sumRegions(StripID(3), 2..<3, into: 1, width: .stereo),
      .mix(
        Connection(from: StripID(3), to: StripID(0)), 1, width: .stereo, into: 0, left: .constant(1),
        right: .constant(1)),
      .playInstrument(StripID(4), 1, into: 1),
      .mix(
        Connection(from: StripID(4), to: StripID(0)), 1, width: .stereo, into: 0, left: .constant(0.5),
        right: .constant(0.5)),
      .output(StripID(0), buffer: 0, left: .constant(0.9), right: .constant(0.8)),
    ],
    bufferCount: 2, endFrame: 40_000)
}

let bouncer = Bouncer(
  makeProducer: { plan in FakeInstrument(plan) }, openReader: { (source) throws(StreamError) in FakeReader(source) })

/// The samples of `testPlan()` in a range.
func bounced(_ options: BounceOptions) throws -> [[UInt32]] {
  let sink = MemorySink()
  _ = try bouncer.bounce(testPlan(), to: sink, options: options)
  return sink.bits
}
