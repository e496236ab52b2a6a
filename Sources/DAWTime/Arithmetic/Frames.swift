extension FlickPosition {
  /// The nearest frame, ties to even. Monotonic.
  public func frames(at rate: SampleRate) -> FramePosition { FramePosition(frames: nearestFrames(flicks, at: rate)) }
}

extension FlickCount {
  /// The nearest number of frames, ties to even.
  public func frames(at rate: SampleRate) -> FrameCount { FrameCount(frames: nearestFrames(flicks, at: rate)) }
}

extension FramePosition {
  /// The position of a frame: exact at the rates of projects, rounded down at other rates; saturates at 2⁶³ flicks.
  public func flicks(at rate: SampleRate) -> FlickPosition { FlickPosition(flicks: wholeFlicks(frames, at: rate)) }
}

extension FrameCount {
  /// The duration of the frames: exact at the rates of projects, rounded down at other rates; saturates at 2⁶³ flicks.
  public func flicks(at rate: SampleRate) -> FlickCount { FlickCount(flicks: wholeFlicks(frames, at: rate)) }
}

private func nearestFrames(_ flicks: Int64, at rate: SampleRate) -> Int64 {
  let hertz = Int64(max(1, rate.hertz))
  let (product, overflow) = flicks.multipliedReportingOverflow(by: hertz)
  if !overflow { return nearest(product, over: FlickCount.perSecond) }
  return Int64(clamping: nearest(Int128(flicks) * Int128(hertz), over: Int128(FlickCount.perSecond)))
}

private func wholeFlicks(_ frames: Int64, at rate: SampleRate) -> Int64 {
  let hertz = Int128(max(1, rate.hertz))
  let (quotient, remainder) = (Int128(frames) * Int128(FlickCount.perSecond)).quotientAndRemainder(dividingBy: hertz)
  return Int64(clamping: remainder < 0 ? quotient - 1 : quotient)
}

/// The integer nearest to a quotient, ties to even.
/// - Parameter divisor: greater than 0, and less than half the type's range.
@inlinable @inline(__always)
package func nearest<Integer: FixedWidthInteger & SignedInteger>(
  _ dividend: Integer, over divisor: Integer
) -> Integer {
  let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
  let twice = 2 * Integer(remainder.magnitude)
  guard twice > divisor || (twice == divisor && !quotient.isMultiple(of: 2)) else { return quotient }
  return remainder < 0 ? quotient - 1 : quotient + 1
}
