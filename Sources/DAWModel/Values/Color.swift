/// A colour for displays: a name, or `#rrggbb` in lower case.
public struct Color: Hashable, Sendable {
  public let name: String

  public static let blue = Color(unchecked: "blue")

  /// The accepted names.
  public static let names = [
    "red", "orange", "yellow", "green", "mint", "teal", "cyan", "blue", "indigo", "purple", "magenta", "pink", "brown",
    "gray", "black", "white",
  ]

  /// `nil` for an unknown name. Case does not matter, the `#` may be left off, and "grey" is "gray".
  public init?(_ text: String) {
    let lowered = text.lowercased()
    let digits = lowered.hasPrefix("#") ? String(lowered.dropFirst()) : lowered
    if lowered == "grey" {
      name = "gray"
    } else if Self.names.contains(lowered) {
      name = lowered
    } else if digits.utf8.count == 6, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) {
      name = "#" + digits
    } else {
      return nil
    }
  }

  /// Whether the name is in its stored form.
  var isAccepted: Bool { Color(name)?.name == name }

  /// For names that a store has already checked.
  public init(unchecked name: String) { self.name = name }
}

extension Color: CustomStringConvertible {
  public var description: String { name }
}
