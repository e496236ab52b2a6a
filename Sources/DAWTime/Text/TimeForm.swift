/// The forms that positions and distances share.
enum TimeForm {
  case flicks(Int64)
  case frames(Int64)
  case ticks(Int64)
  /// Three numbers, separated by points or vertical bars.
  case triple(Int64, Int64, Int64)

  /// A number beyond the end of any timeline: of frames at a rate of 2³² Hz, of bars, of beats or of ticks.
  private static let largestNumber: Int64 = 1 << 60

  init(parsing text: String, as quantity: TimeParseError.Quantity) throws(TimeParseError) {
    if let form = Self.shortDecimal(text), form.isOnTimeline {
      self = form
      return
    }
    guard !text.isEmpty else { throw TimeParseError(quantity, .empty, text: text) }
    guard text.utf8.first != UInt8(ascii: "-") else {
      let isReadable = Self.reading(text.dropFirst()) != nil
      throw TimeParseError(quantity, isReadable ? .negative : .unreadable, text: text)
    }
    guard let reading = Self.reading(text[...]) else {
      throw TimeParseError(quantity, DecimalNumber(text) == nil ? .unreadable : .bareNumber, text: text)
    }
    guard let form = reading.form, form.isOnTimeline else {
      throw TimeParseError(quantity, .outOfRange, text: text)
    }
    self = form
  }

  private var isOnTimeline: Bool {
    switch self {
    case .flicks(let flicks): flicks <= FlickPosition.timelineEnd.flicks
    case .ticks(let ticks): ticks <= TickPosition.timelineEnd.ticks
    case .frames(let frames): frames <= Self.largestNumber
    case .triple(let a, let b, let c): max(a, b, c) <= TickPosition.timelineEnd.ticks
    }
  }

  /// A parsed text; `form` is `nil` if its number is too large.
  private struct Reading {
    let form: TimeForm?
  }

  private static func reading(_ text: Substring) -> Reading? {
    if text.contains(":") { return clock(text) }
    if let triple = triple(text, separator: "|") ?? triple(text, separator: ".") { return Reading(form: triple) }
    if text.hasSuffix("ms") { return decimal(text.dropLast(2), FlickCount.perSecond / 1000, TimeForm.flicks) }
    if text.hasSuffix("s") { return decimal(text.dropLast(), FlickCount.perSecond, TimeForm.flicks) }
    if text.hasSuffix("b") { return decimal(text.dropLast(), TickCount.perQuarter, TimeForm.ticks) }
    if text.hasSuffix("f") { return wholeNumber(text.dropLast()).map { Reading(form: .frames($0)) } }
    return nil
  }

  /// A number of at most 15 digits with a unit, as nearly all texts are: read by its bytes, ten times faster than in
  /// parts.
  /// - Returns: `nil` for every other text, whether it can be read or not.
  private static func shortDecimal(_ text: String) -> TimeForm? {
    var (number, digitCount, divisor): (Int64, Int, Int64) = (0, 0, 1)
    var hasPoint = false
    var bytes = text.utf8.makeIterator()
    while let byte = bytes.next() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digitCount += 1
        guard digitCount <= 15 else { return nil }
        number = 10 * number + Int64(byte - UInt8(ascii: "0"))
        if hasPoint { divisor *= 10 }
      case UInt8(ascii: ".") where !hasPoint: hasPoint = true
      case UInt8(ascii: "b"), UInt8(ascii: "s"), UInt8(ascii: "m"):
        guard digitCount > 0, hasPoint == (divisor > 1) else { return nil }
        switch (byte, bytes.next(), bytes.next()) {
        case (UInt8(ascii: "b"), nil, nil):
          return rounded(number, times: TickCount.perQuarter, over: divisor).map(TimeForm.ticks)
        case (UInt8(ascii: "s"), nil, nil):
          return rounded(number, times: FlickCount.perSecond, over: divisor).map(TimeForm.flicks)
        case (UInt8(ascii: "m"), UInt8(ascii: "s")?, nil):
          return rounded(number, times: FlickCount.perSecond / 1000, over: divisor).map(TimeForm.flicks)
        default: return nil
        }
      default: return nil
      }
    }
    return nil
  }

  /// The nearest integer, ties to even; `nil` if the product does not fit.
  private static func rounded(_ number: Int64, times scale: Int64, over divisor: Int64) -> Int64? {
    let (product, isTooLarge) = number.multipliedReportingOverflow(by: scale)
    guard !isTooLarge else { return nil }
    let (quotient, rest) = product.quotientAndRemainder(dividingBy: divisor)
    let doubled = 2 * rest
    return doubled > divisor || doubled == divisor && !quotient.isMultiple(of: 2) ? quotient + 1 : quotient
  }

  private static func decimal(_ text: Substring, _ scale: Int64, _ form: (Int64) -> TimeForm) -> Reading? {
    DecimalNumber(text).map { Reading(form: $0.scaled(by: scale).map(form)) }
  }

  private static func triple(_ text: Substring, separator: Character) -> TimeForm? {
    let numbers = text.split(separator: separator, omittingEmptySubsequences: false).map { wholeNumber($0) }
    guard numbers.count == 3, let first = numbers[0], let second = numbers[1], let third = numbers[2] else {
      return nil
    }
    return .triple(first, second, third)
  }

  /// m:ss or h:mm:ss; seconds may have decimals.
  private static func clock(_ text: Substring) -> Reading? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, let first = wholeNumber(parts[0]), let last = parts.last,
      let seconds = twoDigits(last.prefix { $0 != "." }), seconds < 60, let decimal = DecimalNumber(last)
    else { return nil }
    var minutes = first
    if parts.count == 3 {
      guard let minute = twoDigits(parts[1]), minute < 60 else { return nil }
      let (product, overflow) = first.multipliedReportingOverflow(by: 60)
      let (sum, isTooLarge) = product.addingReportingOverflow(minute)
      minutes = overflow || isTooLarge ? .max : sum
    }
    let (flicks, overflow) = minutes.multipliedReportingOverflow(by: 60 * FlickCount.perSecond)
    guard !overflow, let rest = decimal.scaled(by: FlickCount.perSecond) else { return Reading(form: nil) }
    let (sum, isTooLarge) = flicks.addingReportingOverflow(rest)
    return Reading(form: isTooLarge ? nil : .flicks(sum))
  }

  private static func twoDigits(_ text: Substring) -> Int64? { text.utf8.count == 2 ? wholeNumber(text) : nil }
}
