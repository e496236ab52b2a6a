import DAWErrors
import DAWModel
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWRender

@Suite("The sound of regions")
struct RegionSoundsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A file of 4,800 frames, the left channel of 0.5 and the others of 0.25, and its row, which says that it is stereo.
  private func file(channelCount: Int) throws -> (path: String, row: AudioFile) {
    let frame: [UInt8] = [0x00, 0x40] + [[UInt8]](repeating: [0x00, 0x20], count: channelCount - 1).joined()
    let data = Array([[UInt8]](repeating: frame, count: 4_800).joined())
    let path = try folder.write(WaveFixture(.int16, channelCount: channelCount).file(data: data), to: "sound.wav")
    let row = AudioFile(
      id: AudioFileID(rawValue: 1), location: MediaLocation(path: path, sha256: "", byteCount: 0, modificationTime: 0),
      frames: FrameCount(frames: 4_800), sampleRate: SampleRate(hertz: 48_000), channelCount: 2, format: "WAV")
    return (path, row)
  }

  private func span(_ channels: ChannelSelection) -> AudioSpan {
    AudioSpan(file: AudioFileID(rawValue: 1), duration: .milliseconds(100), channels: channels)
  }

  @Test(
    "The channels that a region plays are measured",
    arguments: [(.all, 0.5), (.mix, 0.375), (.single(1), 0.25), (.pair(1, 1), 0.25)] as [(ChannelSelection, Float)])
  func channels(selection: ChannelSelection, peak: Float) throws {
    let file = try file(channelCount: 2)
    var sounds = RegionSounds()
    try sounds.measure([span(selection)]) { _ in file }
    #expect(sounds.sounds[span(selection)]?.peak == peak)
  }

  @Test(
    "A file that has other channels than its row says is refused",
    arguments: [(1, .mix), (1, .single(1)), (1, .pair(0, 1)), (4, .all)] as [(Int, ChannelSelection)])
  func otherChannels(channelCount: Int, selection: ChannelSelection) throws {
    let file = try file(channelCount: channelCount)
    let failure = try #require(throws: Failure.self) {
      var sounds = RegionSounds()
      try sounds.measure([span(selection)]) { _ in file }
    }
    #expect(failure.code == Rule.channelsFitFile.rawValue)
  }
}
