import DAWTestSupport
import Foundation
import Testing

@testable import DAWMedia

@Suite struct EventsFileTests {
  let folder: TemporaryFolder
  let seed = Seed.current()
  init() throws { folder = try TemporaryFolder() }

  private func pass(_ number: Int) -> PassHeader {
    PassHeader(
      pass: Int64(100 + number), take: Int64(200 + number), track: 3, trackName: "Keys", number: number, kind: .midi,
      channelCount: 0, inputs: ["Keyboard:0"])
  }

  private func recorded() throws -> (driver: RecordingDriver, events: [RecordedEvent]) {
    let driver = try RecordingDriver(in: folder.path, seed: seed)
    var random = SeededGenerator(seed: seed)
    let writer = try EventsWriter(in: driver.folder, pass: pass(1), header: driver.header)
    #expect(writer.name == "Keys.events")
    var events: [RecordedEvent] = []
    for number in 1...2 {
      if number == 2 { writer.begin(pass(2)) }
      for frame in 0..<20 {
        let bytes = (0..<Int.random(in: 1...9, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        events.append(RecordedEvent(pass: pass(number).pass, passFrame: Int64(10 * frame), bytes: bytes))
        writer.append(events[events.count - 1])
        if frame % 7 == 0 { try writer.flush() }
      }
    }
    try writer.flush()
    return (driver, events)
  }

  @Test func eventsAreReadAsTheyWereWrittenAndACutLosesOnlyTheLast() throws {
    let (driver, events) = try recorded()
    let path = driver.folder.place.appending("Keys.events").path
    let whole = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    var found: [RecordedEvent] = []
    let file = try EventsFile("Keys.events", in: driver.folder) { found.append($0) }
    #expect(found == events && file.passes == [pass(1), pass(2)] && file.header == driver.header)
    #expect(file.damagedFrom == nil)
    for count in 0..<whole.count {
      try Data(whole[..<count]).write(to: URL(fileURLWithPath: path))
      found = []
      let file = try? EventsFile("Keys.events", in: driver.folder) { found.append($0) }
      #expect(events.starts(with: found), "\(count) bytes, seed \(seed)")
      #expect(file == nil || file?.damagedFrom.map { $0 <= Int64(count) } ?? (found.count < events.count))
    }
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      var bytes = whole
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      found = []
      let file = try? EventsFile("Keys.events", in: driver.folder) { found.append($0) }
      #expect(file == nil || file?.damagedFrom != nil, "seed \(seed)")
      #expect(events.starts(with: found), "seed \(seed)")
    }
  }

  /// The rest of the file has no bytes on the disk, and reads as zeros, which are no record.
  @Test func aFileOfManyGigabytesIsReadAPieceAtATime() throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed)
    var random = SeededGenerator(seed: seed)
    let writer = try EventsWriter(in: driver.folder, pass: pass(1), header: driver.header)
    var events: [RecordedEvent] = []
    for frame in 0..<40 {
      // Some are longer than what is read at once otherwise.
      let count = frame % 20 == 7 ? 3 << 20 : Int.random(in: 1...200_000, using: &random)
      let bytes = [UInt8](repeating: UInt8(frame), count: count)
      events.append(RecordedEvent(pass: pass(1).pass, passFrame: Int64(frame), bytes: bytes))
      writer.append(events[events.count - 1])
    }
    try writer.flush()
    let path = driver.folder.place.appending("Keys.events").path
    func read() throws -> (events: [RecordedEvent], damagedFrom: Int64?) {
      var found: [RecordedEvent] = []
      let file = try EventsFile("Keys.events", in: driver.folder) { found.append($0) }
      return (found, file.damagedFrom)
    }
    let whole = try read()
    #expect(whole.events == events && whole.damagedFrom == nil, "seed \(seed)")
    let byteCount = try Data(contentsOf: URL(fileURLWithPath: path)).count
    #expect(truncate(path, 5 << 30) == 0)
    let longer = try read()
    #expect(longer.events == events && longer.damagedFrom == Int64(byteCount), "seed \(seed)")
  }

  @Test func withoutALedgerTheyTellTheirPasses() throws {
    let (driver, events) = try recorded()
    try driver.folder.folder.remove(Ledger.fileName)
    let described = try driver.folder.describe()
    #expect(described.passes.map(\.header) == [pass(1), pass(2)])
    #expect(described.passes.map(\.frames) == [191, 191])
    #expect(described.header == driver.header && !described.isEnded)
    #expect(try driver.folder.finish(endTime: 3).passes.map(\.frames) == [191, 191])
    #expect(events.count == 40)
  }

  /// Its record has the right checksum, and no project has a row for it: the pass before it is read.
  @Test func aPassThatLiesOnNoTimelineIsNotRead() throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed)
    let writer = try EventsWriter(in: driver.folder, pass: pass(1), header: driver.header)
    writer.append(RecordedEvent(pass: pass(1).pass, passFrame: 0, bytes: [0x90, 60, 100]))
    var far = pass(2)
    far.firstHostFrame = 1 << 53
    writer.begin(far)
    try writer.flush()
    var count = 0
    let file = try EventsFile("Keys.events", in: driver.folder) { _ in count += 1 }
    #expect(file.passes == [pass(1)] && count == 1 && file.damagedFrom != nil)
    #expect(try driver.folder.describe().passes.map(\.header) == [pass(1)])
  }

  @Test func eventsThatCannotBeWrittenWait() throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed)
    let writer = try EventsWriter(in: driver.folder, pass: pass(1), header: driver.header)
    let number = writer.openFile.number
    let own = dup(number)
    let full = open("/dev/full", O_WRONLY)
    defer { for descriptor in [own, full] { close(descriptor) } }
    let events = (0..<3).map { RecordedEvent(pass: 101, passFrame: Int64($0), bytes: [0x90, 60, 100]) }
    dup2(full, number)
    writer.append(events[0])
    writer.append(events[1])
    let path = driver.folder.place.appending("Keys.events").path
    #expect(throws: AudioFileWriteError.diskFull(path: path)) { try writer.flush() }
    dup2(own, number)
    try writer.flush()
    dup2(full, number)
    writer.append(events[2])
    #expect(throws: AudioFileWriteError.diskFull(path: path)) { try writer.flush() }
    #expect(writer.dropPending() == 1)
    dup2(own, number)
    try writer.flush()
    var found: [RecordedEvent] = []
    _ = try EventsFile("Keys.events", in: driver.folder) { found.append($0) }
    #expect(found == Array(events[..<2]))
  }
}
