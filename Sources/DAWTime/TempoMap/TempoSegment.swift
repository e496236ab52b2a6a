/// A segment of a tempo map, from one change of tempo to the next.
struct TempoSegment: Hashable, Sendable {
  let startTick: Int64
  let startFlick: Int64
  private let course: Course

  private enum Course: Hashable, Sendable {
    case constant(flicksPerTick: ExactRatio, ticksPerFlick: ExactRatio)
    case ramp(TempoRamp)
  }

  init(startTick: Int64, startFlick: Int64, tempo: Tempo) {
    self.startTick = startTick
    self.startFlick = startFlick
    let flicksPerTick = ExactRatio(Tempo.nanoFlicksPerTickAtOneBPM, over: tempo.nanoBPM)
    course = .constant(flicksPerTick: flicksPerTick, ticksPerFlick: flicksPerTick.inverse)
  }

  init(startTick: Int64, startFlick: Int64, ramp: TempoRamp) {
    self.startTick = startTick
    self.startFlick = startFlick
    course = .ramp(ramp)
  }

  /// - Parameter tick: not before the segment, unless its tempo is constant.
  func flicks(at tick: Int64) -> Int64 {
    switch course {
    case .constant(let flicksPerTick, _): startFlick + flicksPerTick.scaling(tick - startTick)
    case .ramp(let ramp): startFlick + ramp.flicks(at: tick - startTick)
    }
  }

  /// The nearest tick.
  /// - Parameter flick: not before the segment, unless its tempo is constant.
  func ticks(at flick: Int64) -> Int64 {
    switch course {
    case .constant(_, let ticksPerFlick): startTick + ticksPerFlick.scaling(flick - startFlick)
    case .ramp(let ramp): startTick + ramp.ticks(at: flick - startFlick)
    }
  }
}

extension Tempo {
  /// At 1 BPM a tick lasts 60 s / 15,360 = 2,756,250 flicks; here in the unit of `nanoBPM`.
  static let nanoFlicksPerTickAtOneBPM: Int64 = 60 * FlickCount.perSecond / TickCount.perQuarter * nanoPerBPM
}
