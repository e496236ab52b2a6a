import DAWTime

/// The limits of random deviations.
public struct Humanization: Hashable, Sendable {
  /// The largest shift, in either direction.
  public var timing: TimelineDistance
  /// The largest change of velocity, in either direction.
  public var velocity: Int

  public init(timing: TimelineDistance, velocity: Int) {
    self.timing = timing
    self.velocity = velocity
  }
}

extension ChosenNotes {
  /// Shifts each note and changes its velocity at random, with a triangular distribution within the limits. Notes stay
  /// in their region and velocities within 1 … 127; a velocity of 0 stays 0.
  ///
  /// Deterministic on every machine for the same notes in the same order and the same state of the generator.
  public func humanized(
    _ amounts: Humanization, in map: TempoMap, using generator: inout SplitMix64
  ) -> NoteChanges {
    changing { note in
      // Draws two numbers for every note, so that one limit does not affect the other's deviations.
      let (timing, strike) = (generator.triangle(), generator.triangle())
      let shift = shift(timing, of: note, amounts.timing, map)
      note.start = TickCount(ticks: note.start.ticks + min(max(shift, -note.start.ticks), (length - note.end).ticks))
      guard note.velocity > 0 else { return }
      note.velocity = min(max(note.velocity + Int(chance: strike, of: Int64(amounts.velocity)), 1), 127)
    }
  }

  /// In ticks.
  private func shift(_ chance: Int64, of note: MIDINote, _ amount: TimelineDistance, _ map: TempoMap) -> Int64 {
    switch amount {
    case .musical(let ticks): return Int64(chance: chance, of: ticks.ticks)
    case .absolute(let flicks):
      let place = start + note.start
      let strayed = map.flicks(at: place) + FlickCount(flicks: Int64(chance: chance, of: flicks.flicks))
      return (map.ticks(at: strayed) - place).ticks
    }
  }
}

extension BinaryInteger {
  /// `limit` × `chance` / 2³¹, rounded to nearest.
  /// - Parameter chance: −2³¹ … 2³¹.
  fileprivate init(chance: Int64, of limit: Int64) {
    let product = Int128(chance) * Int128(limit)
    let half: Int128 = 1 << 30
    self.init((product < 0 ? product - half : product + half) / (1 << 31))
  }
}
