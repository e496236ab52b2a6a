/// Formats a multiple of 1 / `scale` as a decimal without exponent: "12.5", "-0.000020833".
/// - Parameters:
///   - scale: 1 … 2³³.
///   - decimals: the least and the most decimal places, within 0 … 9; trailing zeros are only kept up to the least.
///     Rounded to nearest, ties to even.
func decimalText(_ value: Int64, per scale: Int64, decimals: ClosedRange<Int> = 0...9) -> String {
  let power = (0..<decimals.upperBound).reduce(UInt64(1)) { power, _ in power * 10 }
  let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: UInt64(scale))
  let places = UInt64(nearest(Int128(rest) * Int128(power), over: Int128(scale)))
  let (carry, fraction) = places.quotientAndRemainder(dividingBy: power)
  var text = "\(fraction)"
  text = String(repeating: "0", count: decimals.upperBound - text.utf8.count) + text
  while text.utf8.count > decimals.lowerBound, text.last == "0" { text.removeLast() }
  let sign = value < 0 && (whole + carry > 0 || fraction > 0) ? "-" : ""
  return "\(sign)\(whole + carry)" + (text.isEmpty ? "" : ".\(text)")
}

/// Formats a duration in minutes and seconds, with hours if there are any: "1:02.500", "1:00:00.000". Rounded as above.
/// - Parameter decimals: the upper bound is at least 1.
func clockText(_ flicks: Int64, decimals: ClosedRange<Int>) -> String {
  let power = (0..<decimals.upperBound).reduce(Int64(1)) { power, _ in power * 10 }
  // Rounded first, so that 59.9999 s carries over to the minute.
  let units = nearest(Int128(flicks.magnitude) * Int128(power), over: Int128(FlickCount.perSecond))
  let (minutes, rest) = units.quotientAndRemainder(dividingBy: Int128(60 * power))
  let seconds = decimalText(Int64(rest), per: power, decimals: decimals)
  let sign = flicks < 0 && units > 0 ? "-" : ""
  let (hours, minute) = minutes.quotientAndRemainder(dividingBy: 60)
  guard hours > 0 else { return "\(sign)\(minute):\(rest < 10 * power ? "0" : "")\(seconds)" }
  return "\(sign)\(hours):\(minute < 10 ? "0" : "")\(minute):\(rest < 10 * power ? "0" : "")\(seconds)"
}
