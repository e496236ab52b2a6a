import DAWTestSupport
import Foundation

/// The regions of tracks, and the files that these play.
struct IndependentRecordings {
  /// The two sides, and for each frame the size of what was added up for them: the mean of two channels that cancel
  /// each other has their rounding errors all the same.
  private typealias Sides = (left: [Double], right: [Double], magnitude: [Double])

  private let folder: URL
  private let sampleRate: Int
  /// By path: channels × frames.
  private var files: [String: [[Double]]] = [:]

  /// - Parameter folder: the project's.
  init(folder: URL, sampleRate: Int) {
    self.folder = folder
    self.sampleRate = sampleRate
  }

  mutating func add(_ track: IndependentSong.Strip, to strip: inout IndependentStrip) throws {
    let heard = track.regions.filter { !$0.isMuted && $0.gain.gain > 0 }
    let envelopes = FadeEnvelopes(
      heard.map { layer(of: $0) }, isCrossfading: track.overlap == "crossfade", rate: sampleRate)
    for (number, region) in heard.enumerated() {
      let (left, right, magnitude) = try sides(of: region)
      let start = region.startFlicks ?? 0
      let (first, end) = (frame(start), frame(start + (region.durationFlicks ?? 0)))
      let anchor = frame(start - (region.audioOffsetFlicks ?? 0))
      let gain = region.gain.gain
      for frame in first..<max(first, min(end, strip.left.count, anchor + left.count)) {
        let value = gain * envelopes.value(of: number, at: frame)
        strip.left[frame] += left[frame - anchor] * value
        strip.right[frame] += right[frame - anchor] * value
        strip.magnitude[frame] += magnitude[frame - anchor] * gain
      }
      strip.roundings += 3
    }
  }

  private func frame(_ flicks: Int64) -> Int {
    Int((Double(flicks) * Double(sampleRate) / 705_600_000).rounded(.toNearestOrEven))
  }

  private func layer(of region: IndependentSong.Span) -> FadeEnvelopes.Layer {
    let start = region.startFlicks ?? 0
    let end = start + (region.durationFlicks ?? 0)
    return FadeEnvelopes.Layer(
      start: frame(start), end: frame(end), id: region.id ?? "",
      source: "\(region.audioFile ?? "") \(region.channels ?? "") \(frame(start - (region.audioOffsetFlicks ?? 0)))",
      gain: region.gain.gain,
      fadeIn: region.fadeIn.map { ramp in
        .init(
          silent: frame(start - ramp.cutFlicks), full: frame(start - ramp.cutFlicks + ramp.durationFlicks),
          shape: ramp.shape)
      },
      fadeOut: region.fadeOut.map { ramp in
        .init(
          silent: frame(end + ramp.cutFlicks), full: frame(end + ramp.cutFlicks - ramp.durationFlicks),
          shape: ramp.shape)
      })
  }

  private mutating func sides(of region: IndependentSong.Span) throws -> Sides {
    guard let path = region.audioFile else { return ([], [], []) }
    let samples = try files[path] ?? PlainWave.read(folder.appendingPathComponent(path))
    files[path] = samples
    return Self.pick(region.channels ?? "all", of: samples)
  }

  private static func pick(_ channels: String, of samples: [[Double]]) -> Sides {
    func sides(_ left: [Double], _ right: [Double]) -> Sides {
      (left, right, zip(left, right).map { max(abs($0), abs($1)) })
    }
    switch channels {
    case "mix":
      let mean = zip(samples[0], samples[1]).map { ($0 + $1) / 2 }
      return (mean, mean, zip(samples[0], samples[1]).map { (abs($0) + abs($1)) / 2 })
    case "left": return sides(samples[0], samples[0])
    case "right": return sides(samples[1], samples[1])
    case "all": return sides(samples[0], samples[samples.count - 1])
    default:
      let numbers = channels.split(separator: ",").compactMap { Int($0) }
      return sides(samples[numbers[0] - 1], samples[(numbers.last ?? 1) - 1])
    }
  }
}
