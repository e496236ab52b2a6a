import DAWTestSupport
import DAWTime
import Glibc
import Testing

@testable import DAWEngine

/// Tracks of regions end to end, all of which begin at the same frames.
private func adjacentRegions(_ mix: SineMix, tracks: Int, length: Int, count: Int) -> SineMix.Song {
  SineMix.Song(
    tracks: (0..<tracks).map { track in
      SineMix.Song.Track(
        id: Int64(track), left: 0.01, right: 0.02,
        regions: (0..<count).map { index in
          let frames = TimelineFrame(index * length)..<TimelineFrame((index + 1) * length)
          return SineMix.Song.Region(
            id: Int64(track * count + index), source: track % mix.sources.count,
            offset: 7 * track + 100 * (index % 3),
            frames: frames)
        })
    })
}

@Test func aThousandEditsOfRegionsKeepTheMemory() throws {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  let mix = try SineMix(frameCount: 900_000, hertz: [50, 61, 73, 87, 94, 110])
  var song = mix.song()
  for track in song.tracks.indices {
    for number in 1...2 {
      song.tracks[track].regions.append(
        SineMix.Song.Region(id: Int64(200 + 10 * track + number), source: track, offset: 500 * number))
    }
  }
  let stage = LiveStage(seed: seed, blockFrames: 64...1_024)
  stage.engine.publish(mix.plan(song))
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  var most = 0
  var mostAtFirst = 0
  for edit in 0..<1_000 {
    let track = Int.random(in: song.tracks.indices, using: &random)
    let region = Int.random(in: song.tracks[track].regions.indices, using: &random)
    switch Int.random(in: 0...3, using: &random) {
    case 0: song.tracks[track].regions[region].id = Int64(1_000 + edit)  // removed, and another one added
    case 1: song.tracks[track].regions[region].source = Int.random(in: mix.sources.indices, using: &random)
    case 2:
      let end = stage.engine.record.nextFrame + Int.random(in: 10...200_000, using: &random)
      song.tracks[track].regions[region].frames = 0..<min(end, mix.frames.upperBound)
    default: song.tracks[track].regions[region].offset = Int.random(in: 0...10_000, using: &random)
    }
    song.tracks[track].regions.sort { $0.id < $1.id }
    stage.engine.publish(mix.plan(song))
    stage.driver.play(Int.random(in: 1...800, using: &random))
    most = max(most, stage.engine.streamBytes)
    if edit < 100 { mostAtFirst = most }
  }
  #expect(Double(most) <= 1.2 * Double(mostAtFirst), "seed \(seed)")
  #expect(stage.engine.record.lateFrameCount == 0, "seed \(seed)")
  // Where nothing is played, nothing is kept.
  song.tracks = []
  stage.engine.publish(mix.plan(song))
  for _ in 0..<10_000 where stage.engine.streamBytes > 0 {
    stage.driver.playBlock(64)
    stage.waitForStreams()
  }
  #expect(stage.engine.streamBytes == 0)
}

@Test func regionsToComeLeaveStreamsToThoseThatSound() throws {
  let mix = try SineMix(frameCount: 60_000, hertz: [50, 61])
  let plan = mix.plan(adjacentRegions(mix, tracks: 300, length: 3_000, count: 10))
  let stage = LiveStage(seed: 1, blockFrames: 512...512) { $0.streamCount = 512 }
  stage.driver.framesBetweenWaits = 512
  stage.engine.publish(plan)
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(10_000)
  #expect(stage.engine.record.lateFrameCount == 0)
  #expect(stage.engine.takeProblems().isEmpty)
  #expect(try bits(stage.sides) == bits(bounced(plan, 10_000)))
}

@Test func twoThousandTracksAtOnceShareAFewDescriptorsAndAnAllowanceOfMemory() throws {
  let mix = try SineMix(frameCount: 100_000, hertz: (0..<8).map { 50 + Double($0) })
  let folder = try TemporaryFolder()
  var plan = mix.plan(adjacentRegions(mix, tracks: 2_000, length: 40_000, count: 2))
  let sources = plan.sources
  plan.sources = []
  for index in plan.regions.indices {
    // A file for each track.
    let track = index / 2
    if track == plan.sources.count {
      var source = sources[plan.regions[index].source]
      #expect(link(source.path, folder.path("\(track)")) == 0)
      source.path = folder.path("\(track)")
      plan.sources.append(source)
    }
    plan.regions[index].source = track
  }
  let allowance = 100 << 20
  let stage = LiveStage(seed: 1, blockFrames: 1_024...1_024) {
    $0.streamCount = LiveOptions(sampleRate: 48_000).streamCount
    $0.streamBytes = allowance
  }
  // Before each block: a busy machine may fill two thousand streams slower than they are played.
  stage.driver.framesBetweenWaits = 512
  stage.engine.publish(plan)
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(3_000)
  #expect(stage.engine.record.lateFrameCount == 0)
  #expect(stage.engine.takeProblems().isEmpty)
  stage.waitForStreams()
  #expect(stage.engine.streamBytes <= allowance)
  #expect(try bits(stage.sides) == bits(bounced(plan, 3_000)))
  #expect(stage.engine.send(.locate(38_000)))
  #expect(stage.driver.play(until: .starting) && stage.driver.play(until: .rolling))
  stage.driver.play(4_000)
  let frame = stage.engine.record.nextFrame - 4_000
  #expect(stage.engine.record.lateFrameCount == 0)
  stage.waitForStreams()
  #expect(stage.engine.streamBytes <= allowance)
  #expect(
    try bits(stage.sides.map { Array($0.suffix(4_000)) }) == bits(bounced(plan, from: frame, 4_000)))
}

@Test func aFileThatComesBackIsHeardAndItIsSaidOnce() throws {
  let mix = try SineMix(frameCount: 2_000_000, hertz: [100, 200])
  let plan = mix.plan(mix.song())
  let path = plan.sources[0].path
  #expect(rename(path, path + "-away") == 0)
  let stage = LiveStage(seed: 1, blockFrames: 64...1_024) { $0.retrySeconds = 0.02 }
  stage.engine.publish(plan)
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(10_000)
  #expect(stage.engine.takeProblems().count == 1)
  #expect(stage.engine.takeRecoveredPaths().isEmpty)
  usleep(100_000)
  stage.driver.play(10_000)
  #expect(stage.engine.takeProblems().isEmpty, "trying again is not said again")
  #expect(rename(path + "-away", path) == 0)
  var recovered: [String] = []
  for _ in 0..<10_000 where recovered.isEmpty {
    usleep(5_000)
    stage.driver.play(64)
    recovered = stage.engine.takeRecoveredPaths()
  }
  #expect(recovered == [path])
  stage.driver.play(20_000)
  stage.waitForStreams()
  let begun = stage.engine.record.nextFrame
  let late = stage.engine.record.lateFrameCount
  stage.driver.clear()
  stage.driver.play(20_000)
  #expect(try bits(stage.sides) == bits(bounced(plan, from: begun, 20_000)))
  #expect(stage.engine.record.lateFrameCount == late)
  #expect(stage.engine.takeRecoveredPaths().isEmpty)
  #expect(stage.engine.takeProblems().isEmpty)
  #expect(stage.engine.readAheadFrames == 96_000, "a missing file is no slow disk")
}

@Test func aLoopStaysWholeWhileBlocksRegionsAndTheMemoryChange() throws {
  let seed = Seed.current()
  let mix = try SineMix(frameCount: 60_000, hertz: [50, 61, 73])
  var song = adjacentRegions(mix, tracks: 20, length: 3_000, count: 20)
  let loop: Range<TimelineFrame> = 9_500..<41_300
  let stage = LiveStage(seed: seed, blockFrames: 64...1_024) {
    $0.readAheadSeconds = 0.4
    $0.heldSeconds = 0.05
    // Less than the streams would take.
    $0.streamBytes = 1 << 20
  }
  stage.driver.framesBetweenWaits = 1_000
  stage.engine.publish(mix.plan(song))
  #expect(stage.engine.send(.loop(first: loop.lowerBound, end: loop.upperBound)))
  #expect(stage.engine.send(.locate(loop.lowerBound)))
  stage.driver.playBlock(1)
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  for step in 0..<4 {
    switch step {
    case 1:
      stage.engine.announceBlocks(frameCount: 4_096)
      stage.waitForStreams()
      stage.driver.blockFrames = 4_096...4_096
    case 2:
      // One track rests for a while, another one's first region is moved within its file.
      song.tracks[3].isMuted = true
      song.tracks[5].regions[3].offset += 50
      stage.engine.publish(mix.plan(song))
      stage.driver.play(50_000)
      song.tracks[3].isMuted = false
      stage.engine.publish(mix.plan(song))
    case 3: stage.driver.blockFrames = 1...300
    default: break
    }
    // Past the change of plans.
    stage.driver.play(5_000)
    let whole = try bounced(mix.plan(song), 60_000)
    var frame = stage.engine.record.nextFrame
    stage.driver.clear()
    stage.driver.play(80_000)
    let expected = (0..<80_000).map { _ in
      defer {
        frame += 1
        if frame == loop.upperBound { frame = loop.lowerBound }
      }
      return whole[0][frame.number].bitPattern
    }
    let first = zip(stage.driver.left.map(\.bitPattern), expected).enumerated().first { $0.1.0 != $0.1.1 }?.offset
    #expect(first == nil, "seed \(seed), step \(step)")
    #expect(stage.engine.record.lateFrameCount == 0, "seed \(seed), step \(step)")
  }
}
