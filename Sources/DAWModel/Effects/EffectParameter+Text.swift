extension EffectParameter {
  /// Reads a value as users type it: `-3`, `-3dB`, `250Hz`, `2.5k`, `10ms`, `0.2s`, `4:1`, `35%`, `1/8d`, the name of a
  /// choice, `on`, `off`.
  /// - Returns: `nil` if it is no value of the unit. Whether it lies in the range is another question.
  public func value(of text: String) -> Double? {
    let text = text.lowercased().filter { $0 != " " }
    if text == "off", leastAboveZero != nil || unit == .notes { return 0 }
    switch unit {
    case .hertz: return Self.number(text, [("khz", 1000), ("hz", 1), ("k", 1000)])
    case .decibels: return Self.number(text, [("dbtp", 1), ("dbfs", 1), ("db", 1)])
    case .milliseconds: return Self.number(text, [("ms", 1), ("s", 1000)])
    case .seconds: return Self.number(text, [("ms", 0.001), ("s", 1)])
    case .ratio: return Self.number(text, [(":1", 1)])
    case .plain: return range.upperBound <= 2 ? Self.number(text, [("%", 0.01)]) : Self.number(text, [])
    case .notes: return Self.noteLength(text) ?? Self.number(text, [])
    case .choice(let names):
      let name = text.hasSuffix("db") ? String(text.dropLast(2)) : text
      return names.firstIndex { $0.lowercased() == name }.map(Double.init)
    case .toggle:
      switch text {
      case "on", "yes", "true", "1": return 1
      case "off", "no", "false", "0": return 0
      default: return nil
      }
    }
  }

  /// A value as users see it: "-3 dB", "off", "1/8d".
  public func text(of value: Double) -> String {
    if value == 0, leastAboveZero != nil || unit == .notes { return "off" }
    switch unit {
    case .choice(let names):
      let name = Int(exactly: value).flatMap { names.indices.contains($0) ? names[$0] : nil }
      return name ?? formatDecimal(value)
    case .toggle: return value == 0 ? "off" : value == 1 ? "on" : formatDecimal(value)
    case .ratio: return Self.rounded(value) + ":1"
    case .notes: return Self.noteName(value) ?? Self.rounded(value) + " quarter notes"
    default: return Self.rounded(value) + suffix
    }
  }

  /// The values that are accepted, in words: "-24 … 24 dB", "0 (off) or 20 … 2000 Hz".
  public var acceptedValues: String {
    let bounds = "\(formatDecimal(leastAboveZero ?? range.lowerBound)) … \(formatDecimal(range.upperBound))"
    switch unit {
    case .choice(let names): return names.joined(separator: ", ")
    case .toggle: return "on or off"
    case .notes: return "0 (off) … \(formatDecimal(range.upperBound)) quarter notes, or a note such as 1/8, 1/8d, 1/8t"
    default: return (leastAboveZero == nil ? "" : "0 (off) or ") + bounds + (unit == .ratio ? " to 1" : suffix)
    }
  }

  /// " dB"; empty where there is none.
  var suffix: String {
    switch unit {
    case .hertz: " Hz"
    case .decibels: " dB"
    case .milliseconds: " ms"
    case .seconds: " s"
    case .ratio, .plain, .notes, .choice, .toggle: ""
    }
  }

  /// Up to three decimals, which is finer than can be heard; what would be 0 by that stays whole.
  private static func rounded(_ value: Double) -> String {
    let near = (value * 1000).rounded() / 1000
    return formatDecimal(near == 0 ? value : near)
  }

  /// - Parameter units: endings, longest first, and what a number before each is multiplied by.
  private static func number(_ text: String, _ units: [(ending: String, factor: Double)]) -> Double? {
    for unit in units where text.hasSuffix(unit.ending) {
      return decimal(text.dropLast(unit.ending.count)).map { scaled($0, by: unit.factor) }
    }
    return decimal(text[...])
  }

  /// 35 % is the double that is nearest to 0.35.
  private static func scaled(_ value: Double, by factor: Double) -> Double {
    factor < 1 ? value / (1 / factor).rounded() : value * factor
  }

  /// Digits, at most one point, a sign; no exponent.
  private static func decimal(_ text: Substring) -> Double? {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text
    guard digits.contains(where: isDigit), digits.allSatisfy({ isDigit($0) || $0 == "." }),
      digits.count(where: { $0 == "." }) <= 1, let value = Double(text), value.isFinite
    else { return nil }
    return value == 0 ? 0 : value  // never −0
  }

  private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isWholeNumber }

  // MARK: Notes

  /// Quarter notes of `1/8`, `1/8d` (dotted) and `1/8t` (of a triplet); `nil` for another text.
  static func noteLength(_ text: String) -> Double? {
    var number = text[...]
    var (factor, divisor) = (4.0, 1.0)
    if number.hasSuffix("d") || number.hasSuffix("t") {
      (factor, divisor) = number.hasSuffix("d") ? (6, 1) : (8, 3)
      number = number.dropLast()
    }
    let parts = number.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ (1...4).contains($0.count) && $0.allSatisfy(isDigit) }),
      let above = Double(parts[0]), let below = Double(parts[1]), above > 0, below > 0
    else { return nil }
    return factor * above / (below * divisor)
  }

  /// "1/8d" for 0.75; `nil` for what is no usual note.
  private static func noteName(_ quarters: Double) -> String? {
    for below in [1, 2, 4, 8, 16, 32, 64] {
      for ending in ["", "d", "t"] where noteLength("1/\(below)\(ending)") == quarters {
        return "1/\(below)\(ending)"
      }
    }
    return nil
  }
}
