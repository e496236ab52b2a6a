/// A moving average with the weights of a raised cosine, in a time that does not depend on its length.
///
/// Beside the sum S of the last `length` values it keeps their sums A and B with the cosine and sine of
/// 2π × number ÷ length, so that the weights 1 − cos(2π (i + ½) ÷ length), i frames back, give
/// (S − A cos φ − B sin φ) ÷ length. Where all values are 0, so are the sums: exactly.
struct RaisedCosine {
  private let length: Int
  /// For each place in a period: cosine and sine, then those half a frame later.
  private let waves: UnsafeMutablePointer<SIMD4<Double>>
  /// The last values.
  private let memory: UnsafeMutablePointer<Double>
  private var index = 0
  /// Frames since the last value above 0; at most `length`.
  private var rest: Int
  private var sum = 0.0
  private var cosineSum = 0.0
  private var sineSum = 0.0

  /// - Parameter length: at least 2.
  init(length: Int) {
    self.length = length
    rest = length
    waves = .filled(with: .zero, count: length)
    memory = .filled(with: 0, count: length)
    for place in 0..<length {
      func wave(_ turns: Double) -> (Double, Double) {
        // The sine is the cosine a quarter turn before.
        let turns = turns - turns.rounded(.down)
        return (cosine(ofTurns: turns), cosine(ofTurns: turns < 0.25 ? turns + 0.75 : turns - 0.25))
      }
      let (now, later) = (wave(Double(place) / Double(length)), wave((Double(place) + 0.5) / Double(length)))
      waves[place] = SIMD4(now.0, now.1, later.0, later.1)
    }
  }

  func free() {
    waves.deallocate()
    memory.deallocate()
  }

  @_noLocks mutating func reset() {
    rest = length
    index = 0
  }

  /// Takes a value ≥ 0.
  /// - Returns: the average; exactly 0 if the last `length` values are 0.
  @_noLocks mutating func next(_ value: Double) -> Double {
    if value > 0 {
      if rest == length { begin() }
      rest = 0
    } else if rest < length {
      rest += 1
    }
    guard rest < length else { return 0 }
    let wave = waves[index]
    let change = value - memory[index]
    memory[index] = value
    sum += change
    cosineSum += change * wave.x
    sineSum += change * wave.y
    index = index + 1 == length ? 0 : index + 1
    return (sum - (cosineSum * wave.z + sineSum * wave.w)) / Double(length)
  }

  /// Before the first value above 0.
  @_noLocks private mutating func begin() {
    memory.update(repeating: 0, count: length)
    index = 0
    sum = 0
    cosineSum = 0
    sineSum = 0
  }
}
