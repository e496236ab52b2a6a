import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWMedia

@Suite struct SegmentWriterTests {
  let folder: TemporaryFolder
  let seed = Seed.current()
  init() throws { folder = try TemporaryFolder() }

  private var message: Testing.Comment { "seed \(seed)" }

  /// Makes writes to the writer's file fail as long as `body` runs.
  private func failing(
    _ writer: SegmentWriter, by device: (path: String, flags: Int32), _ body: () throws -> Void
  ) throws {
    let number = try #require(writer.takeFilesToSync().last?.number)
    let own = dup(number)
    let broken = open(device.path, device.flags)
    try #require(broken >= 0)
    dup2(broken, number)
    try body()
    // The file itself again, as the disk would have it behind a failed write.
    dup2(own, number)
    close(own)
    close(broken)
  }

  @Test(arguments: [true, false])
  func afterAFailedWriteTheNextFileGoesOn(isFull: Bool) throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed, segmentFrames: 100_000)
    let writer = try driver.begin()
    try driver.write(writer, frames: 1_000)
    try writer.flush()
    let path = driver.folder.place.appending("Vox.0001.wav").path
    let cause: GapCause = isFull ? .diskFull : .ioError
    var thrown: AudioFileWriteError?
    // A descriptor for reading only refuses writes with EBADF.
    try failing(writer, by: isFull ? ("/dev/full", O_WRONLY) : (path, O_RDONLY)) {
      let silence = PlanarBuffer(channelCount: 2, capacity: 300)
      try writer.write(silence.channels, frameCount: 300)
      try writer.writeSilence(frameCount: 70, cause: .xrun)
      do { try writer.flush() } catch let error as AudioFileWriteError { thrown = error }
      let expected = try #require(thrown)
      #expect(throws: expected) { try writer.write(silence.channels, frameCount: 1) }
      #expect(throws: expected) { try writer.seal() }
    }
    let error = try #require(thrown)
    #expect(GapCause(error) == cause && error.path == path)
    let file = try #require(writer.abandonFile())
    #expect(file.frames == 1_000 && writer.nextFrame == 1_000 && file.sha256 == nil)
    try writer.skip(frameCount: 500, cause: GapCause(error))
    try driver.record(writer.takeRecords())
    try driver.write(writer, frames: 200)
    try driver.end(writer)
    try driver.end()
    #expect(writer.files.map(\.startFrame) == [0, 1_500] && writer.files.map(\.frames) == [1_000, 200])
    #expect(try sha256(ofFile: path).sha256 == writer.files.first?.sha256)
    #expect(try driver.folder.describe() == driver.description, message)
    let pass = try #require(driver.description.passes.first)
    #expect(pass.gaps == [RecordedGapSpan(start: 1_000, frames: 500, cause: cause)] && pass.unaccounted.isEmpty)
    #expect(pass.frames == 1_700)
    // The same from the files alone.
    try driver.folder.folder.remove(Ledger.fileName)
    let described = try driver.folder.describe()
    #expect(described.passes.first?.gaps == pass.gaps && described.passes.first?.pieces == pass.pieces, message)
  }

  /// A gap of which the beginning was written before the disk failed.
  @Test func aGapThatWasWrittenInPartIsNotCountedTwice() throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed, segmentFrames: 100_000)
    let writer = try driver.begin(channels: 1)
    try driver.write(writer, frames: 10)
    try writer.writeSilence(frameCount: 40, cause: .xrun)
    try writer.flush()
    try driver.record(writer.takeRecords())
    try failing(writer, by: ("/dev/full", O_WRONLY)) {
      try writer.writeSilence(frameCount: 60, cause: .xrun)
      try driver.record(writer.takeRecords())
      #expect(throws: AudioFileWriteError.self) { try writer.flush() }
    }
    #expect(writer.abandonFile()?.frames == 50)
    try writer.skip(frameCount: 100, cause: .diskFull)
    try driver.record(writer.takeRecords())
    let gaps = [
      RecordedGapSpan(start: 10, frames: 40, cause: .xrun), RecordedGapSpan(start: 50, frames: 100, cause: .diskFull),
    ]
    #expect(driver.description.passes.first?.gaps == gaps)
    #expect(driver.description.passes.first?.frames == 150)
  }

  @Test func aFileWithoutAWholeFrameIsRemoved() throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed)
    let writer = try driver.begin()
    let silence = PlanarBuffer(channelCount: 2, capacity: 1)
    try writer.write(silence.channels, frameCount: 1)
    try failing(writer, by: ("/dev/full", O_WRONLY)) {
      #expect(throws: AudioFileWriteError.self) { try writer.flush() }
    }
    #expect(writer.abandonFile() == nil && writer.files.isEmpty && writer.nextFrame == 0)
    #expect(!writer.takeRecords().contains { if case .segment = $0 { true } else { false } })
    #expect(try driver.folder.names() == [Ledger.fileName])
    // The next file has another number, and the next frame is the first.
    try writer.write(silence.channels, frameCount: 1)
    #expect(try writer.seal().map(\.name) == ["Vox.0002.wav"])
  }

  /// The ledger has named it already.
  @Test func aFileThatWasRemovedIsNoneOfTheRecordingThatEnded() throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed)
    let writer = try driver.begin()
    try driver.write(writer, frames: 1)
    try driver.record(writer.takeRecords())
    try failing(writer, by: ("/dev/full", O_WRONLY)) {
      #expect(throws: AudioFileWriteError.self) { try writer.flush() }
    }
    #expect(writer.abandonFile() == nil)
    try writer.skip(frameCount: 1, cause: .diskFull)
    try driver.write(writer, frames: 10)
    try driver.end(writer)
    try driver.end()
    let described = try driver.folder.describe()
    #expect(described == driver.description && described.isEnded)
    #expect(described.passes[0].segments.map(\.name) == ["Vox.0002.wav"])
  }

  @Test func whatWasFlushedIsInTheFile() throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed, segmentFrames: 100_000)
    let writer = try driver.begin()
    for _ in 0..<30 {
      try driver.write(writer, frames: 333)
      try writer.flush()
      let described = try driver.folder.describe()
      #expect(described.passes.first?.frames == writer.nextFrame, message)
    }
    try writer.refreshHeader()
    let path = driver.folder.place.appending("Vox.0001.wav").path
    #expect(LibSndFile.read(path)?.frames == Int(writer.nextFrame), "another program reads it while it grows")
  }

  /// - SeeAlso: EBU Tech 3285, section 2.3, for the offsets.
  @Test func aFileTellsItsPlaceAndTime() throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed, segmentFrames: 1_000)
    let writer = try driver.begin()
    writer.locate(to: 5_000_000_000)
    try driver.write(writer, frames: 1_500)
    writer.locate(to: 70_000)
    try driver.write(writer, frames: 1_000)
    try driver.end(writer)
    let references = try writer.files.map { file in
      let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: driver.folder.place.appending(file.name).path)))
      #expect(bytes.text(at: 48) == "bext")
      #expect(String(decoding: bytes[56..<59], as: UTF8.self) == "Vox")
      #expect(String(decoding: bytes[312..<316], as: UTF8.self) == "daw\0")
      let time = String(decoding: bytes[376..<394], as: UTF8.self)
      #expect(time.wholeMatch(of: #/\d{4}-\d\d-\d\d\d\d:\d\d:\d\d/#) != nil, "\(time)")
      return bytes.uint64(at: 394)
    }
    #expect(references == [5_000_000_000, 5_000_001_000, 70_500])
    #expect(driver.description.passes[0].pieces.map(\.timelineFrame) == [5_000_000_000, 70_000])
  }

  @Test func filesAndFoldersAreTheirUsersAlone() throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed)
    let writer = try driver.begin()
    try driver.write(writer, frames: 4_000)
    try writer.reserveNext()
    let keys = PassHeader(pass: 2, take: 2, track: 9, trackName: "Keys", kind: .midi, channelCount: 0)
    _ = try EventsWriter(in: driver.folder, pass: keys, header: driver.header)
    let reserved = try driver.folder.names().filter { $0.hasSuffix("wav") }
    try driver.end(writer)
    #expect(reserved == ["Vox.0001.wav", "Vox.0002.wav", "Vox.0003.wav"])
    #expect(
      try driver.folder.names() == ["Keys.events", "Vox.0001.wav", "Vox.0002.wav", "Vox.1.take", "ledger"])
    for name in try driver.folder.names() {
      #expect(try #require(driver.folder.folder.status(of: name)).st_mode & 0o777 == 0o600, "\(name)")
    }
    for path in [driver.folder.place.path, driver.folder.place.parent.path] {
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o700, "\(path)")
    }
  }

  @Test func aReservedFileHasItsSpaceAndNoLength() throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed, segmentFrames: 400_000)
    let writer = try driver.begin()
    try writer.reserveNext()
    try writer.reserveNext()
    let status = try #require(driver.folder.folder.status(of: "Vox.0001.wav"))
    #expect(status.st_size == 0)
    // Where the file system can; overlay and tmpfs do as well.
    let canReserve = status.st_blocks > 0
    #expect(!canReserve || Int64(status.st_blocks) * 512 >= 400_000 * 6)
    #expect(try driver.folder.names() == ["Vox.0001.wav", Ledger.fileName])
    // It is no segment of anything, and goes when the recording is finished.
    #expect(try driver.folder.describe().passes.first?.segments.isEmpty == true)
    try driver.write(writer, frames: 10)
    try writer.seal()
    let sealed = try #require(driver.folder.folder.status(of: "Vox.0001.wav"))
    #expect(!canReserve || Int64(sealed.st_blocks) * 512 < 400_000, "what was reserved beyond the end is free again")
  }

  @Test func aSpillFolderTakesTheNextFiles() throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed)
    let other = try RecordingFolder(
      creatingIn: Place(path: folder.path("spill")), title: "Verse", startTime: driver.header.startTime)
    let writer = try driver.begin()
    try driver.write(writer, frames: 4_000)
    try writer.reserveNext()
    writer.spill = other
    try driver.write(writer, frames: 6_000)
    let take = try driver.end(writer)
    try driver.end()
    let spilled = writer.files.filter(\.isSpilled)
    #expect(spilled.count >= 2 && spilled.allSatisfy { $0.name.hasPrefix(other.place.path + "/") })
    #expect(try driver.folder.describe() == driver.description, message)
    #expect(try AudioFileReader(path: take).allSamples() == driver.passes[0].samples, message)
    #expect(try TakeManifest.files(of: take).suffix(spilled.count) == spilled.map(\.name)[...])
    // Unsealed ones count by their length there too.
    let next = try driver.begin(number: 2, firstSegment: 9)
    next.spill = other
    try driver.write(next, frames: 700)
    try next.flush()
    try driver.record(next.takeRecords())
    #expect(try driver.folder.describe().passes.last?.frames == 700)
    let finished = try driver.folder.finish(endTime: 4)
    #expect(finished.passes.last?.segments.first?.frames == 700)
    #expect(finished.passes.last?.segments.first?.sha256 != nil)
  }

  @Test func namesAreCleanedAndNeverTaken() throws {
    let recordings = Place(root: folder.path, ["Recordings"])
    let long = String(repeating: "ü", count: 300)
    var names: [String] = []
    for title in ["Verse", "Verse", "", "a/../b\n\u{1b}[2J", long] {
      let made = try RecordingFolder(creatingIn: recordings, title: title, startTime: 1_795_357_380_000)
      names.append(made.name)
      #expect(made.name.utf8.count <= 255)
      #expect(made.name.wholeMatch(of: #/\d{4}-\d\d-\d\d \d\d\.\d\d.*/#) != nil)
    }
    #expect(Set(names).count == 5)
    #expect(names[0].hasSuffix(" Verse") && names[1] == names[0] + " 2")
    #expect(names[3].hasSuffix(" a_.._b__[2J"))
    let made = try RecordingFolder(opening: recordings.appending(names[0]))
    func pass(_ track: Int64, _ name: String) -> PassHeader {
      PassHeader(pass: track, take: track, track: track, trackName: name, channelCount: 1)
    }
    #expect(made.segmentName(of: pass(1, "../Vox"), index: 7) == "_._Vox.0007.wav")
    #expect(made.segmentName(of: pass(2, "../vox"), index: 12_345) == "_._vox 2.12345.wav")
    #expect(made.segmentName(of: pass(1, "../Vox"), index: 8) == "_._Vox.0008.wav")
    #expect(made.takeName(of: pass(3, "")) == "_.1.take")
    #expect(made.eventsName(of: pass(4, long)).utf8.count <= 255)
  }

  @Test func nothingIsWrittenThroughALink() throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed)
    let target = try folder.write([1, 2, 3], to: "outside")
    #expect(symlink(target, driver.folder.place.appending("Vox.0001.wav").path) == 0)
    let writer = try driver.begin()
    try driver.write(writer, frames: 10)
    #expect(try writer.seal().map(\.name) == ["Vox.0002.wav"])
    #expect(try folder.bytes(of: "outside") == [1, 2, 3])
    #expect(symlink(driver.folder.place.path, folder.path("link")) == 0)
    #expect(throws: SystemCallFailure(call: "open", code: ELOOP)) {
      try RecordingFolder(opening: Place(path: folder.path("link")))
    }
  }

  @Test func aFullFileIsHashedAsItIsWritten() throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed, encoding: .int24, segmentFrames: 1_001)
    let writer = try driver.begin(channels: 1)
    try driver.write(writer, frames: 3_003)
    try driver.end(writer)
    for file in writer.files {
      let digest = try sha256(ofFile: driver.folder.place.appending(file.name).path)
      #expect(digest.sha256 == file.sha256 && digest.byteCount == file.byteCount && file.byteCount % 2 == 0)
    }
    #expect(writer.files.count == 3)
  }

  @Test func whatNoFileCanHoldIsRefused() throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed)
    var header = driver.header
    let pass = PassHeader(pass: 1, take: 1, track: 1, trackName: "Vox", channelCount: 2)
    for frames in [0, -1, Int64(1) << 30, .max] {
      header.segmentFrames = frames
      #expect(throws: AudioFileWriteError.self, "\(frames)") {
        try SegmentWriter(in: driver.folder, pass: pass, header: header)
      }
    }
    header = driver.header
    header.encoding = .float64
    #expect(throws: AudioFileWriteError.self) { try SegmentWriter(in: driver.folder, pass: pass, header: header) }
    #expect(try driver.folder.names() == [Ledger.fileName])
  }

  @Test(.enabled(if: SmallDisk.isPossible, "no file system can be mounted"))
  func aFullDiskIsAGapUntilThereIsRoom() throws {
    let disk = try SmallDisk(at: folder.path("disk"), size: "1m")
    defer { disk.unmount() }
    let driver = try RecordingDriver(in: disk.path, seed: seed, segmentFrames: 40_000)
    let writer = try driver.begin()
    var thrown: AudioFileWriteError?
    var passed: Int64 = 0
    let sound = PlanarBuffer(channelCount: 2, capacity: 1_000)
    while thrown == nil {
      passed += 1_000
      do { try writer.write(sound.channels, frameCount: 1_000) } catch { thrown = error }
    }
    let error = try #require(thrown)
    #expect(GapCause(error) == .diskFull)
    writer.abandonFile()
    #expect(writer.nextFrame > 100_000 && writer.nextFrame < passed, "most of the megabyte has sound")
    #expect(throws: AudioFileWriteError.self) { try writer.reserveNext() }
    // Room again: a file goes, and nothing has it open.
    _ = (writer.takeFilesToSync(), writer.takeSealed())
    try driver.folder.folder.remove("Vox.0001.wav")
    try writer.skip(frameCount: passed - writer.nextFrame, cause: .diskFull)
    try writer.write(sound.channels, frameCount: 1_000)
    try writer.seal()
    try driver.record(writer.takeRecords())
    // The ledger does not hold a part of what found no room.
    let whole = try Ledger.read(in: driver.folder).records
    let many = (0..<20_000).map { LedgerRecord.lostEvents(pass: writer.pass.pass, count: 1, atFrame: $0) }
    #expect(throws: AudioFileWriteError.diskFull(path: driver.folder.place.appending(Ledger.fileName).path)) {
      try driver.ledger.append(many)
    }
    let read = try Ledger.read(in: driver.folder)
    #expect(read.records == whole && read.damagedFrom == nil)
    let described = try driver.folder.describe()
    #expect(described.passes.first?.frames == passed + 1_000)
    #expect(described.passes.first?.segments.first?.isMissing == true)
    #expect(described.passes.first?.unaccounted.isEmpty == true)
  }
}
