/// Saturating arithmetic: sums end at the limits of the type instead of trapping. Positions and distances come from
/// files, sockets and command lines, and are added before their range is checked. A saturated sum is outside of the
/// timeline, so it is refused like the true sum.
extension Int64 {
  @inline(__always)
  func clampedSum(_ other: Int64) -> Int64 {
    let (sum, isOutside) = addingReportingOverflow(other)
    return isOutside ? (other < 0 ? .min : .max) : sum
  }

  @inline(__always)
  func clampedDifference(_ other: Int64) -> Int64 {
    let (difference, isOutside) = subtractingReportingOverflow(other)
    return isOutside ? (other < 0 ? .max : .min) : difference
  }

  @inline(__always)
  func clampedProduct(_ other: Int64) -> Int64 {
    let (product, isOutside) = multipliedReportingOverflow(by: other)
    return isOutside ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
