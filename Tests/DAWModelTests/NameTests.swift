import DAWTestSupport
import Testing

@testable import DAWModel

@Suite("Names")
struct NameTests {
  @Test(
    "are stored in Unicode form NFC, without the spaces around them",
    arguments: [(" Bass ", "Bass"), ("Flo\u{308}te", "Fl\u{f6}te"), ("\tA b\n", "A b"), ("\u{a0}x\u{3000}", "x")])
  func normalized(typed: String, stored: String) throws {
    #expect(Array(try Name(typed).text.unicodeScalars) == Array(stored.unicodeScalars))
  }

  @Test(
    "are refused if they are empty, too long or have control characters",
    arguments: ["", " \n", "a\u{0}", "a\u{7}b", "\u{85}a\u{9b}", String(repeating: "x", count: 256)])
  func refused(text: String) {
    let error = #expect(throws: RuleViolation.self) { try Name(text) }
    #expect(error?.rule == .name)
  }

  @Test("of 255 characters are accepted, counted as Unicode scalars")
  func longest() throws {
    #expect(try Name(String(repeating: "é", count: 255)).text.count == 255)
    #expect(throws: RuleViolation.self) { try Name(String(repeating: "👩‍👩‍👧", count: 60)) }
  }

  @Test(
    "are compared without regard to case and Unicode form",
    arguments: [
      ("Bass", "BASS"), ("Straße", "STRASSE"), ("ẞ", "ss"), ("Σίσυφος", "ΣΊΣΥΦΟΣ"), ("İ", "i\u{307}"),
      ("Flo\u{308}te", "FLÖTE"), ("ﬁn", "FIN"),
    ])
  func equalKeys(a: String, b: String) { #expect(Name.key(of: a) == Name.key(of: b)) }

  @Test("are different where only the letters differ", arguments: [("ı", "i"), ("o", "ö"), ("a b", "ab")])
  func differentKeys(a: String, b: String) { #expect(Name.key(of: a) != Name.key(of: b)) }

  @Test("The key of a key is the key, for every character")
  func keysAreStable() {
    for value in UInt32(0x20)...0x1_ffff {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let key = Name.key(of: "a\(scalar)b")
      #expect(Name.key(of: key) == key, "U+\(String(value, radix: 16))")
    }
  }

  @Test("The key of a name of ASCII is the same beside a character that is not")
  func keysOfASCII() {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let scalars = (0..<Int.random(in: 0...12, using: &generator)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0x20...0x7e, using: &generator))
      }
      let text = String(String.UnicodeScalarView(scalars))
      let trimmed = text.drop { $0 == " " }
      #expect(Name.key(of: "é" + text) == "é" + Name.key(of: "x" + text).dropFirst(), "seed \(seed): '\(text)'")
      #expect(Name.key(of: text) == Name.key(of: String(trimmed) + "  "), "seed \(seed): '\(text)'")
    }
  }

  @Test("A name that is in use gets the lowest free number, and stays within the limit")
  func madeUnique() throws {
    let taken = Set(["piano", "piano 2", String(repeating: "x", count: 255)])
    #expect(try Name("Piano").madeUnique(isTaken: taken.contains).text == "Piano 3")
    #expect(try Name("Drums").madeUnique(isTaken: taken.contains).text == "Drums")
    let long = try Name(String(repeating: "x", count: 255)).madeUnique(isTaken: taken.contains)
    #expect(long.text.hasSuffix("x 2"))
    #expect(try Name(long.text) == long)
  }

  @Test("Also a name of one character that is as long as the limit gets a number")
  func oneLongCharacter() throws {
    let name = try Name("x" + String(repeating: "\u{323}", count: 254))
    let free = name.madeUnique { $0 == name.key }
    #expect(free.text.unicodeScalars.first == "x" && free.text.hasSuffix(" 2"))
    #expect(try Name(free.text) == free)
  }
}
