import CSndFile
import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation
import Testing

/// Any file is read or refused with an error; nothing crashes, hangs or reads out of bounds.
@Suite struct BrokenFileTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func refusal(of path: String) -> AudioFileError? {
    do throws(AudioFileError) {
      _ = try AudioFileFacts.read(path: path)
      return nil
    } catch {
      return error
    }
  }

  @Test func theErrorNamesWhatIsNotAnAudioFile() throws {
    #expect(refusal(of: folder.path("none")) == .missing(path: folder.path("none")))
    #expect(refusal(of: folder.path) == .notAFile(path: folder.path, kind: "a folder"))
    #expect(refusal(of: "/dev/zero") == .notAFile(path: "/dev/zero", kind: "a device"))
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    #expect(refusal(of: folder.path("pipe")) == .notAFile(path: folder.path("pipe"), kind: "a named pipe"))
    let empty = try folder.write([], to: "empty.wav")
    #expect(refusal(of: empty) == .empty(path: empty))
    for name in ["text.txt", "text.wav", "text.au", "text.mp3", "text.gsm", "text.vox"] {
      let text = try folder.write(Array("The quick brown fox jumps over the lazy dog. ".utf8), to: name)
      #expect(refusal(of: text) == .unrecognized(path: text))
    }
  }

  /// libsndfile's error on opening is global, and it closes the descriptor of a file that it refuses.
  @Test func threadsThatOpenFilesAtOnceGetTheirOwnErrors() async throws {
    let text = try folder.write(Array("The quick brown fox jumps over the lazy dog. ".utf8), to: "text.txt")
    // Sun's AU: header of 24 bytes, 16-bit PCM at 48 kHz, one channel.
    let header: [UInt32] = [0x2e73_6e64, 24, 200, 3, 48_000, 1]
    let sound = try folder.write(
      header.flatMap { $0.bigEndian.bytes } + [UInt8](repeating: 0, count: 200), to: "sound.au")
    try #require(refusal(of: sound) == nil)
    await withTaskGroup(of: (AudioFileError?, AudioFileError?).self) { group in
      for _ in 0..<2_000 {
        group.addTask { (self.refusal(of: sound), nil) }
        group.addTask { (self.refusal(of: text), .unrecognized(path: text)) }
      }
      for await (refusal, expected) in group { #expect(refusal == expected) }
    }
  }

  @Test func unsupportedChannelsRatesAndLengthsAreRefusedWithTheirNumber() throws {
    var fixture = WaveFixture(.int16, channelCount: 0)
    var path = try folder.write(fixture.file(data: [1, 2, 3, 4]), to: "a.wav")
    #expect(refusal(of: path) == .channelCount(path: path, found: 0))
    fixture.channelCount = 2_000
    path = try folder.write(fixture.file(data: [1, 2, 3, 4]), to: "a.wav")
    #expect(refusal(of: path) == .channelCount(path: path, found: 2_000))
    fixture.channelCount = 1
    for hertz in [0, 999, 768_001] {
      fixture.hertz = hertz
      path = try folder.write(fixture.file(data: [1, 2, 3, 4]), to: "a.wav")
      #expect(refusal(of: path) == .sampleRate(path: path, found: hertz))
    }
    fixture.hertz = 48_000
    path = try folder.write(fixture.file(data: [1]), to: "a.wav")
    #expect(refusal(of: path) == .noFrames(path: path))
  }

  @Test func everyErrorNamesTheFileAndWhatToDo() throws {
    let path = "/songs/a.wav"
    let errors: [AudioFileError] = [
      .missing(path: path), .notAFile(path: path, kind: "a folder"), .noPermission(path: path), .empty(path: path),
      .unrecognized(path: path), .damaged(path: path, reason: "x"), .noFrames(path: path),
      .channelCount(path: path, found: 0), .sampleRate(path: path, found: 1),
      .endsEarly(path: path, atFrame: 1, expectedFrames: 2), .changedWhileRead(path: path),
      .system(path: path, failure: SystemCallFailure(call: "read", code: EIO)),
    ]
    for error in errors {
      #expect(error.path == path)
      #expect(error.description.contains("'/songs/a.wav'"))
      #expect(error.description.split(separator: ". ").count >= 2, "\(error)")
    }
  }

  static let sources = [
    SF_FORMAT_WAV | SF_FORMAT_PCM_16, SF_FORMAT_WAV | SF_FORMAT_PCM_24, SF_FORMAT_WAVEX | SF_FORMAT_FLOAT,
    SF_FORMAT_RF64 | SF_FORMAT_PCM_16, SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM, SF_FORMAT_FLAC | SF_FORMAT_PCM_16,
    SF_FORMAT_AIFF | SF_FORMAT_PCM_16, SF_FORMAT_OGG | SF_FORMAT_VORBIS, SF_FORMAT_OGG | SF_FORMAT_OPUS,
    SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, SF_FORMAT_CAF | SF_FORMAT_PCM_24, SF_FORMAT_W64 | SF_FORMAT_PCM_16,
  ]

  @Test(arguments: sources)
  func changedBytesAreReadOrRefused(code: Int) throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed &+ UInt64(code))
    let sound = Signal.sine(frequency: 440, rate: 48_000, frames: 2_400, channels: 2)
    try #require(LibSndFile.write(sound, channels: 2, format: code, to: folder.path("whole")))
    let whole = try folder.bytes(of: "whole")
    for round in 0..<60 {
      var bytes = whole
      // Wrong values do most harm in headers.
      let reach = round % 3 == 0 ? bytes.count : min(bytes.count, 120)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let value = [0, 1, 0x7f, 0x80, 0xff, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random)
        bytes[Int.random(in: 0..<reach, using: &random)] = value ?? 0
      }
      if round % 4 == 1 { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random)) }
      let path = try folder.write(bytes, to: "broken")
      guard let facts = try? AudioFileFacts.read(path: path) else { continue }
      let message: Testing.Comment = "seed \(seed), format \(String(code, radix: 16)), round \(round), \(facts)"
      #expect(AudioFileFacts.acceptedChannelCounts.contains(facts.channelCount), message)
      #expect(facts.frames.frames > 0, message)
      if let layout = facts.pcmLayout {
        // What the engine reads directly must be within the file.
        let end = layout.dataOffset + facts.frames.frames * Int64(layout.bytesPerFrame)
        #expect(end <= Int64(bytes.count), message)
      }
      // All frames of the facts can be read. But libsndfile 1.2 reads past the end of some broken headers, and so may
      // accept the same bytes once and refuse them the next time.
      let samples: [Float]
      do {
        samples = try AudioFileReader(path: path, facts: facts).allSamples()
      } catch let error as AudioFileError where facts.pcmLayout == nil {
        #expect(!error.description.isEmpty, message)
        continue
      }
      #expect(samples.count == Int(facts.frames.frames) * facts.channelCount, message)
      #expect(samples.count { !$0.isFinite } == 0, message)
    }
  }

  @Test func aFileOfTinyChunksIsRefusedInBoundedTime() throws {
    let fixture = WaveFixture(.int16)
    var bytes = Array(fixture.file(data: []).prefix(36))
    for _ in 0..<200_000 { bytes += WaveFixture.chunk("junk", []) }
    let path = try folder.write(bytes, to: "a.wav")
    #expect(refusal(of: path) != nil)
  }
}
