import DAWModel
import DAWTime
import Testing

@testable import DAWStore

@Suite("The order of notes")
struct NoteOrderTests {
  @Test("Those that begin together are in order of their ids, however long they are and whenever they were added")
  func order() throws {
    let store = try ProjectStore.inMemory()
    for edit in try SampleProject.edits() { _ = try store.edit(origin) { try $0.apply(edit) } }
    // In the index they are in order of length: here reversed and mixed.
    let region = RegionID(rawValue: 21)
    let others = [(105, 1_920, 1), (104, 1_920, 3), (103, 1_920, 2), (102, 0, 9), (101, 1_920, 4), (100, 1_921, 1)]
    for (id, start, length) in others {
      let note = MIDINote(
        id: NoteID(rawValue: Int64(id)), region: region, start: TickCount(ticks: Int64(start)),
        duration: TickCount(ticks: Int64(length)))
      _ = try store.edit(origin) { try $0.apply(.add([note])) }
    }
    let expected: [Int64] = [30, 102, 31, 101, 103, 104, 105, 100]
    let read = try store.read { view in
      [
        try view.notes(in: region), try view.project().notes[region] ?? [],
        try view.notes(NoteFilter(region: region)),
      ]
    }
    for notes in read { #expect(notes.map(\.id.rawValue) == expected) }
  }
}
