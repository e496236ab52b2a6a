import DAWModel
import DAWTime
import Foundation
import Testing

@testable import DAWStore

@Suite("Undoing one author's own newest edit")
struct RevertTests {
  let folder: TemporaryFolder
  let store: ProjectStore
  private let keys = TrackID(rawValue: 11)
  private let riff = RegionID(rawValue: 21)

  init() throws {
    folder = try TemporaryFolder()
    store = try SampleProject.create(at: folder.project)
  }

  /// The edits of A, the later edits of B, and the indices of those of B that depend on A's.
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var first: [Edit]
    var later: [[Edit]]
    var needing: [Int] = [0]
    var testDescription: String { name }
  }

  private static let newTrack = SampleProject.track(60, "New", .midi)
  private static let newRegion = midiRegion(61, on: 60, "Part")

  static let dependent: [Case] = [
    Case(
      name: "a region and a note on its new track", first: [.add(newTrack)],
      later: [
        [.add(newRegion)], [.add([note(62, in: 61)])], [.add(SampleProject.track(64, "X", .bus))],
      ],
      needing: [0, 1]),
    Case(
      name: "a change of its new track", first: [.add(newTrack)],
      later: [[.set(changed(newTrack) { $0.volume = Level(decibels: -6) })]]),
    Case(
      name: "a region moved onto its new track", first: [.add(newTrack)],
      later: [
        [.set(midiRegion(21, on: 60, "Riff", length: 61_440))], [.remove([NoteID(rawValue: 30)])],
      ]),
    Case(
      name: "notes in its new region", first: [.add(midiRegion(61, on: 11, "Part"))],
      later: [[.add([note(62, in: 61)])]]),
    Case(
      name: "events in its new region", first: [.add(midiRegion(61, on: 11, "Part"))],
      later: [[.add([event(62, in: 61)])]]),
    Case(
      name: "the removal of its new note", first: [.add([note(62, in: 21)])],
      later: [[.remove([NoteID(rawValue: 62)])]]),
    Case(
      name: "the removal of the region that its removed note was in", first: [.remove([NoteID(rawValue: 30)])],
      later: [[.remove(RegionID(rawValue: 21))]]),
    Case(
      name: "the same value, set again", first: [.set(sample(12) { $0.pan = Pan(position: 1) })],
      later: [
        [.set(sample(12) { $0.pan = Pan(position: -1) })], [.set(sample(12) { $0.pan = Pan(position: 1) })],
      ], needing: [0, 1]),
    Case(
      name: "its old name, given to another track", first: [.set(sample(12) { $0.name = Name(literal: "Sum") })],
      later: [[.add(SampleProject.track(64, "Bus", .bus))]]),
    Case(
      name: "a note where it made the region longer", first: [.set(riff(length: 122_880))],
      later: [[.add([note(62, in: 21, start: 100_000)])]]),
    Case(
      name: "a region over its new file", first: [.add(SampleProject.audioFile(3, channels: 2))],
      later: [[.add(SampleProject.region(63, on: 10, over: SampleProject.audioFile(3, channels: 2)))]]),
    Case(
      name: "a mark where its mark was",
      first: [.set(tempoMark(50, at: 122_880))], later: [[.add(tempoMark(65, at: 61_440))]]),
  ]

  @Test("is refused where a later edit of another author builds on it, and names that", arguments: dependent)
  func refused(_ example: Case) throws {
    let target = try edit("A", example.first)
    let later = try example.later.map { try edit("B", $0) }
    let before = try store.dump()
    let error = StoreError.undoConflict(
      target, by: example.needing.map { later[$0] }, steps: later.count + 1)
    #expect(throws: error) { try undoMine("A") }
    #expect(error.description.contains("\(later[0].revision) by B"))
    #expect(try store.dump() == before)
    #expect(try store.verifyJournal() == [])
    try walk()
  }

  static let independent: [Case] = [
    Case(name: "another track", first: [.add(newTrack)], later: [[.add(SampleProject.track(64, "X", .bus))]]),
    Case(
      name: "another field of its track", first: [.set(sample(12) { $0.pan = Pan(position: 1) })],
      later: [
        [
          .set(
            sample(12) {
              $0.pan = Pan(position: 1); $0.isMuted = true
            })
        ]
      ]),
    Case(
      name: "other notes of its region", first: [.add([note(62, in: 21)])],
      later: [[.add([note(70, in: 21)])], [.remove([NoteID(rawValue: 30)])]]),
    Case(
      name: "another name", first: [.remove(TrackID(rawValue: 11))],
      later: [[.add(SampleProject.track(64, "Other keys", .midi))]]),
    Case(
      name: "a region on a track that it renamed",
      first: [.set(sample(11) { $0.name = Name(literal: "Strings") })],
      later: [[.add(midiRegion(61, on: 11, "Part"))], [.add([note(62, in: 61)])]]),
  ]

  @Test("keeps later edits of others", arguments: independent)
  func accepted(_ example: Case) throws {
    // The expected result: the later edits alone.
    for edits in example.later { _ = try edit("B", edits.map(Self.withoutPan)) }
    let expected = try store.dump()
    _ = try store.undo(example.later.count, origin: origin)

    let target = try edit("A", example.first)
    for edits in example.later { _ = try edit("B", edits) }
    let both = try store.dump()
    let result = try undoMine("A")
    #expect(result.value == [target])
    #expect(result.entry?.kind == .revert && result.entry?.target == target.id)
    #expect(try store.dump() == expected)
    #expect(try store.verifyJournal() == [])
    // The revert is an edit: undo undoes it, and redo reapplies it.
    #expect(try store.undo(origin: origin).value.map(\.kind) == [.revert])
    #expect(try store.dump() == both)
    #expect(try store.redo(origin: origin).value.map(\.kind) == [.revert])
    #expect(try store.dump() == expected)
    try walk()
  }

  @Test("undoes only that author's edits, newest first, and fails if there is none")
  func ownOnly() throws {
    let own = try (0..<2).map {
      try edit("A", [.add(SampleProject.track(60 + $0, $0 == 0 ? "One" : "Two", .bus))])
    }
    let before = try store.dump()
    _ = try edit("B", [.add(SampleProject.track(70, "Three", .bus))])
    #expect(throws: StoreError.nothingToUndo) { try undoMine("C") }
    #expect(try undoMine("A").value == [own[1]])
    #expect(try undoMine("A").value == [own[0]])
    #expect(throws: StoreError.nothingToUndo) { try undoMine("A") }
    #expect(try store.verifyJournal() == [])
    // Undoes both reverts and B's edit.
    _ = try store.undo(3, origin: origin)
    #expect(try store.dump() == before)
    #expect(try undoMine("A").entry?.kind == .undo)
    try walk()
  }

  @Test("may be done again after a revert of a change to the same row")
  func twice() throws {
    let track = SampleProject.track(60, "One", .bus)
    let before = try store.dump()
    let own = [
      try edit("A", [.add(track)]), try edit("A", [.set(Self.changed(track) { $0.isMuted = true })]),
    ]
    _ = try edit("B", [.set(Self.sample(12) { $0.isMuted = true })])
    #expect(try undoMine("A").value == [own[1]])
    #expect(try undoMine("A").value == [own[0]])
    #expect(try undoMine("B").entry?.kind == .revert)
    #expect(try store.dump() == before)
    #expect(try store.verifyJournal() == [])
    try walk()
  }

  @Test("names an unnoticed write by another program after recording it")
  func overUnnoticed() throws {
    let target = try edit("A", [.add(Self.newTrack)])
    _ = try edit("B", [.add(SampleProject.track(64, "X", .bus))])
    let other = try lawlessConnection(to: folder.project)
    try other.write { try $0.execute(sql: "UPDATE region SET track = 60 WHERE id = 21") }
    let before = try store.dump()
    #expect {
      try undoMine("A")
    } throws: { error in
      guard case .undoConflict(target, by: let later, steps: 3)? = error as? StoreError else { return false }
      return later.map(\.kind) == [.externalWrite]
    }
    #expect(try store.dump() == before)
    #expect(try store.verifyJournal() == [])
  }

  @Test("does not reach folded edits")
  func folded() throws {
    _ = try edit("A", [.add(Self.newTrack)])
    for number in 0..<12 { _ = try edit("B", [.set(Self.sample(12) { $0.isMuted = number % 2 == 0 })]) }
    try store.setJournalLimits(JournalLimits(count: 8, age: nil, bytes: nil))
    #expect(throws: StoreError.nothingToUndo) { try undoMine("A") }
    #expect(try undoMine("B").entry?.kind == .undo)
    #expect(try store.verifyJournal() == [])
  }

  @Test("The message lists the first later edits, and how many more there are")
  func manyNamed() throws {
    let target = try edit("A", [.add(Self.newTrack)])
    let later = try (0..<7).map { turn in
      try edit("B", [.set(Self.changed(Self.newTrack) { $0.isMuted = turn % 2 == 0 })])
    }
    let error = StoreError.undoConflict(target, by: later, steps: 8)
    #expect(throws: error) { try undoMine("A") }
    #expect(error.description.contains("7 later edits build on it: \(later[0].revision) by B"))
    #expect(error.description.contains(", 2 more. Nothing was changed. 'daw undo 8'"))
  }

  // MARK: - Edits

  private func edit(_ author: String, _ edits: [Edit]) throws -> JournalEntry {
    try #require(
      store.edit(EditOrigin(author: author, commandLine: "test")) { transaction in
        for edit in edits { try transaction.apply(edit) }
        transaction.summary = "Changed something"
      }.entry)
  }

  private func undoMine(_ author: String) throws -> EditResult<[JournalEntry]> {
    try store.undoNewest(of: author, origin: EditOrigin(author: author, commandLine: "test"))
  }

  /// Undoes all edits, and redoes them.
  private func walk() throws {
    let newest = try store.dump()
    var (states, steps) = ([newest], 0)
    while (try? store.undo(origin: origin)) != nil {
      steps += 1
      states.append(try store.dump())
      #expect(try store.read { try $0.brokenRules() } == [])
    }
    for step in (0..<steps).reversed() {
      _ = try store.redo(origin: origin)
      #expect(try store.dump() == states[step])
    }
    #expect(try store.verifyJournal() == [])
  }

  private static func withoutPan(_ edit: Edit) -> Edit {
    guard case .set(let rows) = edit, let tracks = rows.of(Track.self) else { return edit }
    return .set(tracks.map { changed($0) { $0.pan = .centre } })
  }

  private static func changed(_ track: Track, _ change: (inout Track) -> Void) -> Track {
    var track = track
    change(&track)
    return track
  }

  /// A track of the sample project with a change.
  private static func sample(_ id: Int64, _ change: (inout Track) -> Void) -> Track {
    changed(id == 12 ? SampleProject.track(12, "Bus", .bus) : SampleProject.track(11, "Keys", .midi), change)
  }

  private static func midiRegion(_ id: Int64, on track: Int64, _ name: StaticString, length: Int64 = 61_440) -> Region {
    Region(
      id: RegionID(rawValue: id), track: TrackID(rawValue: track), name: Name(literal: name), start: .musical(.zero),
      content: .midi(TickCount(ticks: length)))
  }

  private static func riff(length: Int64) -> Region { midiRegion(21, on: 11, "Riff", length: length) }

  private static func note(_ id: Int64, in region: Int64, start: Int64 = 0) -> MIDINote {
    MIDINote(
      id: NoteID(rawValue: id), region: RegionID(rawValue: region), start: TickCount(ticks: start),
      duration: TickCount(ticks: 960))
  }

  private static func event(_ id: Int64, in region: Int64) -> RegionEvent {
    RegionEvent(
      id: EventID(rawValue: id), region: RegionID(rawValue: region), start: .zero, channel: 0,
      message: .controller(number: 7, value: 1))
  }

  private static func tempoMark(_ id: Int64, at ticks: Int64) -> TempoChange {
    TempoChange(id: TempoChangeID(rawValue: id), position: TickPosition(ticks: ticks), tempo: Tempo(bpm: 90))
  }
}
