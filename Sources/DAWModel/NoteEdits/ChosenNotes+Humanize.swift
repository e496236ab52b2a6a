import DAWTime

/// How far notes stray from where they are.
public struct Humanization: Hashable, Sendable {
  /// At most so far, either way.
  public var timing: TimelineDistance
  /// At most so much, either way.
  public var velocity: Int

  public init(timing: TimelineDistance, velocity: Int) {
    self.timing = timing
    self.velocity = velocity
  }
}

extension ChosenNotes {
  /// Moves each note, and makes it louder or softer, by chance: small amounts more often than large ones, within the limits
  /// in a triangle. No note leaves its region, and no velocity 1 … 127; 0 stays.
  ///
  /// The same notes in the same order, with a generator in the same state, give the same on every machine.
  public func humanized(
    _ amounts: Humanization, in map: TempoMap, using generator: inout SplitMix64
  ) -> NoteChanges {
    changing { note in
      // Always as many numbers to a note, so that one amount does not change what another does.
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
  /// - Parameter chance: −2³¹ … 2³¹, for −`limit` … `limit`.
  fileprivate init(chance: Int64, of limit: Int64) {
    let product = Int128(chance) * Int128(limit)
    let half: Int128 = 1 << 30
    self.init((product < 0 ? product - half : product + half) / (1 << 31))
  }
}
