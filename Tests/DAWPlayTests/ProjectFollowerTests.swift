import DAWEngine
import DAWErrors
import DAWModel
import DAWProject
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWPlay

@Suite("A project that is followed while it plays")
struct ProjectFollowerTests {
  @Test("Each rate at which the project cannot be played is said once, until it can be again")
  func rates() throws {
    let folder = try TemporaryFolder()
    let project = ProjectFolder(path: folder.path("Song.daw"))
    let session = try Session.create(
      project, settings: ProjectSettings(name: Name("Song")), origin: .init(author: "test", commandLine: "test"))
    defer { session.close() }
    let other = try Session.open(project)
    defer { other.close() }
    let engine = LiveEngine(LiveOptions(sampleRate: 48_000)) { _ in throw StreamError.stopped }
    defer { engine.shutDown() }
    let follower = ProjectFollower(session, PlayRequest(), engine: engine, midi: nil)
    _ = try follower.begin()
    follower.start()
    defer { follower.end() }
    var said: [String] = []
    var revision: Int64 = 0
    func follow(until condition: () -> Bool) -> Bool {
      for _ in 0..<1_000 where !condition() {
        usleep(10_000)
        for event in follower.takeEvents() {
          if case .problem(let failure) = event { said.append(failure.message) }
          if case .plays(let project, _, _) = event { revision = project.revision }
        }
      }
      return condition()
    }
    func set(_ hertz: Int) throws -> Int64 {
      var change = Change<ProjectSettings>()
      change.set(\.sampleRate, to: SampleRate(hertz: hertz))
      return try other.edit(.init(author: "test", commandLine: "test")) { try $0.setProject(change) }.revision
    }
    for round in 1...2 {
      for (hertz, count) in [(44_100, 1), (96_000, 2), (44_100, 2)] {
        _ = try set(hertz)
        let isSaid = follow { said.count >= 2 * (round - 1) + count }
        #expect(isSaid, "\(said)")
        // Long enough for the follower to have seen it, which looks some hundredths of a second after an edit.
        usleep(300_000)
      }
      let last = try set(48_000)
      let isHeard = follow { revision >= last }
      #expect(isHeard && said.count == 2 * round, "\(said)")
    }
    #expect(said.allSatisfy { $0.contains("Hz now") }, "\(said)")
  }
}
