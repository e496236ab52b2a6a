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

  private struct Song: Decodable {
    var sampleRate: Int
    var panLaw: String
    var tracks: [Strip]
  }

  private struct Strip: Decodable {
    var trackType: String
    var channelCount: Int?
    var volume: Decibels
    var pan: Double
    var isMuted: Bool
    var isSolo: Bool
    var overlap: String
    var regions: [Span]
  }

  private struct Ramp: Decodable {
    var durationFlicks: Int64
    var cutFlicks: Int64
    var shape: String
  }

  private struct Span: Decodable {
    var startFlicks: Int64?
    var startTime: Double
    var durationFlicks: Int64?
    var audioOffsetFlicks: Int64?
    var audioFile: String?
    var channels: String?
    var gain: Decibels
    var isMuted: Bool
    var fadeIn: Ramp?
    var fadeOut: Ramp?
    var id: String
  }

  private struct Decibels: Decodable {
    var gain: Double

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let value = try? container.decode(Double.self) {
        gain = value == 0 ? 1 : Foundation.pow(10, value / 20)
      } else {
        gain = 0
      }
    }
  }

  /// - Parameters:
  ///   - json: of `daw show --json`, of a project with audio in absolute time at the project's rate.
  ///   - folder: the project's.
  ///   - frames: the length of the mix, from 0 on.
  init(json: Data, folder: URL, frames: Int) throws {
    let song = try JSONDecoder().decode(Song.self, from: json)
    left = [Double](repeating: 0, count: frames)
    right = left
    magnitude = left
    steps = 8
    let anySolo = song.tracks.contains { $0.isSolo && $0.trackType != "master" }
    var files: [String: [[Double]]] = [:]
    for track in song.tracks where track.trackType == "audio" {
      guard anySolo ? track.isSolo : !track.isMuted else { continue }
      let gains = Self.sides(track, law: song.panLaw)
      let heard = track.regions.filter { !$0.isMuted && $0.gain.gain > 0 }
      let layers = FadeEnvelopes(
        heard.map { region in
          let perFrame = 705_600_000 / Double(song.sampleRate)
          func frame(_ flicks: Int64) -> Int { Int((Double(flicks) / perFrame).rounded(.toNearestOrEven)) }
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
        }, isCrossfading: track.overlap == "crossfade", rate: song.sampleRate)
      for (number, region) in heard.enumerated() {
        guard let path = region.audioFile else { continue }
        let samples = try files[path] ?? PlainWave.read(folder.appendingPathComponent(path))
        files[path] = samples
        let pair = Self.pick(region.channels ?? "all", of: samples)
        let perFrame = 705_600_000 / Double(song.sampleRate)
        let start = Double(region.startFlicks ?? 0) / perFrame
        let offset = Double(region.audioOffsetFlicks ?? 0) / perFrame
        let length = Double(region.durationFlicks ?? 0) / perFrame
        let first = Int(start.rounded(.toNearestOrEven))
        let end = Int((start + length).rounded(.toNearestOrEven))
        let anchor = Int((start - offset).rounded(.toNearestOrEven))
        for frame in max(0, first)..<max(first, min(end, frames)) where pair.0.indices.contains(frame - anchor) {
          let fade = layers.value(of: number, at: frame)
          let l = pair.0[frame - anchor] * region.gain.gain * fade * gains.0
          let r = pair.1[frame - anchor] * region.gain.gain * fade * gains.1
          left[frame] += l
          right[frame] += r
          magnitude[frame] += pair.terms[frame - anchor] * abs(region.gain.gain) * max(abs(gains.0), abs(gains.1))
        }
        steps += 3
      }
      steps += 2
    }
    guard let master = song.tracks.last, master.trackType == "master" else { return }
    let balance = Self.balance(master.pan)
    let volume = master.isMuted ? 0 : master.volume.gain
    for frame in 0..<frames {
      left[frame] *= balance.0 * volume
      right[frame] *= balance.1 * volume
      magnitude[frame] *= volume
    }
  }

  private static func sides(_ track: Strip, law: String) -> (Double, Double) {
    let volume = track.volume.gain
    if track.channelCount == 2 {
      let balance = balance(track.pan)
      return (volume * balance.0, volume * balance.1)
    }
    let angle = Double.pi / 4 * (1 + track.pan)
    let power = (Foundation.cos(angle), Foundation.sin(angle))
    let line = ((1 - track.pan) / 2, (1 + track.pan) / 2)
    switch law {
    case "constantPowerMinus3dB": return (volume * power.0, volume * power.1)
    case "linearMinus6dB": return (volume * line.0, volume * line.1)
    case "compromiseMinus4_5dB":
      return (volume * (max(0, power.0) * line.0).squareRoot(), volume * (power.1 * line.1).squareRoot())
    default: return (volume * min(1, 1 - track.pan), volume * min(1, 1 + track.pan))
    }
  }

  private static func balance(_ pan: Double) -> (Double, Double) { (min(1, 1 - pan), min(1, 1 + pan)) }

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

/// Reads and writes plain WAV, without the project's own code.
enum PlainWave {
  enum Problem: Error { case notPlain(String) }

  /// - Returns: channels × frames, full scale ±1.
  static func read(_ url: URL) throws -> [[Double]] {
    let bytes = [UInt8](try Data(contentsOf: url))
    func number(_ offset: Int, _ count: Int) -> Int {
      var value = 0
      for place in 0..<count { value |= Int(bytes[offset + place]) << (8 * place) }
      return value
    }
    guard bytes.count > 12, String(decoding: bytes[8..<12], as: UTF8.self) == "WAVE" else {
      throw Problem.notPlain("no WAVE")
    }
    var offset = 12
    var format = (tag: 0, channels: 0, bits: 0)
    while offset + 8 <= bytes.count {
      let name = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
      let size = number(offset + 4, 4)
      let body = offset + 8
      if name == "fmt " {
        format = (number(body, 2), number(body + 2, 2), number(body + 14, 2))
        if format.tag == 0xfffe { format.tag = number(body + 24, 2) }
      } else if name == "data" {
        let width = format.bits / 8
        let frames = min(size, bytes.count - body) / (width * format.channels)
        return (0..<format.channels).map { channel in
          (0..<frames).map { frame in
            let place = body + (frame * format.channels + channel) * width
            switch (format.tag, format.bits) {
            case (3, 32): return Double(Float(bitPattern: UInt32(number(place, 4))))
            case (3, 64): return Double(bitPattern: UInt64(bitPattern: Int64(number(place, 8))))
            default:
              let raw = number(place, width)
              let signed = raw >= 1 << (format.bits - 1) ? raw - 1 << format.bits : raw
              return Double(signed) / Double(1 << (format.bits - 1))
            }
          }
        }
      }
      offset = body + size + size % 2
    }
    throw Problem.notPlain("no data")
  }

  /// - Parameter channels: channels × frames of whole numbers in the range of `bits`.
  static func write(_ channels: [[Int]], bits: Int, rate: Int, to url: URL) throws {
    let width = bits / 8
    let frames = channels[0].count
    let size = frames * channels.count * width
    var bytes: [UInt8] = []
    func add(_ text: String) { bytes += Array(text.utf8) }
    func add(_ value: Int, _ count: Int) {
      for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place))) }
    }
    add("RIFF")
    add(36 + size + size % 2, 4)
    add("WAVEfmt ")
    add(16, 4)
    add(1, 2)
    add(channels.count, 2)
    add(rate, 4)
    add(rate * channels.count * width, 4)
    add(channels.count * width, 2)
    add(bits, 2)
    add("data")
    add(size, 4)
    for frame in 0..<frames { for channel in channels { add(channel[frame], width) } }
    if size % 2 == 1 { bytes.append(0) }
    try Data(bytes).write(to: url)
  }
}
