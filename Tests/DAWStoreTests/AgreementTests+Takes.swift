import DAWModel
import DAWTestSupport
import DAWTime
import GRDB
import Testing

@testable import DAWStore

extension AgreementTests {
  @Test("accept the same takes, and the same texts about recordings")
  func takes() throws {
    try compare(1500) { generator in
      if Bool.random(using: &generator) {
        var note = RecordingNote(id: RecordingNoteID(rawValue: 161))
        note.title =
          [
            "", " x", "x\u{3000}", "a\nb", "x\u{85}", String(repeating: "é", count: 255),
            String(repeating: "é", count: 256), "Verse",
          ].randomElement(using: &generator) ?? ""
        note.notes =
          [
            nil, "", " x", "x\n", "a\nb", String(repeating: "é", count: 65_536), String(repeating: "x", count: 65_537),
          ].randomElement(using: &generator) ?? nil
        return Sample(sql: RecordingNote.sql.insert, arguments: note.arguments, text: "\(note)") { [note] in
          try note.validate()
        }
      }
      var take = Take(id: TakeID(rawValue: 141), track: TrackID(rawValue: 10), name: Name(literal: "Take"))
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: take.rating = Int(integer([0, 5], &generator))
      case 1: take.pass = PassID(rawValue: integer([1], &generator))
      case 2: take.name = Name(unchecked: ["", " x", "x", "a\nb"].randomElement(using: &generator) ?? "")
      default:
        let words = [
          "a", "b-2", "c_d", "", "A", "ä", "a b", "x\n", String(repeating: "x", count: 64),
          String(repeating: "y", count: 65),
        ]
        take.tags = Tags(Set((0..<2).compactMap { _ in words.randomElement(using: &generator) }))
        // Two words of one text are two words.
        if take.tags.words.contains("a b") { return nil }
        if Int.random(in: 0..<9, using: &generator) == 0 {
          let count = Int.random(in: 15...17, using: &generator)
          take.tags = Tags(Set((0..<count).map { String(repeating: "z", count: 60) + "\(100 + $0)" }))
        }
      }
      // SQLite knows an empty text, and no set that holds one.
      if take.tags.words == [""] { return nil }
      return Sample(sql: Take.sql.insert, arguments: take.arguments, text: "\(take)") { [take] in try take.validate() }
    }
  }

  @Test("accept the same texts of transcripts")
  func transcriptTexts() throws {
    try compare(300) { generator in
      var text = TranscriptText(id: TranscriptTextID(rawValue: 171))
      text.text =
        [
          "", " x", "x\n", "x\u{3000}", "a\nb", "x\u{85}", String(repeating: "é", count: 65_536),
          String(repeating: "x", count: 65_537), "Good morning.",
        ].randomElement(using: &generator) ?? ""
      return Sample(sql: TranscriptText.sql.insert, arguments: text.arguments, text: "\(text)") { [text] in
        try text.validate()
      }
    }
  }

  @Test("accept the same inputs of tracks")
  func inputs() throws {
    try compare(1500) { generator in
      let type = [TrackType.audio, .audio, .midi, .bus].randomElement(using: &generator) ?? .audio
      var track = SampleProject.track(50, "Fifty", type)
      let ports = [
        nil, "a:b", "a:", ":b", "ab", "::b", "", "é:1", "a\u{7f}:b", String(repeating: "é", count: 318) + ":1",
        String(repeating: "é", count: 319) + ":1", String(repeating: "é", count: 253) + ":1",
        String(repeating: "é", count: 254) + ":1",
      ]
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: track.recordOffset = FrameCount(frames: integer([-192_000, 192_000], &generator))
      case 1: track.midiInput = ports.randomElement(using: &generator) ?? nil
      default:
        track.input1 = ports.randomElement(using: &generator) ?? nil
        if Bool.random(using: &generator) { track.input2 = ports.randomElement(using: &generator) ?? nil }
        if type == .audio { track.channelCount = [nil, 1, 2].randomElement(using: &generator) ?? nil }
      }
      return Sample(sql: Track.sql.insert, arguments: track.arguments, text: "\(track)") { [track] in
        try track.validate()
      }
    }
  }
}
