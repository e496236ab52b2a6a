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
