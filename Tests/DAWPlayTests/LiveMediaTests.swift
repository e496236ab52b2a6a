import DAWMedia
import DAWModel
import DAWProject
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWPlay

@Suite struct LiveMediaTests {
  private let folder: TemporaryFolder
  private let path: String
  /// With one region of the file at `path`.
  private var project: Project

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("Song.daw/Audio/a.wav")
    try FileManager.default.createDirectory(atPath: folder.path("Song.daw/Audio"), withIntermediateDirectories: true)
    let rate = SampleRate(hertz: 48_000)
    let sink = try audioFileSink(
      at: Place(path: path), format: AudioFileFormat(encoding: .int16, sampleRate: rate, channelCount: 1))
    let silence = PlanarBuffer(channelCount: 1, capacity: 480)
    try sink.append(planar: silence.channels, frameCount: 480)
    try sink.finish()
    let digest = try sha256(ofFile: path)
    let file = AudioFile(
      id: AudioFileID(rawValue: 1),
      location: MediaLocation(
        path: "Audio/a.wav", sha256: digest.sha256, byteCount: digest.byteCount,
        modificationTime: digest.modificationTime), frames: FrameCount(frames: 480), sampleRate: rate, channelCount: 1,
      format: "WAV")
    project = Project(
      id: try #require(ProjectID(uuidString: "0b9ad1a1-2c5f-4d7c-8a2f-2ad2ffb54cf3")),
      createdDate: Timestamp(milliseconds: 0), settings: ProjectSettings(name: Name(literal: "Song")))
    project.insert([file])
    insert(AudioSpan(file: file.id, duration: file.duration))
  }

  private mutating func insert(_ span: AudioSpan) {
    project.insert([
      Region(id: RegionID(rawValue: 2), track: TrackID(rawValue: 3), start: .absolute(.zero), content: .audio(span))
    ])
  }

  private func media() -> LiveMedia {
    LiveMedia(folder: ProjectFolder(path: folder.path("Song.daw")), cacheFolder: Place(path: folder.path("Cache")))
  }

  @Test mutating func ofAFileWithOtherBytesNoCopyThatWasMadeOfTheOldOnesIsPlayed() throws {
    let recorded = try sha256(ofFile: path).sha256
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
    let time = timespec(tv_sec: 1_000_000_000, tv_nsec: 0)
    try #require(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    // The file itself is played as it is, and is not read for that.
    var played = media()
    #expect(played.look(at: project).table.audioFiles.values.map(\.sha256) == [recorded])
    var span = try #require(project.regions.values.first?.audio)
    span.isReversed = true
    insert(span)
    var reversed = media()
    let conversion = try #require(reversed.look(at: project).conversions.first)
    try reversed.convert(conversion) { true }
    #expect(try reversed.look(at: project).table.reversedFiles.values.map(\.sha256) == [sha256(ofFile: path).sha256])
  }

  @Test mutating func aFileThatIsPlayedNoLongerMayVanish() throws {
    var media = media()
    let first = media.look(at: project)
    #expect(first.table.audioFiles.count == 1 && media.isAsFound)
    try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
    let second = media.look(at: project)
    #expect(second.vanished.count == 1 && !media.isAsFound)
    project.regions = [:]
    let third = media.look(at: project)
    #expect(third.vanished.isEmpty && media.isAsFound)
  }
}
