import DAWModel
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@Suite("Values")
struct ValueTests {
  @Test(
    "Colours are names or hexadecimal digits, in any case",
    arguments: [
      ("Red", "red"), ("GREY", "gray"), ("FF0080", "#ff0080"), ("#Ff0080", "#ff0080"),
    ])
  func colors(typed: String, name: String) { #expect(Color(typed)?.name == name) }

  @Test("Other texts are no colours", arguments: ["", "#", "mauve", "#red", "#ff008", "ff00800", "#12345é", "##12345"])
  func noColors(typed: String) { #expect(Color(typed) == nil) }

  @Test("Channels are read as they are written, for every selection")
  func channels() {
    let selections: [ChannelSelection] =
      [.all, .mix] + (0..<40).map { .single($0) } + [.pair(0, 1), .pair(1, 0), .pair(1023, 0)]
    for selection in selections { #expect(ChannelSelection(selection.description) == selection) }
    for text in ["", "0", "1,", ",1", "1,2,3", "-1", "+1", "1025", "1 ,2", "Left", "٣"] {
      #expect(ChannelSelection(text) == nil)
    }
  }

  @Test("A selection's width fits the file's channels")
  func widths() {
    #expect((0...4).map { ChannelSelection.all.width(ofFileWith: $0) } == [nil, 1, 2, nil, nil])
    #expect((0...4).map { ChannelSelection.mix.width(ofFileWith: $0) } == [nil, nil, 1, nil, nil])
    #expect((0...4).map { ChannelSelection.right.width(ofFileWith: $0) } == [nil, nil, 1, 1, 1])
    #expect((0...4).map { ChannelSelection.pair(2, 0).width(ofFileWith: $0) } == [nil, nil, nil, 2, 2])
  }

  @Test("Levels go through JSON exactly, silence as a word")
  func levels() throws {
    for level in [Level.silence, .unity, Level(decibels: -0.1), Level(decibels: 12)] {
      #expect(try JSONDecoder().decode(Level.self, from: JSONEncoder().encode(level)) == level)
    }
    #expect(try String(decoding: JSONEncoder().encode(Level.silence), as: UTF8.self) == "\"-inf\"")
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Level.self, from: Data("\"loud\"".utf8)) }
    #expect(Level(decibels: -0.0).decibels.sign == .plus)
    #expect([-60.1, 12.1, .nan, .infinity].allSatisfy { !Level(decibels: $0).isAccepted })
  }

  @Test("A length that overflows is refused without a trap", arguments: [1, 7, 44_100, 10_000_000])
  func hugeFiles(rate: Int) {
    let location = MediaLocation(
      path: "x", sha256: String(repeating: "0", count: 64), byteCount: 0, modificationTime: 0)
    let file = AudioFile(
      id: AudioFileID(rawValue: 1), location: location, frames: FrameCount(frames: .max),
      sampleRate: SampleRate(hertz: rate),
      channelCount: 1, format: "")
    #expect(throws: RuleViolation.self) { try file.validate() }
  }

  @Test("A random project goes through JSON unchanged")
  func codable() throws {
    let seed = Seed.current()
    var edits = RandomEdits(seed: seed)
    var project = Project(
      id: .random(), createdDate: Timestamp(milliseconds: 5), settings: ProjectSettings(), master: TrackID(rawValue: 1))
    var (step, noteCount) = (0, 0)
    // How many edits are refused depends on the seed.
    while step < 300 || noteCount == 0, step < 9_000 {
      defer { step += 1 }
      project = (try? project.applying(edits.next(for: project))) ?? project
      guard step % 30 == 29 else { continue }
      noteCount += project.notes.values.joined().count
      #expect(try JSONDecoder().decode(Project.self, from: JSONEncoder().encode(project)) == project, "seed \(seed)")
    }
    #expect(noteCount > 0, "seed \(seed)")
  }

  @Test("Every rule has a sentence about what it accepts")
  func sentences() {
    for rule in Rule.allCases { #expect(rule.accepted.count > 15 && rule.accepted.hasSuffix(".")) }
  }
}
