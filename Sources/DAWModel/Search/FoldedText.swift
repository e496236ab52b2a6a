import Foundation

/// A text in the form in which it is searched: lower case, without accents, one space in place of any run of spaces,
/// line breaks and punctuation outside ASCII. A character of a script that is written without spaces between words,
/// such as Chinese, stands between spaces, so that each is a word of its own and any part of such a text is found; so
/// does a symbol outside ASCII, such as ♯ or 🎸.
package struct FoldedText {
  /// No space at the ends.
  package private(set) var scalars: [Unicode.Scalar] = []
  /// For each scalar the character of the original that it comes from: its bytes in UTF-8.
  package private(set) var places: [Range<Int>] = []

  package init(_ text: String) {
    var text = text
    let isPlain = text.withUTF8 { bytes in
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return false }
      scalars.reserveCapacity(bytes.count)
      places.reserveCapacity(bytes.count)
      var isBehindSpace = true
      for index in bytes.indices {
        let folded = Self.folded(bytes[index])
        let isSpace = folded == " "
        if !(isSpace && isBehindSpace) {
          scalars.append(folded)
          places.append(index..<index + 1)
        }
        isBehindSpace = isSpace
      }
      return true
    }
    if !isPlain { appendCharacters(of: text) }
    if scalars.last == " " {
      scalars.removeLast()
      places.removeLast()
    }
  }

  private mutating func appendCharacters(of text: String) {
    var known: [Character: String] = [:]
    var end = 0
    for character in text {
      let place = end..<end + character.utf8.count
      end = place.upperBound
      if let ascii = character.asciiValue {
        append(Self.folded(ascii), place)
        continue
      }
      let folded = known[character] ?? Self.folded(character)
      known[character] = folded
      for scalar in folded.unicodeScalars { append(scalar, place) }
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar, _ place: Range<Int>) {
    guard scalar != " " || !(scalars.isEmpty || scalars.last == " ") else { return }
    scalars.append(scalar)
    places.append(place)
  }

  /// The same text without the places, which is faster where all of it is ASCII.
  package static func folded(_ text: String) -> String {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return FoldedText(text).text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      let folded = UInt8(folded(byte).value)
      if folded != 0x20 || !(bytes.isEmpty || bytes.last == 0x20) { bytes.append(folded) }
    }
    if bytes.last == 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  package var text: String { String(String.UnicodeScalarView(scalars)) }

  /// The words: runs of letters, marks and digits, as ranges of `scalars`.
  package var words: [Range<Int>] {
    var words: [Range<Int>] = []
    var start: Int?
    for index in scalars.indices {
      if Self.isPartOfWord(scalars[index]) {
        start = start ?? index
      } else if let begin = start {
        words.append(begin..<index)
        start = nil
      }
    }
    if let begin = start { words.append(begin..<scalars.count) }
    return words
  }

  /// The words as texts.
  package var wordTexts: [String] { words.map { String(String.UnicodeScalarView(scalars[$0])) } }

  /// The same distinction as FTS5's tokenizer `ascii` makes. Outside ASCII nothing else is left in a folded text.
  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII || ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
  }

  private static func folded(_ ascii: UInt8) -> Unicode.Scalar {
    switch ascii {
    case 0x41...0x5a: Unicode.Scalar(ascii + 0x20)
    case 0x21...0x7e: Unicode.Scalar(ascii)
    default: " "
    }
  }

  private static func folded(_ character: Character) -> String {
    var kept = String.UnicodeScalarView()
    for scalar in String(character).decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars {
      if let letters = letters[scalar] {
        kept.append(contentsOf: letters.unicodeScalars)
      } else if !isAccent(scalar), !scalar.properties.isDefaultIgnorableCodePoint {
        kept.append(scalar)
      }
    }
    var folded = String.UnicodeScalarView()
    for scalar in String(kept).precomposedStringWithCanonicalMapping.unicodeScalars {
      if scalar.isASCII {
        folded.append(Self.folded(UInt8(scalar.value)))
      } else if isSymbol(scalar) {
        folded.append(contentsOf: [" ", scalar, " "])
      } else if !isWritten(scalar) {
        folded.append(" ")
      } else if isUnspaced(scalar) {
        folded.append(contentsOf: [" ", scalar, " "])
      } else {
        folded.append(scalar)
      }
    }
    return String(folded)
  }

  /// Letters that Unicode does not decompose, and what is typed for them.
  private static let letters: [Unicode.Scalar: String] = [
    "ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ı": "i", "ς": "σ",
  ]

  /// Marks above and below letters, and the points of Hebrew and Arabic; not the vowels and voicing marks of other
  /// scripts.
  /// - SeeAlso: Unicode Standard Annex 44, table 15, canonical combining classes
  private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
    let combiningClass = scalar.properties.canonicalCombiningClass.rawValue
    return (10...36).contains(combiningClass) || combiningClass >= 200
  }

  /// Whether it is a letter, a mark, a digit or of private use.
  private static func isWritten(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }

  /// Whether it is a symbol by itself; U+2044 is what ½ is decomposed to.
  private static func isSymbol(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .otherSymbol, .mathSymbol, .currencySymbol: scalar != "\u{2044}"
    default: false
    }
  }

  /// Whether it is of a script without spaces between words, or of Korean, whose words carry endings.
  private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0e00...0x0eff, 0x1000...0x109f, 0x1780...0x17ff, 0x3040...0x30ff, 0x31f0...0x31ff, 0x3400...0x9fff,
      0xac00...0xd7af, 0xf900...0xfaff, 0x2_0000...0x3_ffff:
      true
    default: false
    }
  }
}

extension Character {
  /// The same as `isWhitespace`, faster for plain text.
  package var isSpace: Bool {
    guard let ascii = asciiValue else { return isWhitespace }
    return ascii == 0x20 || (0x09...0x0d).contains(ascii)
  }
}
