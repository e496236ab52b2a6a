import DAWTestSupport
import DAWTime
import Testing

@Suite struct TempoMapPropertyTests {
  @Test func tickToFlickAndBackIsTheSameTick() throws {
    try withRandomMaps(60) { map, generator, seed in
      for _ in 0..<100 {
        let tick = generator.tick(in: map)
        #expect(map.ticks(at: map.flicks(at: tick)) == tick, "seed \(seed)")
      }
    }
  }

  @Test func barBeatTickAndBackIsTheSameTick() throws {
    try withRandomMaps(60) { map, generator, seed in
      for _ in 0..<100 {
        let tick = generator.tick(in: map)
        let place = map.barBeatTick(at: tick)
        let back = try map.ticks(at: place)
        #expect(back == tick, "seed \(seed), \(place)")
      }
    }
  }

  @Test func laterTicksAreLaterEverywhere() throws {
    try withRandomMaps(60) { map, generator, seed in
      for _ in 0..<100 {
        let tick = generator.tick(in: map)
        let later = tick + TickCount(ticks: generator.number(1...3))
        #expect(map.flicks(at: tick) < map.flicks(at: later), "seed \(seed), \(tick.ticks)")
        #expect(map.barBeatTick(at: tick) < map.barBeatTick(at: later), "seed \(seed), \(tick.ticks)")
      }
    }
  }

  @Test func laterFlicksAreNeverEarlierTicksOrFrames() throws {
    try withRandomMaps(60) { map, generator, seed in
      let rate = SampleRate(hertz: Int(generator.number(1...400_000)))
      for _ in 0..<100 {
        let flick = map.flicks(at: generator.tick(in: map)) + FlickCount(flicks: generator.number(-600_000...600_000))
        let later = flick + FlickCount(flicks: generator.number(1...20_000))
        #expect(map.ticks(at: flick) <= map.ticks(at: later), "seed \(seed), \(flick.flicks)")
        #expect(flick.frames(at: rate) <= later.frames(at: rate), "seed \(seed), \(flick.flicks)")
      }
    }
  }

  @Test func aFlickBelongsToTheTickThatIsNearest() throws {
    try withRandomMaps(60) { map, generator, seed in
      for _ in 0..<100 {
        let flick = map.flicks(at: generator.tick(in: map)) + FlickCount(flicks: generator.number(-600_000...600_000))
        let tick = map.ticks(at: flick)
        let distance = (map.flicks(at: tick) - flick).flicks.magnitude
        for neighbour in [tick + TickCount(ticks: 1), tick - TickCount(ticks: 1)] {
          // A constant tempo is rounded from the exact position, so a whole flick may look like a tie.
          #expect(distance <= (map.flicks(at: neighbour) - flick).flicks.magnitude + 1, "seed \(seed), \(flick.flicks)")
        }
      }
    }
  }

  @Test func constantTempoIsExact() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let tempo = generator.tempo()
      let map = TempoMap(tempo: tempo, timeSignature: .fourFour)
      let reach: Int64 = [100, 1_000_000, 1 << 40].randomElement(using: &generator) ?? 1
      let tick = generator.number(-reach...reach)
      let exact = Int128(tick) * 2_756_250 * Int128(Tempo.nanoPerBPM)
      let error = Int128(map.flicks(at: TickPosition(ticks: tick)).flicks) * Int128(tempo.nanoBPM) - exact
      #expect(2 * error.magnitude <= tempo.nanoBPM.magnitude, "seed \(seed), \(tempo), \(tick)")
    }
  }

  @Test(arguments: [90, 120, 128, 96_000] as [Int64])
  func tiesGoToTheEvenFlick(bpmOrMilliBPM: Int64) {
    let tempo = bpmOrMilliBPM > 999 ? Tempo(nanoBPM: bpmOrMilliBPM * 1_000_000) : Tempo(bpm: bpmOrMilliBPM)
    let map = TempoMap(tempo: tempo, timeSignature: .fourFour)
    for tick in -3000...3000 as ClosedRange<Int64> {
      let doubled = 2 * Int128(tick) * 2_756_250 * Int128(Tempo.nanoPerBPM)
      guard doubled % Int128(tempo.nanoBPM) == 0, doubled / Int128(tempo.nanoBPM) % 2 != 0 else { continue }
      #expect(map.flicks(at: TickPosition(ticks: tick)).flicks % 2 == 0, "tick \(tick)")
    }
  }

  @Test func noPlaceIsTooFar() throws {
    try withRandomMaps(30) { map, _, seed in
      for far in [Int64.min, -(1 << 62), 1 << 62, Int64.max] {
        let flicks = map.flicks(at: TickPosition(ticks: far))
        #expect((flicks > .zero) == (far > 0), "seed \(seed)")
        #expect((map.ticks(at: FlickPosition(flicks: far)) > .zero) == (far > 0), "seed \(seed)")
        #expect((map.barBeatTick(at: TickPosition(ticks: far)).bar > 0) == (far > 0), "seed \(seed)")
      }
    }
  }

  @Test("Changes put in one by one, in any order, are the map that they are together")
  func insertion() throws {
    try withRandomMaps(60) { map, generator, seed in
      var tempos = Array(map.tempos.dropFirst())
      tempos.shuffle(using: &generator)
      var grown = try TempoMap(tempos: [map.tempos[0]], meters: [map.meters[0]])
      for change in tempos {
        try grown.insert(change)
        #expect(throws: TempoMapError.twoTempos(at: change.position)) { try grown.insert(change) }
      }
      var meters = map.meters.dropFirst().map { ($0.timeSignature, map.barBeatTick(at: $0.position).bar - 1) }
      meters.shuffle(using: &generator)
      for (timeSignature, bar) in meters { try grown.insert(timeSignature, atBar: bar) }
      #expect(grown == map, "seed \(seed)")
      for _ in 0..<100 {
        let tick = generator.tick(in: map)
        #expect(grown.flicks(at: tick) == map.flicks(at: tick), "seed \(seed), \(tick.ticks)")
        #expect(grown.barBeatTick(at: tick) == map.barBeatTick(at: tick), "seed \(seed), \(tick.ticks)")
      }
    }
  }

  @Test("Changes put in the places of others are the map that they are together")
  func replacement() throws {
    try withRandomMaps(60) { map, generator, seed in
      var (tempos, replaced) = (map.tempos, map)
      for index in tempos.indices.shuffled(using: &generator) {
        tempos[index] = TempoPoint(at: tempos[index].position, generator.tempo(), isRamp: generator.number(0...1) == 0)
        let isThere = try replaced.replace(tempos[index])
        #expect(isThere, "seed \(seed)")
      }
      let bars = map.meters.map { map.barBeatTick(at: $0.position).bar - 1 }
      let meters = bars.map { _ in generator.timeSignature() }
      for index in bars.indices.shuffled(using: &generator) {
        let isThere = try replaced.replace(meters[index], atBar: bars[index])
        #expect(isThere, "seed \(seed)")
      }
      var whole = try TempoMap(tempos: tempos, meters: [MeterPoint(at: .zero, meters[0])])
      for (bar, meter) in zip(bars, meters).dropFirst() { try whole.insert(meter, atBar: bar) }
      #expect(replaced == whole, "seed \(seed)")
      for _ in 0..<100 {
        let tick = generator.tick(in: whole)
        #expect(replaced.flicks(at: tick) == whole.flicks(at: tick), "seed \(seed), \(tick.ticks)")
        #expect(replaced.barBeatTick(at: tick) == whole.barBeatTick(at: tick), "seed \(seed), \(tick.ticks)")
      }
      let last = whole.tempos.map(\.position).max() ?? .zero
      let isThere = try replaced.replace(TempoPoint(at: last + TickCount(ticks: 1), Tempo(bpm: 90)))
      #expect(!isThere && replaced == whole, "seed \(seed)")
    }
  }

  @Test("A change that breaks a rule leaves the map as it was")
  func refusedInsertion() throws {
    let map = TempoMap(tempo: Tempo(bpm: 120), timeSignature: .fourFour)
    var other = map
    let end = TickPosition.timelineEnd
    #expect(throws: TempoMapError.self) { try other.insert(TempoPoint(at: end + TickCount(ticks: 1), Tempo(bpm: 90))) }
    #expect(throws: TempoMapError.self) { try other.insert(TempoPoint(at: end, Tempo(bpm: 4))) }
    #expect(throws: TempoMapError.twoTempos(at: .zero)) { try other.insert(TempoPoint(at: .zero, Tempo(bpm: 90))) }
    #expect(throws: TempoMapError.twoMeters(at: .zero)) { try other.insert(.fourFour, atBar: 0) }
    #expect(throws: TempoMapError.self) { try other.insert(TimeSignature(7, over: 9), atBar: 1) }
    let last = map.barBeatTick(at: end).bar - 1
    try other.insert(.fourFour, atBar: last)
    let before = other
    #expect(throws: TempoMapError.self) { try other.insert(TimeSignature(64, over: 1), atBar: 1) }
    #expect(other == before && other.barBeatTick(at: end) == map.barBeatTick(at: end))
  }
}
