import DAWEngine
import DAWModel
import DAWTestSupport
import Testing

@testable import DAWCompiler

/// - Parameter check: gets the song, the number of its tracks, and a description for failures.
private func forRandomMixers(_ count: Int, _ check: (Song, Int, String) throws -> Void) throws {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  for number in 0..<count {
    let song = Song.randomMixer(&random)
    try check(song, song.tracks.count - 1, "seed \(seed), mixer \(number)")
  }
}

@Test func randomMixersAreWhatTheDefinitionsSay() throws {
  var soundingCount = 0
  try forRandomMixers(400) { song, count, name in
    let project = try song.project
    for soloed in [nil, Set([TrackID(rawValue: 1)])] {
      let options = CompileOptions(soloedTracks: soloed)
      let plan = try song.plan(options)
      let run = SignalRun(plan, sourceCount: count)
      #expect(run.mistakes.isEmpty, "\(name): \(run.mistakes)\n\(plan)")
      var expected = try #require(ExpectedMixer(project, options, sourceCount: count))
      let output = expected.output()
      #expect(run.output.isClose(to: output, within: 1e-5 * expected.largest), "\(name), \(options)\n\(plan)")
      if output.largest > 0 { soundingCount += 1 }
    }
  }
  #expect(soundingCount > 200)
}

@Test func eachBusAddsOutputsByTheirSourceAndThenSends() throws {
  var severalCount = 0
  try forRandomMixers(200) { song, count, name in
    for (strip, connections) in SignalRun(try song.plan(), sourceCount: count).added {
      let keys = connections.map { connection -> [Int64] in
        switch connection.kind {
        case .output: [0, connection.source.trackID]
        case .send(let id): [1, id]
        case .key(let id): [2, id]
        }
      }
      #expect(keys == keys.sorted { $0.lexicographicallyPrecedes($1) }, "\(name), \(strip)")
      if keys.count > 1 { severalCount += 1 }
    }
  }
  #expect(severalCount > 50)
}

@Test func directOutsChangeNothingInTheMix() throws {
  try forRandomMixers(200) { song, count, name in
    let plain = SignalRun(try song.plan(), sourceCount: count)
    let plan = try song.plan(CompileOptions(hasDirectOuts: true))
    let run = SignalRun(plan, sourceCount: count)
    #expect(run.mistakes.isEmpty, "\(name): \(run.mistakes)\n\(plan)")
    #expect(run.output == plain.output, "\(name)\n\(plan)")
    #expect(try song.plan().directOuts.isEmpty)
  }
}

@Test func theStemsAreTheMix() throws {
  try forRandomMixers(200) { song, count, name in
    let project = try song.project
    let mix = SignalRun(try song.plan(), sourceCount: count).output
    var sum = StereoSignal(sourceCount: count)
    let routing = Routing(project)
    for track in project.tracks.keys.sorted() where routing.feedsMaster(track) {
      let plan = try song.plan(CompileOptions(stem: track))
      let run = SignalRun(plan, sourceCount: count)
      #expect(run.mistakes.isEmpty, "\(name): \(run.mistakes)\n\(plan)")
      sum += run.output
    }
    #expect(sum.isClose(to: mix, within: 1e-5 * max(1, mix.largest)), "\(name)")
  }
}
