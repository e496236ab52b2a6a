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
  }

  @Test("A lyric of a region is as well")
  func lyric() {
    #expect(RegionEvent.Message.meta(type: 5, Self.japanese).text == "テスト")
    #expect(RegionEvent.Message.meta(type: 5, [0x47, 0x72, 0xf6, 0xdf, 0x65]).text == "Größe")
    #expect(RegionEvent.Message.systemExclusive(Self.japanese).text == nil)
  }
}
