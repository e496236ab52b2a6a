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
    let driver = LiveDriver(engine, seed: 1)
    var said: [String] = []
    var revision: Int64 = 0
    func takeEvents() {
      for event in follower.takeEvents() {
        if case .problem(let failure) = event { said.append(failure.message) }
        if case .plays(let project, _, _) = event { revision = project.revision }
      }
    }
    func follow(until condition: () -> Bool) -> Bool {
      let deadline = ContinuousClock.now + .seconds(LiveDriver.patience)
      while !condition(), ContinuousClock.now < deadline {
        usleep(5_000)
        takeEvents()
      }
      return condition()
    }
    /// Waits until the follower has looked at the project once more: a start that is held waits for that.
    func hasLooked() -> Bool {
      follower.holdStart()
      guard engine.send(.start) else { return false }
      let rolls = follow {
        driver.playBlock(1)
        return engine.record.state == .rolling
      }
      guard engine.send(.stop) else { return false }
      let stops = follow {
        driver.playBlock(256)
        return engine.record.state == .stopped
      }
      takeEvents()
      // Nor has it rolled for want of patience.
      return rolls && stops && engine.record.startTimeoutCount == 0
    }
    func set(_ hertz: Int) throws -> Int64 {
      var change = Change<ProjectSettings>()
      change.set(\.sampleRate, to: SampleRate(hertz: hertz))
      return try other.edit(.init(author: "test", commandLine: "test")) { try $0.setProject(change) }.revision
    }
    for round in 1...2 {
      for (hertz, count) in [(44_100, 1), (96_000, 2), (44_100, 2)] {
        _ = try set(hertz)
        #expect(hasLooked())
        #expect(said.count == 2 * (round - 1) + count, "\(said)")
      }
      let last = try set(48_000)
      let isHeard = follow { revision >= last }
      #expect(isHeard && said.count == 2 * round, "\(said)")
    }
    #expect(said.allSatisfy { $0.contains("Hz now") }, "\(said)")
  }

  @Test("That another copy has taken the project's place is said when it is heard, though it cannot be played at first")
  func replaced() throws {
    let folder = try TemporaryFolder()
    let project = ProjectFolder(path: folder.path("Song.daw"))
    let copy = ProjectFolder(path: folder.path("Copy.daw"))
    let session = try Session.create(
      project, settings: ProjectSettings(name: Name("Song")), origin: .init(author: "test", commandLine: "test"))
    defer { session.close() }
    func set(_ hertz: Int, in folder: ProjectFolder) throws -> Int64 {
      let session = try Session.open(folder)
      defer { session.close() }
      var change = Change<ProjectSettings>()
      change.set(\.sampleRate, to: SampleRate(hertz: hertz))
      return try session.edit(.init(author: "test", commandLine: "test")) { try $0.setProject(change) }.revision
    }
    try session.copy(to: copy, keepsID: true, origin: .init(author: "test", commandLine: "test")).close()
    _ = try set(44_100, in: copy)
    let engine = LiveEngine(LiveOptions(sampleRate: 48_000)) { _ in throw StreamError.stopped }
    defer { engine.shutDown() }
    let follower = ProjectFollower(session, PlayRequest(), engine: engine, midi: nil)
    _ = try follower.begin()
    follower.start()
    defer { follower.end() }
    let driver = LiveDriver(engine, seed: 1)
    var said: [String] = []
    var replacements: [Int64] = []
    func follow(until condition: () -> Bool) -> Bool {
      let deadline = ContinuousClock.now + .seconds(LiveDriver.patience)
      while !condition(), ContinuousClock.now < deadline {
        usleep(5_000)
        driver.playBlock(64)
        for event in follower.takeEvents() {
          if case .problem(let failure) = event { said.append(failure.message) }
          if case .replaced(let project) = event { replacements.append(project.revision) }
        }
      }
      return condition()
    }
    #expect(rename(project.path, folder.path("Was.daw")) == 0 && rename(copy.path, project.path) == 0)
    let isRefused = follow { said.contains { $0.contains("44100 Hz now") } }
    #expect(isRefused && replacements.isEmpty, "\(said)")
    let revision = try set(48_000, in: project)
    let isSaid = follow { !replacements.isEmpty }
    #expect(isSaid && replacements == [revision], "\(said), \(replacements)")
  }
}
