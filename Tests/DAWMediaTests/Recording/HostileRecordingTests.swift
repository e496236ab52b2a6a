import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWMedia

/// Another's folder ends in an error or a small description, and reads nothing outside.
@Suite struct HostileRecordingTests {
  let folder: TemporaryFolder
  let seed = Seed.current()
  init() throws { folder = try TemporaryFolder() }

  private var message: Testing.Comment { "seed \(seed)" }

  private func recorded(ended: Bool = true) throws -> (driver: RecordingDriver, take: String) {
    let driver = try RecordingDriver(in: folder.path, seed: seed)
    let writer = try driver.begin()
    try driver.fill(writer, steps: 12)
    try driver.write(writer, frames: 4_000)
    let take = try driver.end(writer)
    if ended { try driver.end() }
    return (driver, take)
  }

  private func line(_ json: String) -> [UInt8] {
    let body = Array(json.utf8)
    let digits = String(body.withUnsafeBytes(CheckedLine.checksum), radix: 16)
    return Array((String(repeating: "0", count: 8 - digits.count) + digits + " ").utf8) + body + [10]
  }

  /// Each number at and beyond its ends, each name that leads elsewhere.
  @Test func recordsOutOfRangeAreRefused() throws {
    let accepted = [
      #"{"type":"gap","pass":-9223372036854775808,"start":0,"frames":9007199254740992,"cause":"xrun"}"#,
      #"{"type":"endPass","pass":1,"frames":0}"#, #"{"type":"end","endTime":0}"#,
      #"{"type":"segment","pass":1,"index":0,"startFrame":0,"frames":0,"name":"a.wav","dataOffset":0,"byteCount":0}"#,
    ]
    let refused = [
      #"{"type":"gap","pass":1,"start":0,"frames":9007199254740993,"cause":"xrun"}"#,
      #"{"type":"gap","pass":1,"start":-1,"frames":1,"cause":"xrun"}"#,
      #"{"type":"gap","pass":9223372036854775808,"start":0,"frames":1,"cause":"xrun"}"#,
      #"{"type":"gap","pass":1,"start":0,"frames":1,"cause":"bad"}"#,
      #"{"type":"gap","pass":1,"start":0,"frames":1,"cause":"lostEvents"}"#,
      #"{"type":"gap","pass":1,"start":0,"frames":"1","cause":"xrun"}"#,
      #"{"type":"gap","pass":1,"start":0,"frames":1.5,"cause":"xrun"}"#,
      #"{"type":"gap","pass":1,"start":0,"cause":"xrun"}"#, #"{"type":"nothing"}"#, "{}", "[]", #"{"type":"end"}"#,
      #"{"type":"end","endTime":1}x"#, #"{"type":"end","endTime":1"#, #"{"type":"end","endTime":-1}"#,
      #"{"type":"end" ,"endTime":1}"#, #"{"type":"end\"#, #"{"type":"\u0041","endTime":1}"#, #"{"type":["end"]}"#,
    ]
    let names = ["", ".", "..", ".a.wav", "../a.wav", "a/b.wav", "/", "/a/", "/a/.b.wav", "a\\u0000.wav"]
    let segments = names.map {
      #"{"type":"segment","pass":1,"index":0,"startFrame":0,"frames":0,"name":""# + $0
        + #"","dataOffset":0,"byteCount":0}"#
    }
    func pass(firstHostFrame: String) -> String {
      #"{"type":"pass","pass":1,"take":2,"track":3,"trackName":"Vox","number":1,"kind":"midi","channelCount":0,"#
        + #""inputs":[],"firstHostFrame":"# + firstHostFrame
        + #","captureLatency":0,"playbackLatency":0,"recordOffset":0,"alignment":"heard"}"#
    }
    let passes = ["9007199254740992", "-9007199254740992"].map(pass)
    let farPasses = ["9007199254740993", "9223372036854775807", "-9223372036854775808"].map(pass)
    for (jsons, isAccepted) in [
      (accepted, true), (refused, false), (segments, false), (passes, true), (farPasses, false),
    ] {
      for json in jsons {
        let bytes = line(json)
        let count = bytes.withUnsafeBytes { CheckedLine.forEach(in: $0) { LedgerRecord($0) != nil } }
        #expect((count == bytes.count) == isAccepted, "\(json)")
      }
    }
    // Bytes that are no UTF-8.
    let bytes: [UInt8] = Array(#"{"a":""#.utf8) + [0xff] + Array(#""}"#.utf8)
    #expect(bytes.withUnsafeBytes { FlatJSON(parsing: $0) == nil })
  }

  /// Each line has the right checksum, and a number that no project holds.
  @Test func linesThatSayWhatCannotBeArePassedOver() throws {
    let (driver, _) = try recorded(ended: false)
    let pass = driver.passes[0].header.pass
    let path = driver.folder.place.appending(Ledger.fileName).path
    let whole = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    let far: Int64 = 1 << 52
    let records: [LedgerRecord] = [
      .piece(pass: pass, RecordedPiece(passFrame: 1_000_000, timelineFrame: far, frames: 0)),
      .piece(pass: pass, RecordedPiece(passFrame: 1_000_000, timelineFrame: -far, frames: 0)),
      .gap(pass: pass, RecordedGapSpan(start: 1_000_000, frames: far, cause: .xrun)),
      .endPass(pass: pass, frames: far), .lostEvents(pass: pass, count: 1, atFrame: far),
      .latency(pass: pass, capture: 1, playback: 1, atFrame: far), .end(endTime: 1 << 48),
      .pass(PassHeader(pass: -5, take: 6, track: 7, trackName: "Vox", channelCount: 1)),
      .pass(PassHeader(pass: 5, take: .max, track: 7, trackName: "Vox", channelCount: 1)),
      .pass(PassHeader(pass: 5, take: 6, track: 0, trackName: "Vox", channelCount: 1)),
      .pass(PassHeader(pass: 5, take: 6, track: 7, trackName: "Vox", number: 0, channelCount: 1)),
      .pass(PassHeader(pass: 5, take: 6, track: 7, trackName: "Vox", channelCount: 3)),
      .pass(PassHeader(pass: 5, take: 6, track: 7, trackName: "Vox", channelCount: 1, firstHostFrame: 1 << 53)),
    ]
    try Data(whole + line("{}")).write(to: URL(fileURLWithPath: path))
    let expected = try driver.folder.describe()
    for record in records {
      var bytes = whole
      CheckedLine.append(record.json, to: &bytes)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      #expect(try driver.folder.describe() == expected, "\(record), seed \(seed)")
    }
    // A file that is not there had no more frames than its bytes hold.
    let lost = RecordedSegmentFile(
      index: 1_000, startFrame: 1_000_000, frames: 1 << 20, name: "a.wav", dataOffset: 44, byteCount: 50)
    var bytes = whole
    CheckedLine.append(LedgerRecord.segment(pass: pass, lost).json, to: &bytes)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(try driver.folder.describe()[pass: pass]?.segments.last?.frames == 1, "seed \(seed)")
  }

  @Test func recordsThatContradictEachOtherComeToALittle() throws {
    let (driver, _) = try recorded(ended: false)
    var random = SeededGenerator(seed: seed)
    let frames = RecordingLimits.frames.upperBound
    func number() -> Int64 {
      [0, 1, frames, Int64.random(in: 0...frames, using: &random)].randomElement(using: &random) ?? 0
    }
    var description = RecordingDescription(header: driver.header)
    description.apply(.pass(driver.passes[0].header))
    let pass = driver.passes[0].header.pass
    for _ in 0..<20_000 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: description.apply(.gap(pass: pass, RecordedGapSpan(start: number(), frames: number(), cause: .xrun)))
      case 1:
        let piece = RecordedPiece(passFrame: number(), timelineFrame: number() - number(), frames: number())
        description.apply(.piece(pass: pass, piece))
      case 2: description.apply(.endPass(pass: pass, frames: number()))
      case 3: description.apply(.endPass(pass: pass + 1, frames: number()))
      default:
        let file = RecordedSegmentFile(
          index: Int(number() % 1_000), startFrame: number(), frames: number(), name: "a.wav", dataOffset: number(),
          byteCount: number())
        description.apply(.segment(pass: pass, file))
      }
      _ = description.passes[0].unaccounted.count
    }
    let found = description.passes[0]
    #expect(description.passes.count == 1 && found.segments.count <= 1_000)
    for (gap, next) in zip(found.gaps, found.gaps.dropFirst()) { #expect(gap.end <= next.start, message) }
    for (piece, next) in zip(found.pieces, found.pieces.dropFirst()) {
      #expect(piece.passFrame + piece.frames <= next.passFrame, message)
    }
  }

  /// Changed bytes anywhere in any file, ledgers of right checksums included: nothing crashes, and frames stay within
  /// files.
  @Test func changedFilesAreDescribedOrRefused() throws {
    let (driver, take) = try recorded()
    var random = SeededGenerator(seed: seed)
    let place = driver.folder.place
    let names = try driver.folder.names()
    let whole = try names.map { try Array(Data(contentsOf: URL(fileURLWithPath: place.appending($0).path))) }
    var describedCount = 0
    for round in 0..<300 {
      let hasLedger = round % 3 != 0
      for (name, bytes) in zip(names, whole) {
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          let reach = round % 2 == 0 ? bytes.count : min(bytes.count, 2_000)
          let value = [0, 0xff, 0x7f, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
          bytes[Int.random(in: 0..<reach, using: &random)] = value
        }
        if round % 5 == 1 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
        try Data(bytes).write(to: URL(fileURLWithPath: place.appending(name).path))
      }
      if !hasLedger { try driver.folder.folder.remove(Ledger.fileName) }
      if let described = try? driver.folder.describe() {
        describedCount += described.passes.count
        for pass in described.passes {
          for file in pass.segments where !file.isMissing && file.sha256 == nil {
            let status = try #require(driver.folder.folder.status(of: file.name))
            #expect(file.frames * Int64(3 * pass.header.channelCount) <= Int64(status.st_size), message)
          }
        }
      }
      if let reader = try? AudioFileReader(path: take) { _ = try? reader.allSamples() }
    }
    #expect(describedCount > 0, message)
  }

  @Test func aSegmentOfManyPassesIsReadInLinearTime() throws {
    let (driver, _) = try recorded(ended: false)
    var records: [LedgerRecord] = []
    for number in 0..<40_000 {
      var header = driver.passes[0].header
      header.pass = Int64(1_000 + number)
      records.append(.pass(header))
      records.append(.gap(pass: header.pass, RecordedGapSpan(start: 0, frames: 1, cause: .xrun)))
    }
    for number in (0..<40_000).reversed() {
      let file = RecordedSegmentFile(
        index: number, startFrame: Int64(number) * 10, frames: 5, name: "x\(number).wav", dataOffset: 44, byteCount: 9)
      records.append(.segment(pass: 1_000, file))
      records.append(.gap(pass: 1_001, RecordedGapSpan(start: Int64(number), frames: 3, cause: .xrun)))
    }
    try driver.ledger.append(records)
    #expect(try driver.folder.describe().passes.count == 40_001)
  }

  // MARK: Takes

  @Test func aTakeThatIsNotWholeIsRefused() throws {
    let (_, take) = try recorded()
    let whole = try Array(Data(contentsOf: URL(fileURLWithPath: take)))
    for count in TakeManifest.magic.count..<whole.count {
      try Data(whole[..<count]).write(to: URL(fileURLWithPath: take))
      #expect(throws: AudioFileError.self, "\(count) bytes, seed \(seed)") { try AudioFileFacts.read(path: take) }
    }
    let text = String(decoding: whole, as: UTF8.self)
    for (old, new) in [
      (#""channels":2"#, #""channels":0"#), (#""channels":2"#, #""channels":1025"#),
      (#""sampleRate":48000"#, #""sampleRate":0"#), (#""encoding":"int24""#, #""encoding":"uint8""#),
      (#""startFrame":"#, #""startFrame":9007199254"#), (#""frames":"#, #""frames":-"#),
      (#""name":"Vox.0001.wav""#, #""name":"../Vox.0001.wav""#), (#""dataOffset":4096"#, #""dataOffset":-1"#),
      (#""dataOffset":4096"#, #""dataOffset":9007199254740992"#), (#""byteCount":"#, #""byteCount":9"#),
      (#""segments":"#, #""segments":1"#), (#""index":1,"#, ""),
    ] {
      let changed = text.replacing(old, with: new, maxReplacements: 1)
      #expect(changed != text)
      try Data(changed.utf8).write(to: URL(fileURLWithPath: take))
      #expect(throws: AudioFileError.self, "\(new)") { try AudioFileFacts.read(path: take) }
    }
  }

  @Test func missingAndShortSegmentsAreErrorsThatNameThem() throws {
    let (driver, take) = try recorded()
    let file = try #require(driver.description.passes[0].segments.last)
    let path = driver.folder.place.appending(file.name).path
    let whole = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    let facts = try AudioFileFacts.read(path: take)
    try Data(whole.dropLast(6)).write(to: URL(fileURLWithPath: path))
    #expect(throws: AudioFileError.endsEarly(path: path, atFrame: file.frames - 1, expectedFrames: file.frames)) {
      try AudioFileFacts.read(path: take)
    }
    var changed = whole
    changed[changed.count - 1] ^= 1
    try Data(changed).write(to: URL(fileURLWithPath: path))
    #expect(try TakeManifest.faults(path: take, hashes: false).isEmpty)
    #expect(
      try TakeManifest.faults(path: take, hashes: true) == [.damaged(path: path, reason: "not what was recorded")])
    // Reading it would take hours.
    try Data(whole).write(to: URL(fileURLWithPath: path))
    try #require(truncate(path, 1 << 40) == 0)
    #expect(
      try TakeManifest.faults(path: take, hashes: true) == [.damaged(path: path, reason: "not what was recorded")])
    try driver.folder.folder.remove(file.name)
    #expect(throws: AudioFileError.missing(path: path)) { try AudioFileFacts.read(path: take) }
    // What does not need it is read.
    let reader = try AudioFileReader(path: take, facts: facts)
    #expect(try reader.samples(at: 0, count: 1) == Array(driver.passes[0].samples[..<2]))
    #expect(throws: AudioFileError.missing(path: path)) { try reader.allSamples() }
    let described = try driver.folder.describe()
    #expect(described.passes[0].segments.last?.isMissing == true && !described.isEnded)
  }

  /// A manifest or ledger names files elsewhere only if these say that they are of its take, and are its user's.
  @Test func aTakeDoesNotReadOtherFiles() throws {
    let (driver, take) = try recorded()
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: take)), as: UTF8.self)
    let file = driver.description.passes[0].segments[0]
    let inside = driver.folder.place.appending(file.name).path
    func refusal(_ name: String) throws -> AudioFileError? {
      let changed = text.replacing("\"name\":\"\(file.name)\"", with: "\"name\":\"\(name)\"", maxReplacements: 1)
      try Data(changed.utf8).write(to: URL(fileURLWithPath: take))
      do throws(AudioFileError) {
        _ = try AudioFileFacts.read(path: take)
        return nil
      } catch {
        return error
      }
    }
    let own = try folder.write(try Array(Data(contentsOf: URL(fileURLWithPath: inside))), to: "own.wav")
    #expect(try refusal(own) == nil)
    let reason = "not a segment of this take"
    let foreign = folder.path("foreign.wav")
    let sound = Signal.noise(seed: 1, frames: 8_000, channels: 2)
    try #require(LibSndFile.write(sound, channels: 2, format: 0x10003, to: foreign))
    #expect(try refusal(foreign) == .damaged(path: foreign, reason: reason))
    var other = try Array(Data(contentsOf: URL(fileURLWithPath: inside)))
    // The recording's id in the chunk, with its checksum no longer right.
    let place = try #require(String(decoding: other[..<4_096], as: UTF8.self).range(of: "\"recording\":"))
    other[String(decoding: other[..<4_096], as: UTF8.self)[..<place.upperBound].utf8.count] ^= 1
    let changed = try folder.write(other, to: "changed.wav")
    #expect(try refusal(changed) == .damaged(path: changed, reason: reason))
    #expect(symlink(own, folder.path("link.wav")) == 0)
    #expect(try refusal(folder.path("link.wav")) != nil)
    #expect(mkfifo(folder.path("pipe.wav"), 0o600) == 0)
    #expect(try refusal(folder.path("pipe.wav")) != nil)
    #expect(try refusal("/etc/hostname") != nil)
    if geteuid() == 0 {
      #expect(chown(own, 1, 1) == 0)
      #expect(try refusal(own) == .damaged(path: own, reason: reason))
    }
    // In the folder itself a link is none of its files.
    try driver.folder.folder.remove(file.name)
    #expect(symlink(foreign, inside) == 0)
    #expect(try refusal(file.name) != nil)
    #expect(try driver.folder.describe().passes[0].segments[0].isMissing)
  }

  @Test func aTakeOfTooManySegmentsIsRefusedBeforeItIsRead() throws {
    let count = TakeManifest.maximumSegmentCount
    let head = TakeManifest.magic + Array("{\"segments\":\(count + 1)}\n".utf8)
    let path = try folder.write(head + [UInt8](repeating: 10, count: count + 1), to: "Vox.1.take")
    let expected = AudioFileError.damaged(path: path, reason: "a take of more than \(count) segments")
    #expect(throws: expected) { try TakeManifest.read(path: path) }
  }
}
