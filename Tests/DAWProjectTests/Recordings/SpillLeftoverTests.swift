import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import Foundation
import Testing

@Suite("What is left of recordings in spill folders, and what the history calls them")
struct SpillLeftoverTests {
  private let song: RecordedProject

  init() throws { song = try RecordedProject() }

  private func write(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test("The file that was reserved for sound goes from a spill folder, and nothing else does")
  func reserved() throws {
    let (id, spill) = try song.recordSpilled(5, isRecovered: false)
    let kept = ["Bass.0009.wav", "Vox.0001.wav", "Vox.0005.txt", "Vox.5.wav", "notes.wav"]
    for name in kept { try write([], spill + "/" + name) }
    try write([1], spill + "/Vox.0006.wav")
    try write([], spill + "/Vox.0004.wav")
    #expect(try song.session.recoverRecordings().recovered.map { try $0.outcome.get().takes.count } == [1])
    #expect(try names(in: spill) == (kept + ["Vox.0002.wav", "Vox.0003.wav", "Vox.0006.wav"]).sorted())
    #expect(try song.facts(id)?.segments.count == 3)
    #expect(try song.session.check().findings.filter { !$0.isNotice }.isEmpty)
  }

  @Test("A folder that only the ledger calls one of the recording is left alone", arguments: [true, false])
  func foreignFolder(isThere: Bool) throws {
    try song.record(7, isRecovered: false)
    let foreign = song.scratch.path("foreign")
    try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: false)
    if isThere { try write(Array("mine".utf8), foreign + "/Vox.0004.wav") }
    try write([], foreign + "/Vox.0005.wav")
    let place = Place(root: song.folder.path, ["Audio", "Recordings"])
    let name = try #require(try place.open().names().first)
    let ledger = try Ledger(reopeningIn: RecordingFolder(opening: place.appending(name)))
    try ledger.append([
      .segment(
        pass: 71,
        RecordedSegmentFile(
          index: 4, startFrame: 48_000, frames: 0, name: foreign + "/Vox.0004.wav", dataOffset: 0, byteCount: 0))
    ])
    let before = try names(in: foreign)
    #expect(try song.session.recoverRecordings().recovered.map { try $0.outcome.get().takes.count } == [1])
    #expect(try names(in: foreign) == before)
  }

  @Test("A file of a spill folder that lies beside the ledger now is taken from there, and not called missing")
  func movedBesideTheLedger() throws {
    let (id, spill) = try song.recordSpilled(5, isRecovered: false)
    let place = Place(root: song.folder.path, ["Audio", "Recordings"])
    let folder = try RecordingFolder(opening: place.appending(try #require(try place.open().names().first)))
    for name in ["Vox.0002.wav", "Vox.0003.wav"] {
      try FileManager.default.moveItem(atPath: spill + "/" + name, toPath: folder.place.appending(name).path)
    }
    let segments = try folder.describe().passes.flatMap(\.segments)
    #expect(segments.map(\.name) == ["Vox.0001.wav", "Vox.0002.wav", "Vox.0003.wav"])
    #expect(segments.allSatisfy { !$0.isMissing })
    #expect(try song.session.recoverRecordings().recovered.map { try $0.outcome.get().missing } == [[]])
    #expect(try song.facts(id)?.segments.map(\.state) == [.recovered, .recovered, .recovered])
    #expect(try song.session.check().findings.filter { !$0.isNotice }.isEmpty)
  }

  @Test("The history calls a recording by its takes, also where it needed a new track")
  func history() throws {
    try song.record(7, isRecovered: false)
    _ = try song.session.edit(song.origin) { _ = try $0.removeTrack("Vox") }
    let tracks = try song.session.recoverRecordings().recovered.map { try $0.outcome.get().takes.map(\.track) }
    #expect(tracks == [["Vox recorded"]])
    let lines = try song.session.historyLines(HistoryFilter())
    #expect(lines.first?.summary == "Recorded 'Vox recorded' in 'Verse'")
    #expect(lines.first?.changes?.contains { $0.contains("added track Vox recorded") } == true, "\(lines)")
  }
}
