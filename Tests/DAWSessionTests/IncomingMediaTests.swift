import DAWMedia
import DAWModel
import DAWSession
import DAWStore
import DAWTestSupport
import Foundation
import Testing

@Suite("Media that an edit brings in")
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

  @Test("are copied before the transaction: while another holds the project, the copy is made already")
  func copiedBeforeTheTransaction() throws {
    let holder = try Session.open(project)
    defer { holder.close() }
    let (project, wave, origin) = (project, wave, origin)
    let end = DispatchSemaphore(value: 0)
    _ = try holder.edit(origin) { editor in
      _ = try editor.addTrack(named: "Bass", TrackChange())
      // A thread, since a task may have to wait until other tests are done.
      Thread.detachNewThread {
        defer { end.signal() }
        #expect(throws: Never.self) {
          let session = try Session.open(project)
          defer { session.close() }
          _ = try session.edit(origin, bringingIn: [IncomingFile(path: wave, isLinked: false)]) { editor in
            _ = try editor.importAudio(file: wave, isLinked: false, RegionChange())
          }
        }
      }
      // Less than a busy writer is waited for.
      for _ in 0..<300 where incoming().isEmpty { usleep(10_000) }
      #expect(incoming().count == 1)
    }
    end.wait()
    #expect(try holder.read { try $0.audioFiles().map(\.location.path) } == ["Audio/a.wav"])
    #expect(incoming().isEmpty)
  }

  @Test("leave no copy behind where the edit fails, is only tried, or did not need it", arguments: [0, 1, 2])
  func nothingIsLeft(way: Int) throws {
    let session = try Session.open(project)
    defer { session.close() }
    let files = [IncomingFile(path: wave, isLinked: false)]
    struct GivenUp: Error {}
    if way == 0 {
      #expect(throws: Failure.self) { try session.edit(origin, bringingIn: files) { _ in throw GivenUp() } }
    } else {
      _ = try session.edit(origin, isTrial: way == 1, bringingIn: files) { editor in
        if way == 1 { _ = try editor.importAudio(file: wave, isLinked: false, RegionChange()) }
      }
    }
    #expect(incoming().isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: project.audio).filter { $0 != ".incoming" }.isEmpty)
  }
}
