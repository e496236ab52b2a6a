/// Arithmetic that ends at the range of its type instead of trapping: numbers of positions and distances come from files,
/// sockets and command lines, and are added before a rule can judge the result. A sum that was cut off lies outside the
/// timeline either way, so it is refused as what it stands for.
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
