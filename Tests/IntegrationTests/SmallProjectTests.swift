import DAWModel
import Foundation
import Testing

@Suite("The small projects of the checkout", .enabled(if: hasSoundFont))
struct SmallProjectTests {
  static let names: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(atPath: checkout.appending(path: "Projects").path)
    return (files ?? []).filter { $0.hasSuffix(".daw") }.map { String($0.dropLast(4)) }.sorted()
  }()

  /// A copy, named `Song`.
  private func withCopy(of name: String, _ body: (DAWProgram, URL) throws -> Void) throws {
    try withScratchFolder { folder in
      try FileManager.default.copyItem(
        at: checkout.appending(path: "Projects/\(name).daw"), to: folder.appending(path: "Song.daw"))
      try body(DAWProgram(folder: folder), folder)
    }
  }

  @Test("There are at least four, and the page beside them names each")
  func areThere() throws {
    let page = try String(contentsOf: checkout.appending(path: "Projects/README.md"), encoding: .utf8)
    #expect(Self.names.count >= 4)
    for name in Self.names { #expect(page.contains("| `\(name).daw` |")) }
  }

  @Test("Each is sound, bounces to the same bits in every way, and comes back from its JSON", arguments: names)
  func each(name: String) throws {
    try withCopy(of: name) { daw, folder in
      try daw("check", "-p", "Song")
      let start = ["--digest", "--quiet", "--to", "2.3.0", "--tail", "0s", "--no-cache"]
      func digest(_ project: String, _ options: String...) throws -> String {
        let output = try daw.run(["bounce", "-p", project] + start + options)
        guard output.status == 0 else { throw DAWProgram.Failed(arguments: options, output: output) }
        return output.line
      }
      let expected = try digest("Song")
      #expect(try digest("Song", "--threads", "1", "--block", "333") == expected)

      let json = try daw("show", "--json", "--notes", "-p", "Song").data
      try json.write(to: folder.appending(path: "song.json"))
      try daw("new", "Again", "--from", "song.json", "--media", "Song.daw")
      #expect(try digest("Again") == expected)
      let (first, again) = (
        try contents(json), try contents(daw("show", "--json", "--notes", "-p", "Again").data)
      )
      for key in ["tracks", "groups", "tempoMap", "markers", "keySignatures"] {
        #expect(first[key] as? NSObject == again[key] as? NSObject, "\(key)")
      }
    }
  }

  private func contents(_ json: Data) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
  }

  @Test("The mix has effects of every kind and lanes of every shape, and is as loud as music is delivered")
  func mix() throws {
    try withCopy(of: "Mixdown") { daw, folder in
      struct Listed: Decodable { var kind: String }
      struct Report: Decodable { var peak, loudness: Double }
      struct Stem: Decodable { var peak: Double }
      let effects = try daw("list-effects", "-p", "Song", "--json").json([Listed].self)
      #expect(Set(effects.map(\.kind)) == Set(EffectKind.allCases.map(\.rawValue)))
      let json = try daw("show", "--json", "--notes", "-p", "Song").text
      for shape in LaneShape.allCases { #expect(json.contains("\"shape\" : \"\(shape)\""), "\(shape)") }
      let report = try daw("bounce", "-o", "mix.wav", "-p", "Song", "--json").json(Report.self)
      #expect(report.peak < 0 && abs(report.loudness + 16) < 1)
    }
  }
}
