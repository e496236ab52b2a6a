import DAWMedia
import DAWTestSupport
import Foundation
import Testing

/// Whatever bytes come, reading ends, soon, and with a value or a sentence.
///
/// `DAW_FUZZ_SECONDS` says how long to go on; without it a few seconds.
@Suite struct MIDIFileFuzzTests {
  static let rounds = 4_000
  static let seconds = ProcessInfo.processInfo.environment["DAW_FUZZ_SECONDS"].flatMap(Double.init)

  @Test func brokenBytesAreReadOrRefused() throws {
    let seed = Seed.current()
    let end = Self.seconds.map { Date().addingTimeInterval($0) }
    var files = RandomMIDIFile(seed: seed)
    var random = SeededGenerator(seed: seed &+ 1)
    var round = 0
    while end.map({ Date() < $0 }) ?? (round < Self.rounds) {
      let bytes = Self.broken(try files.next().encoded(), using: &random)
      let message: Testing.Comment = "seed \(seed), round \(round)"
      let strict: MIDIFileReading?
      do throws(MIDIFileFlaw) {
        strict = try MIDIFile.read(bytes)
      } catch {
        strict = nil
        #expect(error.isSerious, message)
        #expect(0...bytes.count ~= error.byteOffset, message)
      }
      do throws(MIDIFileFlaw) {
        let lenient = try MIDIFile.read(bytes, isLenient: true)
        try check(lenient, of: bytes, message)
        // What a strict reading takes, a lenient one takes too, and as the same.
        if let strict { #expect(strict == lenient, message) }
      } catch {
        #expect(strict == nil, message)
      }
      round += 1
    }
    if Self.seconds != nil { print("\(round) broken files, seed \(seed)") }
  }

  /// What was read is a file that can be written, and is then in order.
  private func check(_ reading: MIDIFileReading, of bytes: [UInt8], _ message: Testing.Comment) throws(MIDIFileFlaw) {
    let file = reading.file
    #expect(file.tracks.reduce(0) { $0 + $1.events.count } <= bytes.count / 2, message)
    for track in file.tracks {
      #expect(zip(track.events, track.events.dropFirst()).allSatisfy { $0.tick <= $1.tick }, message)
      #expect(track.events.last.map { $0.tick <= track.endTick } ?? true, message)
      let notes = MIDIFileNotes(track)
      #expect(notes.notes.allSatisfy { $0.start <= $0.end && $0.end <= track.endTick }, message)
    }
    guard !file.tracks.isEmpty, file.tracks.allSatisfy({ $0.endTick < 1 << 28 }), let written = try? file.encoded()
    else { return }
    let again = try MIDIFile.read(written)
    #expect(again.file == file, message)
    #expect(again.flaws.first.allSatisfy { $0.problem == .severalTracksInFormat0 }, message)
  }

  /// Changes bytes, takes some away, adds some, or cuts the end; lengths and quantities more often than others.
  static func broken(_ whole: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    var bytes = whole
    if Int.random(in: 0...9, using: &random) == 0 { bytes = MIDIFileBytes.wrapped(bytes) }
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let reach = Bool.random(using: &random) ? bytes.count : min(bytes.count, 40)
      let place = Int.random(in: 0..<reach, using: &random)
      let interesting: [UInt8] = [0, 1, 0x2f, 0x7f, 0x80, 0x90, 0xc0, 0xf0, 0xf7, 0xff]
      let value = interesting.randomElement(using: &random) ?? 0
      switch Int.random(in: 0...7, using: &random) {
      case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(value, at: place)
      case 3: bytes.replaceSubrange(place..<min(place + 4, bytes.count), with: [0xff, 0xff, 0xff, 0xff])
      case 4: bytes.insert(contentsOf: Array("MTrk\u{0}\u{0}\u{0}".utf8) + [value], at: place)
      case 5: bytes.insert(contentsOf: bytes[place..<min(place + 30, bytes.count)], at: place)
      case 6: bytes[place] = UInt8.random(in: 0...255, using: &random)
      default: bytes[place] = value
      }
    }
    return bytes
  }

  /// Each track claims to be as long as the file, or empty; the bytes between mean something in every way that they can
  /// be taken.
  @Test(arguments: [0, 3, 0xff_ffff, 0xffff_ffff])
  func manyTracksThatLieTakeNoLongerThanTheyAreLong(length: Int) throws {
    let odd = MIDIFileBytes.chunk("MTrk", [0, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0], length: length)
    let bytes = MIDIFileBytes.header(trackCount: 1) + (0..<60_000).flatMap { $0 % 7 == 0 ? odd + [0] : odd }
    let reading = try MIDIFile.read(bytes, isLenient: true)
    #expect(reading.file.tracks.reduce(0) { $0 + $1.events.count } <= bytes.count / 2)
  }
}
