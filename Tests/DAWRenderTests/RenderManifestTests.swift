import DAWErrors
import DAWMedia
import DAWTestSupport
import Foundation
import Testing

@testable import DAWRender

@Suite("Manifests")
struct RenderManifestTests {
  private func manifest(of name: String) -> RenderManifest {
    RenderManifest(
      file: RenderManifest.File(name: name, byteCount: 4, sha256: "f"),
      samples: RenderManifest.Samples(sha256: "s", frames: 2, sampleRate: 48_000, spanFrames: 48_000, spans: ["a"]),
      project: RenderManifest.ProjectState(id: "p", name: "Song", revision: 3, sha256: "t"), arguments: ["--to", name],
      settings: ["rate": "48000"], media: [RenderManifest.Medium(path: "Audio/a.wav", sha256: "m")],
      tracks: [RenderManifest.Part(id: "1", name: "Drums", sha256: "d")], versions: ["daw": "1"],
      machine: Machine.current)
  }

  private func write(_ manifest: RenderManifest, beside file: String) throws {
    try Data("mix".utf8).write(to: URL(fileURLWithPath: file))
    try JSONEncoder().encode(manifest).write(to: URL(fileURLWithPath: RenderManifest.path(beside: file)))
  }

  @Test("Hashing and comparing for one end when they are interrupted")
  func interruptions() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(WaveFixture(.int16).file(data: [1, 0, 2, 0, 3, 0]), to: "a.wav")
    #expect(throws: MediaWorkError.cancelled) { try RenderManifest.File(ofFile: path) { _, _ in false } }
    #expect(throws: MediaWorkError.cancelled) { try firstDifferentFrame(path, path) { _, _ in false } }
    #expect(try firstDifferentFrame(path, path) { _, _ in true } == nil)
  }

  @Test("One is read as it was written")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("mix.wav")
    try write(manifest(of: "mix.wav"), beside: file)
    #expect(try RenderManifest.read(beside: file) == manifest(of: "mix.wav"))
  }

  @Test("A name that leads out of the folder is refused", arguments: ["", ".", "..", "../mix.wav", "/mix.wav"])
  func names(name: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.path("mix.wav")
    try write(manifest(of: name), beside: file)
    let failure = try #require(throws: Failure.self) { try RenderManifest.read(beside: file) }
    #expect(failure.code == "invalidManifest")
  }

  @Test("One that is too long is refused before it is read")
  func length() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("mix.wav")
    try write(manifest(of: "mix.wav"), beside: file)
    try #require(truncate(RenderManifest.path(beside: file), 3 << 30) == 0)
    let failure = try #require(throws: Failure.self) { try RenderManifest.read(beside: file) }
    #expect(failure.code == "invalidManifest" && failure.message.contains("more than 64 MiB"))
  }

  @Test("Changes are reported by name")
  func changes() {
    let earlier = manifest(of: "mix.wav")
    var later = earlier
    #expect(later.changes(since: earlier) == [])
    later.media[0].sha256 = "n"
    later.tracks[0].sha256 = "e"
    later.settings["rate"] = nil
    #expect(
      later.changes(since: earlier) == [
        "medium 'Audio/a.wav' has other bytes", "track 'Drums' has changed", "rate: 48000 then, none now",
      ])
  }
}
