import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation

/// Plans over a few slow sines, long enough for a whole test. The sources have no jumps, so a jump in the output is the
/// engine's.
final class SineMix {
  let sources: [AudioSource]
  let frameCount: Int
  private let folder: TemporaryFolder

  /// A description of a plan; an edit changes it.
  struct Song: Equatable {
    var tracks: [Track] = []
    var masterGain: Float = 1

    struct Track: Equatable {
      var id: Int64
      var left: Float = 1
      var right: Float = 1
      var isMuted = false
      var regions: [Region] = []
    }

    struct Region: Equatable {
      var id: Int64
      var source: Int
      /// Frames into the source.
      var offset = 0
      var gain: Float = 1
      var frames: Range<TimelineFrame>?
    }
  }

  /// - Parameter hertz: the frequency of each mono source.
  init(frameCount: Int, hertz: [Double], amplitude: Double = 0.1) throws {
    self.frameCount = frameCount
    folder = try TemporaryFolder()
    var sources: [AudioSource] = []
    let length = frameCount + 20_000
    for (index, frequency) in hertz.enumerated() {
      let samples = Signal.sine(frequency: frequency, rate: 48_000, frames: length, amplitude: amplitude)
      let path = folder.path("\(index).raw")
      try samples.withUnsafeBytes { try Data($0).write(to: URL(filePath: path)) }
      sources.append(
        AudioSource(
          path: path, sha256: "", frameCount: Int64(length), channelCount: 1,
          content: .plain(PCMLayout(dataOffset: 0, encoding: .float32, channelCount: 1))))
    }
    self.sources = sources
  }

  func plan(_ song: Song, directOuts: Bool = false, clicks: [Click] = []) -> RenderPlan {
    var plan = RenderPlan(
      sampleRate: SampleRate(hertz: 48_000), sources: sources, instruments: [], regions: [],
      steps: [.clear(StripID(0), buffer: 0)],
      bufferCount: 2, endFrame: frames.upperBound, clicks: clicks)
    for track in song.tracks where !track.isMuted {
      let first = plan.regions.count
      for region in track.regions {
        plan.regions.append(
          PlannedRegion(
            regionID: region.id, source: region.source, frames: region.frames ?? frames, anchor: anchor(of: region),
            channels: .one(0), gain: .constant(region.gain)))
      }
      let (strip, direct) = (StripID(track.id), StripID(track.id, .directOut))
      plan.steps += [
        .sumRegions(strip, first..<plan.regions.count, into: 1, width: .mono),
        .mix(
          Connection(from: strip, to: StripID(0)), 1, width: .mono, into: 0, left: .constant(track.left),
          right: .constant(track.right)),
      ]
      if directOuts {
        plan.steps += [
          .clear(direct, buffer: plan.bufferCount),
          .mix(
            Connection(from: strip, to: direct), 1, width: .mono, into: plan.bufferCount, left: .constant(track.left),
            right: .constant(track.right)),
        ]
        plan.directOuts.append(DirectOut(trackID: track.id, buffer: plan.bufferCount))
        plan.bufferCount += 1
      }
    }
    plan.steps.append(
      .output(StripID(0), buffer: 0, left: .constant(song.masterGain), right: .constant(song.masterGain)))
    plan.directOuts.sort { $0.trackID < $1.trackID }
    return plan
  }

  /// All frames of a plan.
  var frames: Range<TimelineFrame> { 0..<TimelineFrame(frameCount) }

  func anchor(of region: Song.Region) -> TimelineFrame { TimelineFrame(-region.offset) }

  /// The samples of each source.
  func samples() throws -> [[Float]] {
    try sources.map { source in
      try Data(contentsOf: URL(filePath: source.path)).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
  }

  /// A track with one region for each source.
  func song() -> Song {
    Song(
      tracks: sources.indices.map { index in
        Song.Track(
          id: Int64(index), left: 0.7, right: 0.5, regions: [Song.Region(id: Int64(100 + index), source: index)])
      })
  }
}

/// A plan's bounce.
func bounced(_ plan: RenderPlan, from first: TimelineFrame = 0, _ frameCount: Int) throws -> [[Float]] {
  let streams = DirectStreams(
    plan,
    instruments: RenderedAhead(
      plan.instruments.map(\.plan), blockFrames: 1_024, blocksAhead: 1 + (first.number + frameCount) / 1_024
    ) { PulseInstrument($0.events) })
  let feeder = DirectFeeder(streams, maximumFrames: 1_024)
  var left = [Float](repeating: .nan, count: frameCount)
  var right = left
  try feeder.render(frame: first, left: &left, right: &right, frameCount: frameCount)
  return [left, right]
}

/// A test instrument: a decaying level for each sounding key, changed at quanta of 64 frames. It records the events
/// sent to it.
final class PulseInstrument: EventPlayer {
  private var events: [MIDIEvent]
  private var next = 0
  private var frame: TimelineFrame = 0
  private var sounding: [UInt8: TimelineFrame] = [:]
  private let told: (@Sendable (MIDIEvent) -> Void)?

  init(_ events: [MIDIEvent], told: (@Sendable (MIDIEvent) -> Void)? = nil) {
    self.events = events
    self.told = told
  }

  func play(_ event: MIDIEvent) {
    events.append(event)
    told?(event)
  }

  func produce(frameCount: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
    for i in 0..<frameCount {
      if frame == frame.roundedDown(to: 64) {
        while next < events.count, events[next].frame <= frame {
          let event = events[next]
          if event.beginsNote { sounding[event.data1] = frame }
          if event.endsNote { sounding[event.data1] = nil }
          next += 1
        }
      }
      var value: Float = 0
      for (key, begin) in sounding.sorted(by: { $0.key < $1.key }) {
        value += Float(key) / (1_000 + Float(frame - begin))
      }
      left[i] = value
      right[i] = -value
      frame += 1
    }
  }
}
