import DAWMedia
import Testing

@Suite struct MIDIFileNotesTests {
  private func notes(_ events: [UInt8]) throws -> MIDIFileNotes {
    MIDIFileNotes(try MIDIFile.read(MIDIFileBytes.file([events])).file.tracks[0])
  }

  @Test func aNoteEndsByANoteOffOrByVelocityZero() throws {
    let paired = try notes([0, 0x90, 60, 100, 0, 0x93, 60, 90, 10, 0x80, 60, 33, 5, 0x93, 60, 0])
    #expect(
      paired.notes == [
        MIDIFileNote(start: 0, end: 10, pitch: 60, velocity: 100, releaseVelocity: 33, channel: 0),
        MIDIFileNote(start: 0, end: 15, pitch: 60, velocity: 90, releaseVelocity: 64, channel: 3),
      ])
    #expect(paired.overlapCount == 0)
  }

  @Test func ofNotesOfOnePitchTheFirstEndsFirst() throws {
    let paired = try notes([0, 0x90, 60, 1, 10, 60, 2, 10, 60, 3, 10, 60, 0, 10, 60, 0, 10, 60, 0])
    #expect(paired.notes.map { [$0.start, $0.end, Int64($0.velocity)] } == [[0, 30, 1], [10, 40, 2], [20, 50, 3]])
    #expect(paired.overlapCount == 2)
  }

  @Test func aNoteThatIsNeverEndedEndsWithTheTrack() throws {
    let paired = try notes([0, 0x90, 60, 1, 10, 62, 2, 10, 62, 0, 30, 0xc0, 1])
    #expect(paired.notes.map(\.end) == [50, 20])
    #expect(paired.endlessCount == 1)
    #expect(try notes([10, 0x90, 60, 1]).notes.map(\.end) == [10])
    #expect(try notes([10, 0x90, 60, 1]).emptyCount == 1)
  }

  @Test func notesOfNoLengthAndStrayEndsAreCounted() throws {
    let paired = try notes([0, 0x90, 60, 1, 0, 60, 0, 0, 60, 0, 5, 0x80, 61, 0])
    #expect(paired.notes.map { [$0.start, $0.end] } == [[0, 0]])
    #expect(paired.emptyCount == 1)
    #expect(paired.strayEndCount == 2)
  }
}
