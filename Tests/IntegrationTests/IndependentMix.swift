import Foundation

/// A mix computed from a project's JSON by plain arithmetic in `Double`, written without a look at the engine: what the
/// bounce is compared with.
struct IndependentMix {
  /// Stereo, as long as the range.
  var left: [Double]
  var right: [Double]
  /// For each sample, the sum of the absolute values of all that was added up: what rounding errors grow with.
  var magnitude: [Double]
  /// Roundings that a sample can have met on its way.
  var steps: Int

  /// - Parameters:
  ///   - json: of `daw show --json`, of a project with audio in absolute time at the project's rate.
  ///   - folder: the project's.
  ///   - frames: the length of the mix, from 0 on.
  init(json: Data, folder: URL, frames: Int) throws {
    let song = try JSONDecoder().decode(IndependentSong.self, from: json)
    let routing = IndependentRouting(song)
    var files: [String: [[Double]]] = [:]
    var signals: [String: StripSignal] = [:]
    steps = 0
    for track in routing.tracksInOrder {
      var signal = StripSignal(frames: frames)
      switch track.trackType {
      case "audio": try signal.add(regionsOf: track, at: song.sampleRate, folder: folder, &files)
      case "bus", "master":
        for connection in routing.connections where connection.target == track.name {
          guard let source = signals[connection.source], routing.isOpen(connection) else { continue }
          signal.add(source, gains: routing.gains(of: connection))
          steps += 3
        }
      default: break
      }
      signal.shape(track)
      steps += 3 * track.regions.count + 12
      signals[track.name] = signal
    }
    let master = routing.master
    let balance = IndependentRouting.balance(master.pan)
    let volume = master.isMuted ? 0 : master.volume.gain
    let signal = signals[master.name] ?? StripSignal(frames: frames)
    left = signal.left.map { $0 * balance.0 * volume }
    right = signal.right.map { $0 * balance.1 * volume }
    magnitude = signal.magnitude.map { $0 * volume }
  }
}

/// What a strip gives, before its fader. The sides of a mono strip are equal.
private struct StripSignal {
  var left: [Double]
  var right: [Double]
  var magnitude: [Double]

  init(frames: Int) {
    left = [Double](repeating: 0, count: frames)
    right = left
    magnitude = left
  }

  mutating func add(_ source: StripSignal, gains: (left: Double, right: Double)) {
    let largest = max(abs(gains.left), abs(gains.right))
    for frame in left.indices {
      left[frame] += source.left[frame] * gains.left
      right[frame] += source.right[frame] * gains.right
      magnitude[frame] += source.magnitude[frame] * largest
    }
  }

  mutating func shape(_ track: IndependentSong.Strip) {
    let inverted = track.invertedSides
    let leftTrim = inverted == "left" || inverted == "both" ? -track.trim.gain : track.trim.gain
    let rightTrim = inverted == "right" || inverted == "both" ? -track.trim.gain : track.trim.gain
    for frame in left.indices {
      let l = left[frame] * leftTrim
      // A mono strip has the left side alone.
      let r = track.isMono ? l : right[frame] * rightTrim
      (left[frame], right[frame]) = (l, r)
      magnitude[frame] *= track.trim.gain
      guard !track.isMono, track.stereoWidth != 1 else { continue }
      left[frame] = (l + r) / 2 + track.stereoWidth * (l - r) / 2
      right[frame] = (l + r) / 2 - track.stereoWidth * (l - r) / 2
      magnitude[frame] *= 1 + abs(track.stereoWidth)
    }
  }

  mutating func add(
    regionsOf track: IndependentSong.Strip, at sampleRate: Int, folder: URL, _ files: inout [String: [[Double]]]
  ) throws {
    let perFrame = 705_600_000 / Double(sampleRate)
    func frame(_ flicks: Int64) -> Int { Int((Double(flicks) / perFrame).rounded(.toNearestOrEven)) }
    let heard = track.regions.filter { !$0.isMuted && $0.gain.gain > 0 }
    let layers = FadeEnvelopes(
      heard.map { region in
        let start = region.startFlicks ?? 0
        let end = start + (region.durationFlicks ?? 0)
        return .init(
          start: frame(start), end: frame(end), id: region.id,
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
      }, isCrossfading: track.overlap == "crossfade", rate: sampleRate)
    for (number, region) in heard.enumerated() {
      guard let path = region.audioFile else { continue }
      let samples = try files[path] ?? PlainWave.read(folder.appendingPathComponent(path))
      files[path] = samples
      let pair = Self.pick(region.channels ?? "all", of: samples)
      let start = Double(region.startFlicks ?? 0) / perFrame
      let offset = Double(region.audioOffsetFlicks ?? 0) / perFrame
      let length = Double(region.durationFlicks ?? 0) / perFrame
      let first = Int(start.rounded(.toNearestOrEven))
      let end = Int((start + length).rounded(.toNearestOrEven))
      let anchor = Int((start - offset).rounded(.toNearestOrEven))
      for frame in max(0, first)..<max(first, min(end, left.count)) where pair.0.indices.contains(frame - anchor) {
        let gain = region.gain.gain * layers.value(of: number, at: frame)
        left[frame] += pair.0[frame - anchor] * gain
        right[frame] += pair.1[frame - anchor] * gain
        magnitude[frame] += pair.terms[frame - anchor] * abs(region.gain.gain)
      }
    }
  }

  /// The two sides, and for each frame the size of what was added up for them: the mean of two channels that cancel each
  /// other has their rounding errors all the same.
  private static func pick(_ channels: String, of samples: [[Double]]) -> ([Double], [Double], terms: [Double]) {
    func sides(_ left: [Double], _ right: [Double]) -> ([Double], [Double], terms: [Double]) {
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
