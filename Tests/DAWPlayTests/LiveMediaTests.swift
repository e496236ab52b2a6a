import DAWMedia
import DAWModel
import DAWProject
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWPlay

@Suite struct LiveMediaTests {
  @Test func aFileThatIsPlayedNoLongerMayVanish() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Song.daw/Audio/a.wav")
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
    let region = Region(
      id: RegionID(rawValue: 2), track: TrackID(rawValue: 3), start: .absolute(.zero),
      content: .audio(AudioSpan(file: file.id, duration: file.duration)))
    var project = Project(
      id: try #require(ProjectID(uuidString: "0b9ad1a1-2c5f-4d7c-8a2f-2ad2ffb54cf3")),
      createdDate: Timestamp(milliseconds: 0), settings: ProjectSettings(name: Name(literal: "Song")))
    project.insert([file])
    project.insert([region])
    var media = LiveMedia(
      folder: ProjectFolder(path: folder.path("Song.daw")), cacheFolder: Place(path: folder.path("Cache")))
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
