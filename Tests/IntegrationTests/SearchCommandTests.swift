import Foundation
import Testing

@Suite("Searching through the command line")
struct SearchCommandTests {
  private struct Page: Decodable {
    struct Result: Decodable {
      struct Part: Decodable {
        var text: String
        var isMatch: Bool
      }
      var kind: String
      var id: String
      var project: String?
      var track: String?
      var region: String?
      var position: String?
      var startTime: Double?
      var text: String
      var parts: [Part]
    }
    var results: [Result]
    var hasMore: Bool
    var warnings: [String]
  }

  private func song(_ body: (DAWProgram, URL) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(
        folder: folder, environment: ["DAW_PROJECT": "Song", "XDG_CACHE_HOME": folder.appendingPathComponent("c").path])
      try daw("new", "Song")
      try daw("add-track", "Größe", "--type", "midi")
      try daw("add-region", "Größe", "--name", "Second verse", "--at", "3.1.0", "--length", "4.0.0")
      for (place, syllable) in [("0b", "Hal-"), ("1b", "le-"), ("2b", "lu-"), ("3b", "jah"), ("4b", "verse")] {
        try daw("add-event", "Second verse", "--lyric", "--text", syllable, "--at", place)
      }
      try daw("add-marker", "Verse", "--at", "9.1.0")
      try daw("add-comment", "The second verse is too loud", "--track", "Größe", "--at", "4.1.0")
      try daw("add-comment", "漢字テスト")
      try body(daw, folder)
    }
  }

  private func search(_ daw: DAWProgram, _ arguments: String...) throws -> Page {
    let output = try daw.run(["search", "--json"] + arguments)
    guard output.status == 0 else { throw DAWProgram.Failed(arguments: arguments, output: output) }
    return try output.json(Page.self)
  }

  @Test("Names, comments, markers and lyrics are found, each with its place")
  func kinds() throws {
    try song { (daw: DAWProgram, _: URL) throws in
      func found(_ arguments: String...) throws -> Set<String> {
        let output = try daw.run(["search", "--json"] + arguments)
        return Set(try output.json(Page.self).results.map { "\($0.kind) \($0.position ?? "-")" })
      }
      #expect(try found("VERSE") == ["region 3.1.0", "marker 9.1.0", "comment 4.1.0", "lyric 4.1.0"])
      #expect(try found("hallelujah") == ["lyric 3.1.0"])
      #expect(try found("grosse") == ["track -"])
      #expect(try found("Song") == ["project -"])
      #expect(try found("字テ") == ["comment -"])
      #expect(try found("\"second verse\"", "--kind", "comment") == ["comment 4.1.0"])
      #expect(try found("verse", "--kind", "marker", "--kind", "LYRIC") == ["marker 9.1.0", "lyric 4.1.0"])
      #expect(try found("verse", "--track", "größe") == ["region 3.1.0", "comment 4.1.0", "lyric 4.1.0"])
      #expect(try found("verse", "--from", "4.1.0", "--to", "9.1.0") == ["comment 4.1.0", "lyric 4.1.0"])
      #expect(try found("erse", "--substring").count == 4)
      #expect(try found("erse") == [])
      #expect(try found("verse", "--since", "2100-01-01") == [])
      #expect(try found("verse", "--since", "1w").count == 4)
    }
  }

  @Test("What is printed stands for people on lines, bold only in colour, and its place is one that commands take")
  func text() throws {
    try song { (daw: DAWProgram, _: URL) throws in
      let plain = try daw("search", "second", "--kind", "comment").text
      #expect(plain == "4.1.0 (0:06.000)  comment  on 'Größe'\n  The second verse is too loud\n")
      let colored = try daw("search", "second", "--kind", "comment", "--color", "always").text
      #expect(colored.contains("The \u{1b}[1msecond\u{1b}[0m verse"))
      let place = try #require(plain.split(separator: " ").first)
      try daw("add-marker", "Found", "--at", String(place))
      #expect(try search(daw, "found").results.map(\.position) == ["4.1.0"])
      #expect(try daw("search", "nowhere").text == "Nothing found.\n")
      try daw("add-comment", "evil \u{1b}[31m words\nof two lines")
      let evil = try daw("search", "evil").text
      #expect(!evil.contains("\u{1b}") && evil.split(separator: "\n").count == 2)
    }
  }

  @Test("An excerpt for people fits the terminal; one for scripts is the same in every terminal")
  func excerptLength() throws {
    try song { daw, _ in
      try daw("add-comment", (0..<40).map { "word\($0)" }.joined(separator: " "))
      var narrow = daw
      narrow.environment["COLUMNS"] = "40"
      let (wide, json) = (try daw("search", "word20"), try daw("search", "word20", "--json"))
      #expect(try narrow("search", "word20", "--json").text == json.text)
      #expect(try json.json(Page.self).results[0].text.count > 100)
      #expect(wide.text.split(separator: "\n").contains { $0.count > 100 })
      #expect(try narrow("search", "word20").text.split(separator: "\n").allSatisfy { $0.count <= 40 })
    }
  }

  @Test("Pages follow each other, the best first")
  func pages() throws {
    try song { (daw: DAWProgram, _: URL) throws in
      var ids: [String] = []
      for page in 1...4 {
        let found = try search(daw, "verse", "--limit", "1", "--page", "\(page)")
        #expect(found.hasMore == (page < 4) && found.results.count == 1)
        ids += found.results.map(\.id)
      }
      #expect(try search(daw, "verse").results.map(\.id) == ids && Set(ids).count == 4)
      #expect(try search(daw, "verse", "--limit", "1", "--page", "5").results.isEmpty)
    }
  }

  @Test("Whatever is typed is looked for; nothing at all is an error of usage")
  func typed() throws {
    try song { (daw: DAWProgram, _: URL) throws in
      for words in ["C++", "AND", "NEAR(", "a\" OR b", "it's", "*", "{x}", "'", "^a:b", "🎸", "♯"] {
        #expect(try search(daw, words).results.isEmpty, "\(words)")
      }
      for words in ["", " ", "\u{200B}"] { #expect(try daw.run(["search", words]).status == 64) }
      for option in [["--kind", "song"], ["--limit", "0"], ["--page", "x"], ["--from", "x"]] {
        #expect(try daw.run(["search", "x"] + option).status == 64, "\(option)")
      }
      #expect(try daw.run(["search", "x", "--track", "Nobody"]).status == 66)
      #expect(try daw.run(["search", "x", "--in", ".", "--from", "1.1.0"]).status == 64)
      #expect(try daw.run(["search", "x", "--in", "nowhere"]).status == 66)
      let file = try daw.run(["search", "x", "--in", "Song.daw/project.sqlite"])
      #expect(file.status == 66 && file.error.contains("is a file, not a folder"), "\(file.error)")
    }
  }

  @Test("A damaged index, one that cannot be written and a link in its place change nothing about what is found")
  func index() throws {
    try song { (daw: DAWProgram, folder: URL) throws in
      let cache = folder.appendingPathComponent("Song.daw/Cache")
      let index = cache.appendingPathComponent("search.sqlite")
      let file = FileManager.default
      func expectFound(_ comment: Comment) throws {
        #expect(try search(daw, "hallelujah").results.count == 1, comment)
      }
      try expectFound("new")
      #expect(file.fileExists(atPath: index.path))
      let handle = try #require(FileHandle(forUpdatingAtPath: index.path))
      for offset in stride(from: UInt64(4096), to: try handle.seekToEnd(), by: 512) {
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: Data(repeating: 0x5a, count: 400))
      }
      try handle.close()
      try expectFound("damaged")
      try file.removeItem(at: index)
      try file.createDirectory(at: index.appendingPathComponent("inner"), withIntermediateDirectories: true)
      try expectFound("a folder")
      try file.removeItem(at: cache)
      let outside = folder.appendingPathComponent("outside")
      try file.createDirectory(at: outside, withIntermediateDirectories: false)
      try file.createSymbolicLink(atPath: cache.path, withDestinationPath: outside.path)
      try expectFound("a link")
      #expect(try file.contentsOfDirectory(atPath: outside.path).isEmpty)
      #expect(file.fileExists(atPath: folder.appendingPathComponent("c/daw/search.sqlite").path))
      try Data().write(to: folder.appendingPathComponent("none"))
      let poor = DAWProgram(
        folder: folder,
        environment: ["DAW_PROJECT": "Song", "XDG_CACHE_HOME": folder.appendingPathComponent("none").path])
      #expect(try search(poor, "hallelujah").results.count == 1)
    }
  }

  @Test("'daw clean --cache' removes the index")
  func clean() throws {
    try song { (daw: DAWProgram, folder: URL) throws in
      _ = try search(daw, "verse")
      let text = try daw("clean", "--cache").text
      #expect(text.contains("Cache/search.sqlite") && !text.contains("left"))
      #expect(try search(daw, "verse").results.count == 4)
    }
  }

  @Test("Many searches at once all find it, while the project is edited")
  func atOnce() throws {
    try song { (daw: DAWProgram, _: URL) throws in
      for round in 0..<3 {
        let running = try (0..<4).map { _ in try daw.start(["search", "verse", "--json"]) }
        try daw("add-comment", "Remark \(round)")
        for search in running {
          let output = search.finish()
          #expect(output.status == 0 && (try? output.json(Page.self).results.count) == 4, "\(output.error)")
        }
      }
    }
  }

  @Test("Projects below a folder are searched together, and what has changed, gone or cannot be read is noticed")
  func folder() throws {
    try song { (daw: DAWProgram, folder: URL) throws in
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("Albums"), withIntermediateDirectories: false)
      try daw("new", "Albums/Other")
      try daw("-p", "Albums/Other", "add-marker", "Verse two", "--at", "2.1.0")
      func found() throws -> [String] {
        let page = try search(daw, "verse", "--in", ".")
        return page.results.map { "\(($0.project as NSString?)?.lastPathComponent ?? "") \($0.kind)" }.sorted()
      }
      let own = ["comment", "lyric", "marker", "region"].map { "Song.daw \($0)" }
      #expect(try found() == ["Other.daw marker"] + own)
      #expect(try found() == ["Other.daw marker"] + own)
      try daw("-p", "Albums/Other", "add-marker", "Last verse", "--at", "8.1.0")
      #expect(try found() == ["Other.daw marker", "Other.daw marker"] + own)
      #expect(try search(daw, "verse", "--in", "Albums").results.count == 2)
      #expect(try search(daw, "verse", "--in", ".", "--track", "größe").results.count == 3)
      // Damaged, which neither its size nor its time tells.
      let other = folder.appendingPathComponent("Albums/Other.daw/project.sqlite")
      var status = stat()
      try #require(stat(other.path, &status) == 0)
      try Data(repeating: 0x78, count: Int(status.st_size)).write(to: other)
      try #require(utimensat(AT_FDCWD, other.path, [status.st_atim, status.st_mtim], 0) == 0)
      let rest = try search(daw, "verse", "--in", ".")
      #expect(rest.results.count == 4 && rest.warnings.count == 1)
      try Data("nonsense".utf8).write(to: other)
      let page = try search(daw, "verse", "--in", ".")
      #expect(page.results.count == 4 && page.warnings.count == 1)
      try FileManager.default.removeItem(at: folder.appendingPathComponent("Albums"))
      #expect(try found() == own)
    }
  }
}
