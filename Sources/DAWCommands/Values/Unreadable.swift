/// An argument that cannot be read. ArgumentParser puts the option and the value before the message.
struct Unreadable: Error, CustomStringConvertible {
  let description: String

  /// - Parameter accepted: a sentence without its first words: "a level is …".
  init(_ typed: String, _ accepted: String) {
    let isOption = typed.hasPrefix("--")
    description = accepted + (isOption ? " The option before it lacks its value." : "")
  }
}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
  /// The case with a typed name, in any case of letters.
  /// - Parameter beginning: of the sentence that lists the names: "a state is".
  /// - Throws: `Unreadable`.
  init(typed text: String, listedAs beginning: String) throws {
    guard let value = Self.allCases.first(where: { $0.rawValue.lowercased() == text.lowercased() }) else {
      throw Unreadable(text, "\(beginning) \(Self.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    self = value
  }
}

/// A decimal number as people type it: digits, at most one point, a sign; no exponent, no "nan", no "inf".
func decimal(_ text: Substring) -> Double? {
  let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text
  guard digits.contains(where: \.isASCIIDigit), digits.allSatisfy({ $0.isASCIIDigit || $0 == "." }),
    digits.count(where: { $0 == "." }) <= 1
  else { return nil }
  return Double(text)
}

/// A whole number as people type it.
func wholeNumber(_ text: String) -> Int? {
  let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
  return digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
}

extension Character {
  var isASCIIDigit: Bool { isASCII && isWholeNumber }
}
