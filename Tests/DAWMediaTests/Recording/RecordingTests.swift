import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWMedia

/// What a recording's files tell is what was recorded.
@Suite struct RecordingTests {
  let folder: TemporaryFolder
  let seed = Seed.current()
  init() throws { folder = try TemporaryFolder() }

  private var message: Testing.Comment { "seed \(seed)" }

  @Test(arguments: RecordingHeader.encodings, [1, 2])
  func filesTellWhatWasRecorded(encoding: SampleEncoding, channels: Int) throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed, encoding: encoding)
    var takes: [String] = []
    var next = 1
    for number in 1...3 {
      let writer = try driver.begin(number: number, channels: channels, firstSegment: next)
      try driver.fill(writer, steps: 40)
      try driver.write(writer, frames: 1)
      takes.append(try driver.end(writer))
      next = (writer.files.last?.index ?? 0) + 1
    }
    try driver.end()
    #expect(try driver.folder.describe() == driver.description, message)
    #expect(driver.description.isEnded)
    #expect(driver.folder.isFinished)
    for (pass, take) in zip(driver.passes, takes) {
      let described = try #require(driver.description[pass: pass.header.pass])
      #expect(described.frames == Int64(pass.samples.count / channels), message)
      #expect(described.unaccounted.isEmpty, message)
      for (piece, next) in zip(described.pieces, described.pieces.dropFirst()) {
        #expect(piece.passFrame + piece.frames == next.passFrame, message)
      }
      try expectRead(take, pass.samples, channels: channels)
      for file in described.segments {
        let path = driver.folder.place.appending(file.name).path
        #expect(try sha256(ofFile: path).sha256 == file.sha256, message)
        #expect(try sha256(ofFile: path).byteCount == file.byteCount, message)
        try expectOrdinary(path, file, pass.samples, encoding: encoding, channels: channels)
      }
      #expect(try TakeManifest.faults(path: take, hashes: true).isEmpty, message)
    }
  }

  /// Random reads, in any order and of any length.
  private func expectRead(_ take: String, _ samples: [Float], channels: Int) throws {
    var random = SeededGenerator(seed: seed)
    let reader = try AudioFileReader(path: take)
    #expect(reader.facts.frames.frames == Int64(samples.count / channels), message)
    #expect(reader.facts.channelCount == channels)
    #expect(try reader.allSamples() == samples, message)
    for _ in 0..<60 {
      let frame = Int.random(in: 0..<samples.count / channels, using: &random)
      let count = min(Int.random(in: 1...7_000, using: &random), samples.count / channels - frame)
      let wanted = Array(samples[frame * channels..<(frame + count) * channels])
      #expect(try reader.samples(at: Int64(frame), count: count) == wanted, message)
    }
  }

  /// Other programs read each file.
  private func expectOrdinary(
    _ path: String, _ file: RecordedSegmentFile, _ samples: [Float], encoding: SampleEncoding, channels: Int
  ) throws {
    let content = try #require(LibSndFile.read(path), message)
    #expect(content.channels == channels && content.hertz == 48_000)
    let start = Int(file.startFrame) * channels
    #expect(content.samples == Array(samples[start..<start + Int(file.frames) * channels]), message)
    let facts = try AudioFileFacts.read(path: path)
    #expect(facts.warnings.isEmpty && facts.format == "WAV, \(encoding)", message)
  }

  @Test func aKilledRecordingHasEveryWholeFrame() throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed)
    let writers = try [Int64(1), 2].map { try driver.begin(track: $0, name: "Track \($0)") }
    for writer in writers {
      try driver.fill(writer, steps: 30)
      try driver.write(writer, frames: 17)
      try writer.flush()
      try driver.record(writer.takeRecords())
    }
    // A part of a frame, as of a write that was cut off.
    let last = try #require(writers[0].files.last)
    let path = driver.folder.place.appending(last.name).path
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: [1, 2, 3, 4, 5])
    try expectWhole(driver)
    // Headers of zeros.
    let head = [UInt8](repeating: 0, count: Int(last.dataOffset))
    try file.seek(toOffset: 0)
    try file.write(contentsOf: head)
    try file.close()
    try expectWhole(driver)
    let finished = try driver.folder.finish(endTime: 5)
    #expect(finished.isEnded && finished.endTime == 5)
    #expect(try driver.folder.describe() == finished, message)
    #expect(try driver.folder.finish(endTime: 6) == finished, message)
    try expectTakes(driver, finished)
  }

  private func expectWhole(_ driver: RecordingDriver) throws {
    let described = try driver.folder.describe()
    #expect(!described.isEnded)
    for pass in driver.passes {
      let found = try #require(described[pass: pass.header.pass], message)
      #expect(found.header == pass.header, message)
      #expect(found.frames == Int64(pass.samples.count / 2), message)
      #expect(found.unaccounted.isEmpty, message)
      #expect(found.gaps == driver.description[pass: pass.header.pass]?.gaps, message)
      #expect(found.pieces == driver.description[pass: pass.header.pass]?.pieces.trimmed(to: found.frames), message)
    }
  }

  private func expectTakes(_ driver: RecordingDriver, _ finished: RecordingDescription) throws {
    for pass in driver.passes {
      let found = try #require(finished[pass: pass.header.pass], message)
      let name = "found \(pass.header.pass).take"
      try TakeManifest(found, of: finished.header).write(in: driver.folder, named: name)
      let path = driver.folder.place.appending(name).path
      #expect(try AudioFileReader(path: path).allSamples() == pass.samples, message)
      #expect(try TakeManifest.faults(path: path, hashes: true).isEmpty, message)
      for file in found.segments {
        let segment = driver.folder.place.appending(file.name).path
        #expect(try AudioFileFacts.read(path: segment).warnings.isEmpty, message)
        #expect(LibSndFile.read(segment)?.frames == Int(file.frames), message)
      }
    }
  }

  @Test("A file that was removed before anything was in it leaves its name to the next pass", arguments: [false, true])
  func removedFile(isHeaderLost: Bool) throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed)
    let first = try driver.begin(number: 1)
    try driver.write(first, frames: 10)
    try driver.record(first.takeRecords())
    let name = try #require(first.files.last?.name)
    // As where the disk is full: the ledger goes on naming it.
    #expect(first.abandonFile() == nil)
    try first.skip(frameCount: 10, cause: .diskFull)
    try driver.record(first.takeRecords() + [.endPass(pass: first.pass.pass, frames: 10)])
    let second = try driver.begin(number: 2)
    try driver.write(second, frames: 500)
    try second.refreshHeader()
    try driver.record(second.takeRecords())
    #expect(second.files.last?.name == name)
    if isHeaderLost {
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: driver.folder.place.appending(name).path))
      try file.write(contentsOf: [UInt8](repeating: 0, count: Int(try #require(second.files.last).dataOffset)))
      try file.close()
    }
    let finished = try driver.folder.finish(endTime: 5)
    #expect(finished.passes.map(\.segments.count) == [0, 1])
    #expect(finished.passes.map(\.frames) == [10, 500] && finished.passes.allSatisfy(\.unaccounted.isEmpty))
    #expect(finished.passes[0].gaps == [RecordedGapSpan(start: 0, frames: 10, cause: .diskFull)])
    let take = "second.take"
    try TakeManifest(finished.passes[1], of: finished.header).write(in: driver.folder, named: take)
    let reader = try AudioFileReader(path: driver.folder.place.appending(take).path)
    #expect(try reader.allSamples() == driver.passes[1].samples, message)
  }

  @Test func withoutALedgerTheFilesSuffice() throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed)
    for number in 1...2 {
      let writer = try driver.begin(number: number, firstSegment: number == 1 ? 1 : 500)
      try driver.fill(writer, steps: 40)
      try driver.write(writer, frames: 17)
      if number == 1 { try driver.end(writer) } else { try writer.refreshHeader() }
      try driver.record(writer.takeRecords())
    }
    try driver.folder.folder.remove(Ledger.fileName)
    try expectWhole(driver)
    try expectTakes(driver, try driver.folder.finish(endTime: 5))
  }
}

extension [RecordedPiece] {
  /// The last one up to a frame.
  func trimmed(to frames: Int64) -> Self {
    var pieces = self
    if let last = pieces.indices.last { pieces[last].frames = frames - pieces[last].passFrame }
    return pieces
  }
}
