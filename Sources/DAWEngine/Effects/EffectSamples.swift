// The edges of the effects: from samples as Float to Double and back.

/// A sample as effects compute with it: 0 if it is NaN, infinite, beyond 2⁶⁴ or below 2⁻¹²⁶.
@_noLocks @inline(__always) func heard(_ sample: Float) -> Double {
  let magnitude = sample.bitPattern & 0x7fff_ffff
  return magnitude &- 0x0080_0000 < 0x5f80_0000 - 0x0080_0000 ? Double(sample) : 0
}

/// The nearest Float; 0 below 2⁻¹²⁶, whether the processor flushes denormals or not.
@_noLocks @inline(__always) func sample(_ value: Double) -> Float {
  value.magnitude < 0x1p-126 ? 0 : Float(value)
}

/// `value` within `range`; its lower bound for NaN.
@_noLocks @inline(__always) func limited(_ value: Double, _ lower: Double, _ upper: Double) -> Double {
  value > lower ? (value < upper ? value : upper) : lower
}

/// Where a parameter is in a stretch of 16 frames: straight from one knot's value to the next one's.
@_noLocks @inline(__always) func between(_ start: Double, _ end: Double, _ place: Double) -> Double {
  start + (end - start) * place
}

/// One call of `EffectState.process`.
struct EffectPiece {
  var left: UnsafeMutablePointer<Float>
  /// `nil`: mono.
  var right: UnsafeMutablePointer<Float>?
  var keyLeft: UnsafePointer<Float>
  var keyRight: UnsafePointer<Float>?
  var frameCount: Int
  /// The place of the first frame in its stretch of 16: 0 … 15.
  var place: Int
  var start: UnsafePointer<Double>
  /// `nil`: the parameters rest.
  var end: UnsafePointer<Double>?

  @_noLocks init(
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>?, keyLeft: UnsafePointer<Float>,
    keyRight: UnsafePointer<Float>?, frameCount: Int, place: Int, start: UnsafePointer<Double>,
    end: UnsafePointer<Double>?
  ) {
    self.left = left
    self.right = right
    self.keyLeft = keyLeft
    self.keyRight = keyRight
    self.frameCount = frameCount
    self.place = place
    self.start = start
    self.end = end
  }

  /// A frame of the signal; a mono one on both sides.
  @_noLocks @inline(__always) func signal(_ frame: Int) -> Sides {
    let first = heard(left[frame])
    return Sides(first, right.map { heard($0[frame]) } ?? first)
  }

  @_noLocks @inline(__always) func write(_ value: Sides, _ frame: Int) {
    left[frame] = sample(value.x)
    if let right { right[frame] = sample(value.y) }
  }

  /// How far frame `frame` of the piece is between the knots, 0 … 15/16.
  @_noLocks @inline(__always) func fraction(_ frame: Int) -> Double { Double(place + frame) * 0.0625 }
}
