import DAWTestSupport
import Foundation

/// A number for each frame of a mix.
struct Course {
  private var constant = 1.0
  /// Empty where it is the same throughout.
  private var values: [Double] = []

  init(_ constant: Double) { self.constant = constant }
  init(_ values: [Double]) { self.values = values }

  subscript(frame: Int) -> Double { values.isEmpty ? constant : values[frame] }

  static func * (a: Course, b: Course) -> Course {
    if a.values.isEmpty { return b.times(a.constant) }
    if b.values.isEmpty { return a.times(b.constant) }
    return Course(zip(a.values, b.values).map { $0 * $1 })
  }

  private func times(_ factor: Double) -> Course {
    if values.isEmpty { return Course(constant * factor) }
    return factor == 1 ? self : Course(values.map { $0 * factor })
  }
}

/// The gains of both sides.
struct SideGains {
  var left: Course
  var right: Course

  static func * (gains: SideGains, factor: Course) -> SideGains {
    SideGains(left: gains.left * factor, right: gains.right * factor)
  }
}

/// The lanes of a song over the frames of a mix.
struct IndependentLanes {
  private let frames: Int
  private let clock: Clock

  init(_ song: IndependentSong, frames: Int) {
    self.frames = frames
    clock = Clock(song)
  }

  /// The lane of a parameter; `nil` if there is none that is read.
  func course(_ parameter: String, _ lanes: [IndependentSong.Lane]?, in unit: ReferenceLane.Unit) -> Course? {
    guard let lane = lanes?.first(where: { $0.parameter == parameter && $0.isRead }), !lane.points.isEmpty else {
      return nil
    }
    let points = lane.points.map { point in
      ReferenceLane.Point(frame: clock.frame(of: point), value: point.value.value, shape: point.shape)
    }
    return Course(ReferenceLane(points).values(0..<frames, in: unit))
  }

  func level(
    _ parameter: String, _ lanes: [IndependentSong.Lane]?, or level: IndependentSong.Decibels
  ) -> Course {
    course(parameter, lanes, in: .level) ?? Course(level.gain)
  }

  /// 0 where it is muted, else 1.
  func gate(_ lanes: [IndependentSong.Lane]?, or isMuted: Bool) -> Course {
    course("mute", lanes, in: .mute) ?? Course(isMuted ? 0 : 1)
  }

  /// From ticks and flicks to frames.
  private struct Clock {
    private let perFrame: Double
    private let tempos: [IndependentSong.Tempo]

    init(_ song: IndependentSong) {
      perFrame = 705_600_000 / Double(song.sampleRate)
      tempos = song.tempoMap.tempos
    }

    private func flicks(at ticks: Int64) -> Double {
      tempos.indices.reduce(0) { sum, place in
        let tempo = tempos[place]
        let next = place + 1 < tempos.count ? tempos[place + 1] : nil
        guard tempo.startTicks < ticks else { return sum }
        let distance = Double(min(ticks, next?.startTicks ?? ticks) - tempo.startTicks)
        // A tick at 1 BPM.
        let tick = 60 * 705_600_000.0 / 15_360
        guard let next, tempo.isRamp, next.bpm != tempo.bpm else { return sum + distance * tick / tempo.bpm }
        // The tempo goes straight over ticks, and time is the integral of 1 ÷ tempo.
        let slope = (next.bpm - tempo.bpm) / Double(next.startTicks - tempo.startTicks)
        return sum + tick / slope * log((tempo.bpm + slope * distance) / tempo.bpm)
      }
    }

    /// The nearest, ties to even; ticks by way of the nearest flick.
    func frame(of point: IndependentSong.Point) -> Int {
      let flicks = point.startFlicks.map(Double.init) ?? flicks(at: point.startTicks ?? 0).rounded()
      return Int((flicks / perFrame).rounded(.toNearestOrEven))
    }
  }
}
