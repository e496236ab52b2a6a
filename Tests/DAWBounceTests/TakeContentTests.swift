import DAWEngine
import DAWMedia
import DAWTestSupport
import Foundation
import Testing

@testable import DAWBounce

@Suite struct TakeContentTests {
  /// A kept render of a take must not outlive a change to one of its segments.
  @Test func aTakeIsAnotherWhenASegmentIs() throws {
    let folder = try TemporaryFolder()
    let wave = WaveFixture(.int16).file(data: [1, 0, 2, 0])
    let lines = (1...2).map { index in
      #"{"index":\#(index),"startFrame":\#(2 * index),"frames":2,"name":"Vox.\#(index).wav","dataOffset":44,"byteCount":48}"#
    }
    let head = #"{"recording":1,"pass":2,"sampleRate":48000,"encoding":"int16","channels":1,"frames":6,"segments":2}"#
    for index in 1...2 { try folder.write(wave, to: "Vox.\(index).wav") }
    let path = try folder.write(
      Array((["daw-take 1", head] + lines).map { $0 + "\n" }.joined().utf8), to: "Vox.1.take")
    let source = AudioSource(path: path, sha256: "", facts: try AudioFileFacts.read(path: path))
    #expect(!source.isDecoded && source.streamEncoding == .float32)
    let first = try #require(SourceContent(source))
    #expect(SourceContent(source) == first)
    // Another file in its place.
    try folder.write(wave, to: "other")
    #expect(rename(folder.path("other"), folder.path("Vox.2.wav")) == 0)
    #expect(try #require(SourceContent(source)) != first)
    #expect(unlink(folder.path("Vox.1.wav")) == 0)
    #expect(SourceContent(source) == nil)
  }

  /// As another program may change a recording in its place.
  @Test func aFileIsAnotherWhenItsBytesAreThoughItsTimeIsGivenBack() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(WaveFixture(.int16).file(data: [1, 0, 2, 0]), to: "a.wav")
    let time = timespec(tv_sec: 1_000_000_000, tv_nsec: 0)
    try #require(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    let source = AudioSource(path: path, sha256: "", facts: try AudioFileFacts.read(path: path))
    let first = try #require(SourceContent(source))
    // Longer than a tick of the clock.
    usleep(50_000)
    try Data(WaveFixture(.int16).file(data: [1, 0, 3, 0])).write(to: URL(fileURLWithPath: path))
    try #require(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    #expect(try #require(SourceContent(source)) != first)
  }
}
