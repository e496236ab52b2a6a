import DAWTestSupport
import Foundation
import Testing

@testable import DAWMedia

@Suite struct LedgerTests {
  let folder: TemporaryFolder
  let seed = Seed.current()
  init() throws { folder = try TemporaryFolder() }

  private func recorded() throws -> RecordingDriver {
    let driver = try RecordingDriver(in: folder.path, seed: seed)
    let writer = try driver.begin(name: "Vox \"1\"\\\n\u{7}é")
    try driver.fill(writer, steps: 12)
    try driver.write(writer, frames: 17)
    try driver.record([
      .latency(pass: writer.pass.pass, capture: 128, playback: 64, atFrame: 3),
      .lostEvents(pass: writer.pass.pass, count: 2, atFrame: 4),
    ])
    try driver.end(writer)
    try driver.end()
    return driver
  }

  @Test func recordsAreReadAsTheyWereWritten() throws {
    let driver = try recorded()
    let (records, damagedFrom) = try Ledger.read(in: driver.folder)
    #expect(damagedFrom == nil)
    var description = RecordingDescription(header: driver.header)
    for record in records { description.apply(record) }
    #expect(description == driver.description, "seed \(seed)")
    #expect(description.passes.first?.header.trackName == "Vox \"1\"\\\n\u{7}é")
    #expect(description.passes.first?.latencies.count == 1 && description.passes.first?.lostEvents.count == 1)
    // The records of a description come to the same.
    var again = RecordingDescription(header: driver.header)
    for record in description.records { again.apply(record) }
    #expect(again == description, "seed \(seed)")
  }

  /// Cut anywhere, it is read up to the last whole record, and the files tell the rest.
  @Test func aCutLedgerLosesNoFrame() throws {
    let driver = try recorded()
    let path = driver.folder.place.appending(Ledger.fileName).path
    let whole = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    let records = try Ledger.read(in: driver.folder).records
    let expected = try #require(driver.description.passes.first)
    var lines = 0
    for count in 0...whole.count {
      if count > 0, whole[count - 1] == UInt8(ascii: "\n") { lines += 1 }
      try Data(whole[..<count]).write(to: URL(fileURLWithPath: path))
      let (read, damagedFrom) = try Ledger.read(in: driver.folder)
      #expect(read == Array(records[..<lines]), "\(count) bytes, seed \(seed)")
      #expect((damagedFrom == nil) == (count == 0 || whole[count - 1] == UInt8(ascii: "\n")), "\(count) bytes")
      // Putting a recording together takes longer: once for each record, and for a byte more and less.
      let isEdge = [count - 1, count, count + 1].contains { $0 > 0 && $0 <= whole.count && whole[$0 - 1] == 10 }
      guard isEdge || count == 0 else { continue }
      let described = try driver.folder.describe()
      #expect(described.isEnded == (count == whole.count), "\(count) bytes")
      let pass = try #require(described.passes.first, "\(count) bytes, seed \(seed)")
      #expect(pass.frames == expected.frames, "\(count) bytes, seed \(seed)")
      #expect(pass.unaccounted.isEmpty, "\(count) bytes, seed \(seed)")
      #expect(pass.segments.map(\.frames) == expected.segments.map(\.frames), "\(count) bytes, seed \(seed)")
      #expect(pass.gaps == expected.gaps, "\(count) bytes, seed \(seed)")
      #expect(pass.pieces == expected.pieces, "\(count) bytes, seed \(seed)")
    }
  }

  @Test func aChangedByteEndsIt() throws {
    let driver = try recorded()
    let path = driver.folder.place.appending(Ledger.fileName).path
    let whole = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    let records = try Ledger.read(in: driver.folder).records
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      var bytes = whole
      let place = Int.random(in: 0..<bytes.count, using: &random)
      bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let line = whole[..<place].count { $0 == UInt8(ascii: "\n") }
      let read = try Ledger.read(in: driver.folder)
      #expect(read.records == Array(records[..<line]) && read.damagedFrom != nil, "byte \(place), seed \(seed)")
      _ = try? driver.folder.describe()
    }
  }

  /// What another version, or a fault of an earlier one, has written to it: the rest is read, and nothing of it goes.
  @Test(arguments: [false, true])
  func whatCannotBeReadIsKept(isDamaged: Bool) throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed)
    let writer = try driver.begin()
    let pass = writer.pass.pass
    try driver.write(writer, frames: 4_000)
    try writer.refreshHeader()
    try driver.record(writer.takeRecords())
    let elsewhere = RecordedSegmentFile(
      index: 90, startFrame: 4_000, frames: 10, name: "spill/Vox.0090.wav", dataOffset: 4_096, byteCount: 4_156)
    try driver.ledger.append([
      .segment(pass: pass, elsewhere), .latency(pass: pass, capture: 128, playback: 64, atFrame: 3),
    ])
    let path = driver.folder.place.appending(Ledger.fileName).path
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    if isDamaged {
      let place = try #require(bytes.range(of: Data("spill/".utf8))).lowerBound
      bytes[place] ^= 1
      try bytes.write(to: URL(fileURLWithPath: path))
    }
    let finished = try driver.folder.finish(endTime: 5)
    let found = try #require(finished[pass: pass])
    #expect(finished.isEnded && found.frames == 4_000 && found.segments.count == 2, "seed \(seed)")
    #expect(found.latencies.count == (isDamaged ? 0 : 1))
    #expect(try driver.folder.finish(endTime: 6) == finished)
    #expect(try driver.folder.names().filter { $0.hasPrefix(Ledger.unreadName) } == [Ledger.unreadName])
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".unread")) == bytes)
    #expect(RecordingFolder.isLasting(Ledger.unreadName))
  }

  @Test func aReopenedLedgerGoesOnBehindTheLastWholeRecord() throws {
    let driver = try recorded()
    let path = driver.folder.place.appending(Ledger.fileName).path
    let whole = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    let count = try Ledger.read(in: driver.folder).records.count
    try Data(whole.dropLast(3)).write(to: URL(fileURLWithPath: path))
    try Ledger(reopeningIn: driver.folder).append([.end(endTime: 9)])
    let (records, damagedFrom) = try Ledger.read(in: driver.folder)
    #expect(records.count == count && records.last == .end(endTime: 9) && damagedFrom == nil)
  }

  @Test func aFailedAppendLeavesNothing() throws {
    let driver = try recorded()
    let before = try Ledger.read(in: driver.folder).records
    let path = driver.folder.place.appending(Ledger.fileName).path
    let number = driver.ledger.openFile.number
    let own = dup(number)
    let full = open("/dev/full", O_WRONLY)
    defer { for descriptor in [own, full] { close(descriptor) } }
    dup2(full, number)
    #expect(throws: AudioFileWriteError.diskFull(path: path)) { try driver.ledger.append([.end(endTime: 7)]) }
    dup2(own, number)
    #expect(try Ledger.read(in: driver.folder).records == before)
    try driver.ledger.append([.end(endTime: 8)])
    #expect(try Ledger.read(in: driver.folder).records == before + [.end(endTime: 8)])
  }

  @Test func theOwnerIsAliveAsLongAsItRuns() throws {
    #expect(RecordingOwner.current.isAlive)
    var other = RecordingOwner.current
    other.startTime += 1
    #expect(!other.isAlive)
    other = .current
    other.bootID = "00000000-0000-0000-0000-000000000000"
    #expect(!other.isAlive)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/true")
    try process.start()
    process.waitUntilExit()
    #expect(!RecordingOwner(processID: process.processIdentifier, startTime: 1, bootID: other.bootID).isAlive)
  }
}
