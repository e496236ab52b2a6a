import DAWModel
import Testing

@Suite("Text of MIDI files")
struct MIDIFileTextTests {
  /// "テスト" in Shift-JIS.
  private static let japanese: [UInt8] = [0x83, 0x65, 0x83, 0x58, 0x83, 0x67]

  @Test("It is read in the encoding that it is in")
  func encodings() {
    #expect(MIDIFileText.decode(Array("Größe ♪".utf8)) == "Größe ♪")
    #expect(MIDIFileText.decode([0x47, 0x72, 0xf6, 0xdf, 0x65]) == "Größe")
    #expect(MIDIFileText.decode(Self.japanese) == "テスト")
    #expect(MIDIFileText.decode([0x81, 0xff]) == "\u{81}ÿ")
    #expect(MIDIFileText.decode([]) == "")
    // In each of these a byte and the letter behind it are valid Shift-JIS as well.
    #expect(MIDIFileText.decode(Array("don".utf8) + [0x92] + Array("t".utf8)) == "don’t")
    #expect(MIDIFileText.decode(Array("Vers".utf8) + [0x96] + Array("Refrain".utf8)) == "Vers–Refrain")
    #expect(MIDIFileText.decode([0x93] + Array("So".utf8) + [0x94]) == "“So”")
    // "A面", and "都", whose second byte is an "s".
    #expect(MIDIFileText.decode([0x41, 0x96, 0xca]) == "A面")
    #expect(MIDIFileText.decode([0x93, 0x73]) == "都")
  }

  @Test("A lyric of a region is as well")
  func lyric() {
    #expect(RegionEvent.Message.meta(type: 5, Self.japanese).text == "テスト")
    #expect(RegionEvent.Message.meta(type: 5, [0x47, 0x72, 0xf6, 0xdf, 0x65]).text == "Größe")
    #expect(RegionEvent.Message.systemExclusive(Self.japanese).text == nil)
  }
}
