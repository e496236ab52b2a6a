import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Media that an edit imports")
struct IncomingMediaTests {
  private let folder: TemporaryFolder
  private let project: ProjectFolder
  private let wave: String
  private let origin = EditOrigin(author: "test", commandLine: "test")

  init() throws {
    folder = try TemporaryFolder()
    project = ProjectFolder(path: folder.path("Song.daw"))
    wave = try folder.write(WaveFixture(.int16).file(data: [1, 0, 2, 0, 3, 0]), to: "a.wav")
    try Session.create(project, settings: ProjectSettings(name: Name("Song")), origin: origin).close()
  }

  private func incoming() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: project.incoming)) ?? [] }

  @Test("are copied before the transaction, while another process holds the write lock")
  func copiedBeforeTheTransaction() throws {
    let holder = try Session.open(project)
    defer { holder.close() }
    let (project, wave, origin) = (project, wave, origin)
    let hasEnded = Atomic(false)
    let end = DispatchSemaphore(value: 0)
    _ = try holder.edit(origin) { editor in
      _ = try editor.addTrack(named: "Bass")
      // A thread, since a task may have to wait until other tests are done.
      Thread.detachNewThread {
        defer {
          hasEnded.store(true, ordering: .releasing)
          end.signal()
        }
        #expect(throws: Never.self) {
          let session = try Session.open(project)
          defer { session.close() }
          // Where the holder cannot look in time, the busy project is given up, and it is tried again.
          var tries = 0
          while true {
            do {
              _ = try session.edit(origin, bringingIn: [IncomingFile(path: wave, isLinked: false)]) { editor in
                _ = try editor.importAudio(file: wave, isLinked: false)
              }
              break
            } catch let failure as Failure where failure.kind == .tryAgain && tries < 20 { tries += 1 }
          }
        }
      }
      var copies = incoming()
      while copies.isEmpty, !hasEnded.load(ordering: .acquiring) {
        usleep(1_000)
        copies = incoming()
      }
      #expect(copies.count == 1)
    }
    end.wait()
    #expect(try holder.read { try $0.audioFiles().map(\.location.path) } == ["Audio/a.wav"])
    #expect(incoming().isEmpty)
  }

  @Test("are refused where they lie in 'Audio', and 'clean' has removed them before the edit could name them")
  func removedMeanwhile() throws {
    let session = try Session.open(project)
    defer { session.close() }
    let path = project.audio + "/b.wav"
    try FileManager.default.copyItem(atPath: wave, toPath: path)
    let before = try session.read { try $0.revision() }
    let failure = #expect(throws: Failure.self) {
      _ = try session.edit(origin, bringingIn: [IncomingFile(path: path, isLinked: false)]) { editor in
        // As 'clean' does before the transaction begins.
        try FileManager.default.removeItem(atPath: path)
        _ = try editor.importAudio(file: path, isLinked: false)
      }
    }
    #expect(failure?.code == "fileNotFound")
    #expect(try session.read { try $0.audioFiles().isEmpty && $0.revision() == before })
  }

  @Test("leave no copy behind if the edit fails, is a trial, or did not need it", arguments: [0, 1, 2])
  func nothingIsLeft(way: Int) throws {
    let session = try Session.open(project)
    defer { session.close() }
    let files = [IncomingFile(path: wave, isLinked: false)]
    struct GivenUp: Error {}
    if way == 0 {
      #expect(throws: Failure.self) { try session.edit(origin, bringingIn: files) { _ in throw GivenUp() } }
    } else {
      _ = try session.edit(origin, isTrial: way == 1, bringingIn: files) { editor in
        if way == 1 { _ = try editor.importAudio(file: wave, isLinked: false) }
      }
    }
    #expect(incoming().isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: project.audio).filter { $0 != ".incoming" }.isEmpty)
  }

  @Test("leave no file if the second of two cannot be moved: the first is removed")
  func theFirstIsTakenAway() throws {
    let session = try Session.open(project)
    defer { session.close() }
    let other = try folder.write(WaveFixture(.int16).file(data: [9, 0, 8, 0]), to: "b.wav")
    let revision = try session.read { try $0.header().revision }
    do {
      _ = try session.edit(origin) { editor in
        for file in [wave, other] { _ = try editor.importAudio(file: file, isLinked: false) }
        // Another process takes the name in the last moment.
        try Data("another's".utf8).write(to: URL(fileURLWithPath: project.audio + "/b.wav"))
      }
      Issue.record("The edit was done.")
    } catch let failure as Failure {
      #expect(failure.kind == .io)
    }
    #expect(try session.read { try $0.header().revision } == revision)
    #expect(try media() == ["b.wav"])
    #expect(try String(contentsOfFile: project.audio + "/b.wav", encoding: .utf8) == "another's")
    #expect(incoming().isEmpty)
  }

  @Test("are not written through a link that replaces Audio/ at the last moment")
  func audioIsSwapped() throws {
    let session = try Session.open(project)
    defer { session.close() }
    let outside = folder.path("outside")
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: false)
    do {
      _ = try session.edit(origin) { editor in
        _ = try editor.importAudio(file: wave, isLinked: false)
        try FileManager.default.moveItem(atPath: project.audio, toPath: project.path + "/Old")
        try FileManager.default.createSymbolicLink(atPath: project.audio, withDestinationPath: outside)
      }
      Issue.record("The edit was done.")
    } catch let failure as Failure {
      #expect(failure.kind == .io)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: project.path + "/Old").filter { $0 != ".incoming" }.isEmpty)
  }

  @Test(
    "come from one file as it is, and compressed in several ways, in one edit",
    arguments: [[nil, .lossless], [.lossless, nil], [.lossless, .high, nil]] as [[Retention.Quality?]])
  func oneFileInSeveralWays(qualities: [Retention.Quality?]) throws {
    let session = try Session.open(project)
    defer { session.close() }
    let long = try folder.write(
      WaveFixture(.int16).file(data: (0..<9_600).map { UInt8(truncatingIfNeeded: $0 % 7) }), to: "long.wav")
    let files = qualities.map { IncomingFile(path: long, isLinked: false, quality: $0) }
    _ = try session.edit(origin, bringingIn: files) { editor in
      for quality in qualities { _ = try editor.importAudioFile(at: long, isLinked: false, quality: quality) }
    }
    let expected = qualities.map { quality in
      switch quality {
      case nil: "long.wav"
      case .lossless: "long.flac"
      default: "long.ogg"
      }
    }
    #expect(try media() == expected.sorted())
    let plain = URL(fileURLWithPath: project.audio + "/long.wav")
    #expect(try Data(contentsOf: plain) == Data(contentsOf: URL(fileURLWithPath: long)))
    #expect(incoming().isEmpty)
  }

  @Test("are not hidden in Audio/, and take no name that daw needs there")
  func names() throws {
    let session = try Session.open(project)
    defer { session.close() }
    var expected: [String] = []
    for (number, (name, own)) in [
      (".a.wav", "a.wav"), ("..a.wav", "a 2.wav"), (".trash", "trash"), ("Recordings", "Recordings 2"),
    ].enumerated() {
      let file = try folder.write(WaveFixture(.int16).file(data: [UInt8(number), 0, 2, 0]), to: name)
      _ = try session.edit(origin) { _ = try $0.importAudioFile(at: file, isLinked: false) }
      expected.append(own)
      #expect(try media() == expected.sorted())
    }
    #expect(try Set(session.read { try $0.audioFiles().map(\.location.path) }) == Set(expected.map { "Audio/" + $0 }))
  }

  private func media() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: project.audio).filter { $0 != ".incoming" }.sorted()
  }
}
