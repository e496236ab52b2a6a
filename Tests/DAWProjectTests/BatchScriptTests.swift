import DAWErrors
import DAWProject
import DAWTestSupport
import Foundation
import Testing

@Suite("The text of a batch")
struct BatchScriptTests {
  private func words(_ text: String) throws -> [[String]] { try BatchScript(text).lines.map { $0.words.map(\.text) } }

  @Test(
    "Words, quotes and backslashes are read as the shell reads them",
    arguments: [
      ("a b  c\td", ["a", "b", "c", "d"]),
      ("'a b' \"c d\"", ["a b", "c d"]),
      ("a'b'\"c\"d", ["abcd"]),
      ("'' \"\"", ["", ""]),
      (#"a\ b \'c\""#, ["a b", "'c\""]),
      (#"'a\b' "a\b" "a\"b" "a\\b" "\$x""#, [#"a\b"#, #"a\b"#, #"a"b"#, #"a\b"#, "$x"]),
      ("a#b #c d", ["a#b"]),
      ("'#a' \\#b", ["#a", "#b"]),
      ("$HOME ~ *.wav `x` a=b", ["$HOME", "~", "*.wav", "`x`", "a=b"]),
      ("a \\\n b", ["a", "b"]),
      ("a\\\nb", ["ab"]),
      ("Grün 🎹 e\u{301}", ["Grün", "🎹", "e\u{301}"]),
    ])
  func wordsOfALine(text: String, expected: [String]) throws {
    #expect(try words(text) == [expected])
  }

  @Test("Every line of random words, quoted at random, is read as the shell reads it")
  func sameAsTheShell() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    let pieces = ["a", "b", " ", "\t", "'", "\"", "\\", "#", "%", "é", "-", "="]
    for _ in 0..<60 {
      // What a backslash means before nothing at all is left open by the shell.
      let text =
        (0..<Int.random(in: 1...12, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }
        .joined() + "a"
      let own = try? words(text).first ?? []
      let shell = try Self.shellWords(text)
      #expect(own == shell, "seed \(seed): \(text)")
    }
  }

  /// What `sh` makes of a line; `nil` where it refuses it.
  private static func shellWords(_ text: String) throws -> [String]? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-f", "-c", "show() { for word; do printf '%s\\0' \"$word\"; done; }; eval \"show $1\"", "sh", text,
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.start()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return data.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test("Empty lines, comments, Windows line ends and a byte order mark hold no words")
  func linesWithoutWords() throws {
    #expect(try words("\u{feff}a\r\n\r\n# c\n  # d\n\nb\r\n") == [["a"], ["b"]])
    #expect(try words("") == [])
  }

  @Test("A line has its number, also after continued lines")
  func lineNumbers() throws {
    #expect(try BatchScript("a\n\nb \\\n c\nd").lines.map(\.number) == [1, 3, 5])
  }

  @Test("An error names the line", arguments: [("a\n'b", 2), ("a\n\n\"b\nc\"", 3), ("a \\", 1)])
  func errorsNameTheLine(text: String, line: Int) {
    let failure = #expect(throws: Failure.self) { try BatchScript(text) }
    #expect(failure?.message.hasPrefix("Line \(line):") == true)
    #expect(failure?.kind == .usage)
  }

  @Test(
    "A percent sign begins a reference at a word's start or after '=', unless it is quoted",
    arguments: [
      ("%a", "<a>"), ("--region=%a", "--region=<a>"), ("'%a'", "%a"), ("\\%a", "%a"), ("a%b", "a%b"), ("\"%a\"", "%a"),
      ("--x='%a'", "--x=%a"), ("''%a", "<a>"),
    ])
  func references(text: String, expected: String) throws {
    #expect(try BatchScript(text).lines.first?.words.first?.resolved { "<\($0)>" } == expected)
  }
}
