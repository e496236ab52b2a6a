import CSampleCodec

// The inner loops of mixing. Each product and each sum is rounded once, whatever the vector width: Swift does not
// contract them to FMA. Sources and targets do not overlap.

typealias Samples = UnsafeMutablePointer<Float>

@_noLocks func clear(_ target: Samples, _ count: Int) { target.update(repeating: 0, count: count) }

/// `target = source`
@_noLocks func copy(_ source: UnsafePointer<Float>, to target: Samples, _ count: Int) {
  for i in 0..<count { target[i] = source[i] }
}

/// `target = source`, but +0 for −0: what adding it to zeros gives.
@_noLocks func write(_ source: UnsafePointer<Float>, to target: Samples, _ count: Int) {
  for i in 0..<count { target[i] = source[i] + 0 }
}

/// `target += source`
@_noLocks func add(_ source: UnsafePointer<Float>, to target: Samples, _ count: Int) {
  for i in 0..<count { target[i] += source[i] }
}

/// `target += source × gain`
@_noLocks func add(_ source: UnsafePointer<Float>, times gain: Float, to target: Samples, _ count: Int) {
  for i in 0..<count { target[i] += source[i] * gain }
}

/// `target += source × gains`, frame by frame.
@_noLocks func add(
  _ source: UnsafePointer<Float>, times gains: UnsafePointer<Float>, to target: Samples, _ count: Int
) {
  for i in 0..<count { target[i] += source[i] * gains[i] }
}

/// `samples ×= gain`
@_noLocks func scale(_ samples: Samples, by gain: Float, _ count: Int) {
  for i in 0..<count { samples[i] *= gain }
}

/// `samples ×= gains`, frame by frame.
@_noLocks func scale(_ samples: Samples, by gains: UnsafePointer<Float>, _ count: Int) {
  for i in 0..<count { samples[i] *= gains[i] }
}

/// `samples = 0 − samples`. A zero stays positive, as it is in a slice without sound, which is not inverted: else the bits
/// of silence beside sound would depend on how the time is sliced.
@_noLocks func invert(_ samples: Samples, _ count: Int) {
  for i in 0..<count { samples[i] = 0 - samples[i] }
}

/// Frames of the fade-out of a stop, a locate, and other plans.
var fadeOutFrames: Int { @_noLocks get { 256 } }

/// Fades out in a straight line.
/// - Parameter faded: frames of the fade-out done.
@_noLocks func fadeOut(_ samples: Samples, faded: Int, _ count: Int) {
  for i in 0..<count { samples[i] *= 1 - Float(faded + i) * (1 / Float(fadeOutFrames)) }
}

/// Scales the difference of two sides: m = (l + r) × 0.5, s = (l − r) × half the width; then l = m + s, r = m − s.
@_noLocks func widen(_ left: Samples, _ right: Samples, halfWidth: Float, _ count: Int) {
  for i in 0..<count {
    let middle = (left[i] + right[i]) * 0.5
    let side = (left[i] - right[i]) * halfWidth
    left[i] = middle + side
    right[i] = middle - side
  }
}

/// Scales the difference of two sides by a width for each frame. Width 1 leaves a frame as it is.
@_noLocks func widen(_ left: Samples, _ right: Samples, widths: UnsafePointer<Float>, _ count: Int) {
  for i in 0..<count {
    let (l, r) = (left[i], right[i])
    let middle = (l + r) * 0.5
    let side = (l - r) * (widths[i] * 0.5)
    left[i] = widths[i] == 1 ? l : middle + side
    right[i] = widths[i] == 1 ? r : middle - side
  }
}

/// Deinterleaves two channels.
@_noLocks func pick(
  _ first: Int, _ second: Int, of frames: UnsafePointer<Float>, channelCount: Int, into left: Samples,
  _ right: Samples, _ count: Int
) {
  if channelCount == 2, first == 0, second == 1 {
    for i in 0..<count {
      left[i] = frames[2 * i]
      right[i] = frames[2 * i + 1]
    }
  } else {
    for i in 0..<count {
      left[i] = frames[channelCount * i + first]
      right[i] = frames[channelCount * i + second]
    }
  }
}

/// Deinterleaves one channel.
@_noLocks func pick(
  _ channel: Int, of frames: UnsafePointer<Float>, channelCount: Int, into target: Samples, _ count: Int
) {
  for i in 0..<count { target[i] = frames[channelCount * i + channel] }
}

/// `target = (first + second) × 0.5 × gain`
@_noLocks func mean(
  _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, times gain: Float, into target: Samples, _ count: Int
) {
  for i in 0..<count { target[i] = (first[i] + second[i]) * 0.5 * gain }
}

/// - Returns: the bit pattern of the peak, 0 for no samples. Bit patterns order like magnitudes, with NaN above all.
@_noLocks func greatestMagnitude(of samples: UnsafePointer<Float>, _ count: Int, _ path: daw_sample_path) -> UInt32 {
  var beyondFullScale = 0
  return daw_greatest_magnitude(path, samples, count, &beyondFullScale)
}

/// Replaces NaN and infinite samples by 0.
/// - Returns: how many there were.
@_noLocks func silenceInvalid(_ samples: Samples, _ count: Int) -> Int {
  var invalid = 0
  for i in 0..<count where samples[i].magnitude.bitPattern >= Float.infinity.bitPattern {
    samples[i] = 0
    invalid += 1
  }
  return invalid
}
