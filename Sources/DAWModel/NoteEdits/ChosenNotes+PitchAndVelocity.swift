import DAWTime

/// A change of velocities. Results are clamped to 1 … 127; a velocity of 0, which is silent, stays 0.
public enum VelocityScaling: Hashable, Sendable {
  /// Multiplies by a factor, rounds to nearest, then adds.
  case by(Percentage, adding: Int)
  /// Maps one range linearly to another; velocities outside of the first range go to the nearer end of the second.
  case mapping(from: ClosedRange<Int>, to: ClosedRange<Int>)

  func scaled(_ velocity: Int) -> Int {
    guard velocity > 0 else { return velocity }
    let scaled: Int64
    switch self {
    case .by(let factor, let more): scaled = factor.of(Int64(velocity)) + Int64(more)
    case .mapping(let from, let to):
      let width = Int64(from.upperBound - from.lowerBound)
      let inside = Int64(min(max(velocity, from.lowerBound), from.upperBound))
      let (low, high) = (Int64(to.lowerBound), Int64(to.upperBound))
      scaled =
        width == 0
        ? min(max(inside, low), high)
        : low + (2 * (inside - Int64(from.lowerBound)) * (high - low) + width) / (2 * width)
    }
    return Int(min(max(scaled, 1), 127))
  }
}

extension ChosenNotes {
  /// - Parameter semitones: upwards. Pitches may leave 0 … 127; applying the changes then fails.
  public func transposed(by semitones: Int) -> NoteChanges { changing { $0.pitch += semitones } }

  public func scalingVelocities(_ scaling: VelocityScaling) -> NoteChanges {
    changing { $0.velocity = scaling.scaled($0.velocity) }
  }
}
