import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation
import Testing

/// No incomplete file has its final name, and no temporary file is left.
@Suite struct AtomicWriteTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  static let containers = AudioFileFormat.Container.allCases.filter { !$0.isLossy }

  private func format(_ container: AudioFileFormat.Container = .wave) -> AudioFileFormat {
    AudioFileFormat(
      container: container, encoding: .int16, sampleRate: SampleRate(hertz: 48_000), channelCount: 1)
  }

  private static let samples = Signal.noise(seed: 9, frames: 1_000, channels: 1)

  @Test(arguments: containers)
  func aSinkThatIsCancelledOrLetGoLeavesNothing(container: AudioFileFormat.Container) throws {
    for isCancelled in [true, false] {
      var sink: (any AudioFileSink)? = try audioFileSink(
        at: Place(path: folder.path("a.wav")), format: format(container))
      try sink?.append(interleaved: Self.samples, frameCount: 1_000)
      #expect(try folder.names().allSatisfy { $0.hasPrefix(".a.wav.partial-") })
      if isCancelled { sink?.cancel() }
      sink = nil
      #expect(try folder.names().isEmpty)
    }
  }

  @Test(arguments: containers)
  func anExistingFileIsRefusedOrReplacedWhole(container: AudioFileFormat.Container) throws {
    let path = try folder.write([1, 2, 3], to: "a.wav")
    #expect(throws: AudioFileWriteError.exists(path: path)) {
      try audioFileSink(at: Place(path: path), format: format(container))
    }
    let sink = try audioFileSink(at: Place(path: path), format: format(container), replaces: true)
    try sink.append(interleaved: Self.samples, frameCount: 1_000)
    #expect(try folder.bytes(of: "a.wav") == [1, 2, 3])
    try sink.finish()
    #expect(try AudioFileFacts.read(path: path).frames.frames == 1_000)
    #expect(try folder.names() == ["a.wav"])
  }

  @Test func aFileThatAppearsWhileWritingIsLeftAlone() throws {
    let path = folder.path("a.wav")
    let sink = try audioFileSink(at: Place(path: path), format: format())
    try sink.append(interleaved: Self.samples, frameCount: 1_000)
    try folder.write([1, 2, 3], to: "a.wav")
    #expect(throws: AudioFileWriteError.exists(path: path)) { try sink.finish() }
    #expect(try folder.bytes(of: "a.wav") == [1, 2, 3])
    #expect(try folder.names() == ["a.wav"])
  }

  @Test func abandonedFilesAreRemovedAndFilesInUseStay() throws {
    try folder.write([1], to: ".a.wav.partial-0badcafe")
    try folder.write([1], to: ".b.wav.partial-0badcafe")
    let first = try audioFileSink(at: Place(path: folder.path("a.wav")), format: format())
    let second = try audioFileSink(at: Place(path: folder.path("a.wav")), format: format())
    #expect(try folder.names().count { $0.hasPrefix(".a.wav.partial-") } == 2)
    #expect(try folder.names().contains(".a.wav.partial-0badcafe") == false)
    #expect(try folder.names().contains(".b.wav.partial-0badcafe"))
    try first.finish()
    #expect(throws: AudioFileWriteError.self) { try second.finish() }
  }

  @Test(arguments: ["real.wav", "nothing.wav"])
  func aLinkIsReplacedAndItsTargetIsUnchanged(target: String) throws {
    try folder.write([1], to: "real.wav")
    let link = Place(path: folder.path("link.wav"))
    #expect(symlink(target, link.path) == 0)
    #expect(throws: AudioFileWriteError.exists(path: link.path)) { try audioFileSink(at: link, format: format()) }
    let sink = try audioFileSink(at: link, format: format(), replaces: true)
    try sink.append(interleaved: Self.samples, frameCount: 1_000)
    try sink.finish()
    #expect(try folder.bytes(of: "real.wav") == [1])
    #expect(try folder.names() == ["link.wav", "real.wav"])
    #expect(try Folder(path: folder.path).status(of: "link.wav")?.isFile == true)
    #expect(try AudioFileFacts.read(path: link.path).frames.frames == 1_000)
  }

  @Test func aLinkToAnOpenFileOfAProcessIsNotReplaced() throws {
    #expect(symlink("/proc/self/fd/1", folder.path("out")) == 0)
    #expect(throws: AudioFileWriteError.self) {
      try audioFileSink(at: Place(path: folder.path("out")), format: format(), replaces: true)
    }
    #expect(try folder.names() == ["out"])
  }

  @Test func onlyFilesAreReplaced() throws {
    #expect(throws: AudioFileWriteError.notAFile(path: "/dev/null", kind: "a device or a pipe")) {
      try audioFileSink(at: Place(path: "/dev/null"), format: format(), replaces: true)
    }
    #expect(throws: AudioFileWriteError.notAFile(path: folder.path, kind: "a folder")) {
      try audioFileSink(at: Place(path: folder.path), format: format(), replaces: true)
    }
    let path = folder.path("none/a.wav")
    #expect(throws: AudioFileWriteError.noFolder(path: path)) {
      try audioFileSink(at: Place(path: path), format: format())
    }
  }

  @Test func aFullDiskIsAnErrorOfItsOwn() throws {
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    let sink = try WaveWriter(descriptor: full, format: format(), frameCount: 1_000)
    try sink.append(interleaved: Self.samples, frameCount: 1_000)
    #expect(throws: AudioFileWriteError.diskFull(path: "standard output")) { try sink.finish() }
  }

  @Test func anUnsupportedFormatIsRefusedBeforeAFileIsMade() throws {
    var wanted = format(.flac)
    wanted.encoding = .float32
    let path = folder.path("a.flac")
    #expect(throws: AudioFileWriteError.unsupported(path: path, format: "FLAC, 32-bit float")) {
      try audioFileSink(at: Place(path: path), format: wanted)
    }
    wanted.encoding = .int16
    wanted.channelCount = 9
    #expect(throws: AudioFileWriteError.self) { try audioFileSink(at: Place(path: path), format: wanted) }
    #expect(try folder.names().isEmpty)
  }
}
