/// The digits with which the names of temporary files and folders end: eight hexadecimal ones.
package enum RandomDigits {
  package static let count = 8

  /// Those of a new name.
  static func next() -> String {
    let digits = String(UInt32.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: count - digits.count) + digits
  }
}
