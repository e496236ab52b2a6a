/// What joins the musical and the absolute clock: where the tempo and the meter change.
public struct TempoMap: Hashable, Sendable {
  let tempo: Tempo
  let timeSignature: TimeSignature

  /// One tempo and one meter throughout.
  public init(tempo: Tempo, timeSignature: TimeSignature) {
    self.tempo = tempo
    self.timeSignature = timeSignature
  }

  /// Where a tick lies on the absolute timeline: the nearest flick, ties to even.
  public func flicks(at position: TickPosition) -> FlickPosition {
    let numerator = Int128(position.ticks) * 60 * Int128(FlickCount.perSecond) * Int128(Tempo.nanoPerBPM)
    let denominator = Int128(tempo.nanoBPM) * Int128(TickCount.perQuarter)
    return FlickPosition(flicks: Int64((2 * numerator + denominator) / (2 * denominator)))
  }

  /// The tick that lies nearest to a flick, ties to the earlier one.
  public func ticks(at position: FlickPosition) -> TickPosition {
    let numerator = Int128(position.flicks) * Int128(tempo.nanoBPM) * Int128(TickCount.perQuarter)
    let denominator = 60 * Int128(FlickCount.perSecond) * Int128(Tempo.nanoPerBPM)
    return TickPosition(ticks: Int64((2 * numerator + denominator) / (2 * denominator)))
  }

  public func flicks(at position: TimelinePosition) -> FlickPosition {
    switch position {
    case .musical(let ticks): flicks(at: ticks)
    case .absolute(let flicks): flicks
    }
  }

  public func ticks(at position: TimelinePosition) -> TickPosition {
    switch position {
    case .musical(let ticks): ticks
    case .absolute(let flicks): ticks(at: flicks)
    }
  }
}
