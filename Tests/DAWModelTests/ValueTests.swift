import DAWModel
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

  @Test(
    "A level is written to JSON as its number, silence as a word",
    arguments: [
      (Level.silence, "\"-inf\""), (Level.unity, "0"), (Level(decibels: -0.5), "-0.5"), (Level(decibels: 12), "12"),
    ])
  func levels(level: Level, json: String) throws {
    #expect(try String(decoding: JSONEncoder().encode(level), as: UTF8.self) == json)
  }

  @Test("Zero has no sign, and only −60 … +12 dB and silence are accepted")
  func acceptedLevels() {
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

  @Test("Rows are of one entity, be they none")
  func rows() {
    let note = RecordingNote(id: RecordingNoteID(rawValue: 1), title: "Verse")
    let (notes, none) = (Rows([note]), Rows([RecordingNote]()))
    #expect(notes.of(RecordingNote.self) == [note] && notes.of(TranscriptText.self) == nil)
    #expect(none.of(RecordingNote.self) == [] && none.of(TranscriptText.self) == nil)
    #expect(notes == Rows([note]) && notes != none && none != Rows([TranscriptText]()))
  }

  @Test("Every rule has a sentence about what it accepts")
  func sentences() {
    for rule in Rule.allCases { #expect(rule.accepted.count > 15 && rule.accepted.hasSuffix(".")) }
  }
}
