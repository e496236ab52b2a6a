import DAWMedia
import DAWTestSupport
import Foundation
import Testing

/// Files made by other people's programs, compared event by event with what python3-mido reads.
@Suite struct MIDIFileSecondReaderTests {
  static let songs = RealMIDIFiles.paths

  @Test(.enabled(if: isComplete || !songs.isEmpty, "Debian's openttd-openmsx, songs as MIDI files, is not installed."))
  func realFilesAreInOrder() throws {
    try #require(!Self.songs.isEmpty)
    for path in Self.songs {
      let reading = try MIDIFile.read(path: path)
      #expect(reading.flaws.isEmpty, "\(path): \(reading.flaws)")
      #expect(reading.file.tracks.contains { !MIDIFileNotes($0).notes.isEmpty }, "\(path)")
    }
  }

  @Test(
    .enabled(if: isComplete || !songs.isEmpty, "Debian's openttd-openmsx, songs as MIDI files, is not installed."),
    .enabled(if: isComplete || Mido.isInstalled, "python3-mido, a second reader of MIDI files, is not installed."))
  func aSecondReaderFindsTheSameEvents() throws {
    try #require(!Self.songs.isEmpty)
    let theirs = try Mido.read(Self.songs)
    for (path, theirs) in zip(Self.songs, theirs) {
      let ours = try MIDIFile.read(path: path).file
      #expect(ours.division == .ticksPerQuarter(theirs.division), "\(path)")
      #expect(ours.tracks.map(Mido.messages) == theirs.tracks, "\(path)")
    }
  }

  @Test(.enabled(if: isComplete || Mido.isInstalled, "python3-mido, a second reader of MIDI files, is not installed."))
  func aSecondReaderFindsInWrittenFilesWhatWasWritten() throws {
    let seed = Seed.current()
    var random = RandomMIDIFile(seed: seed)
    random.highestByte = 127
    let folder = try TemporaryFolder()
    // It knows no time code.
    let files = (0..<60).map { _ in random.next() }.filter { $0.division.ticksPerSecond == nil }
    let paths = files.indices.map { folder.path("\($0).mid") }
    for (file, path) in zip(files, paths) { try file.write(at: path, replaces: false) }
    for (file, theirs) in zip(files, try Mido.read(paths)) {
      #expect(file.tracks.map(Mido.messages) == theirs.tracks, "seed \(seed)")
    }
  }
}

/// The MIDI file reader of Ole Martin Bjørndalen's mido, run by Python.
enum Mido {
  struct File: Decodable {
    var division: Int
    /// Track by track the channel messages and system exclusive: tick and bytes.
    var tracks: [[[Int]]]
  }

  static let isInstalled = (try? run("import mido", [])) != nil

  static func read(_ paths: [String]) throws -> [File] {
    // Metas whose bodies make no sense stop it, so the bytes of metas are left alone.
    let program = """
      import json, mido, mido.midifiles.midifiles as reader, sys
      reader.build_meta_message = lambda kind, data, delta=0: mido.UnknownMetaMessage(kind, data, delta)
      def messages(track):
          tick = 0
          for message in track:
              tick += message.time
              if not message.is_meta: yield [tick] + message.bytes()
      print(json.dumps([{'division': file.ticks_per_beat, 'tracks': [list(messages(track)) for track in file.tracks]}
        for file in map(mido.MidiFile, sys.argv[1:])]))
      """
    return try JSONDecoder().decode([File].self, from: run(program, paths))
  }

  /// The same of our reading. mido takes escapes for system exclusive, and ends every one with 0xF7.
  static func messages(_ track: MIDIFileTrack) -> [[Int]] {
    track.events.compactMap { event in
      guard event.status != MIDIFileEvent.meta else { return nil }
      var bytes: [UInt8]
      if let message = event.message {
        bytes = [event.status] + [event.data1, event.data2].prefix(message.dataByteCount)
      } else {
        bytes = [0xf0] + track.payload(of: event)
        if bytes.last != 0xf7 || bytes.count == 1 { bytes.append(0xf7) }
      }
      return [Int(event.tick)] + bytes.map(Int.init)
    }
  }

  private struct Failed: Error { var status: Int32 }

  private static func run(_ program: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    // Debian's own, for which the package is.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", program] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.start()
    let result = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
    return result
  }
}
