import DAWEngine
import DAWModel
import DAWTime
import Testing

@testable import DAWCompiler

@Suite struct EffectStepTests {
  /// Two tracks, and a bus that the second one feeds; ids 1, 2 and 3.
  private static func song(channels: Int = 2) -> (song: Song, first: TrackID, second: TrackID, bus: TrackID) {
    var song = Song()
    let (first, second) = (song.addTrack(channels: channels), song.addTrack(channels: 2))
    let bus = song.addTrack(.bus, channels: 2)
    song.addRegion(first, file: Int64(channels))
    song.addRegion(second, file: 2)
    if let index = song.tracks.firstIndex(where: { $0.id == second }) { song.tracks[index].outputBus = bus }
    return (song, first, second, bus)
  }

  private static let master = TrackID(rawValue: 1_000)

  @Test func theEngineHasTheModelsCatalogue() {
    for kind in DAWModel.EffectKind.allCases {
      let engine = DAWEngine.EffectKind(kind)
      #expect(engine.parameterNames == kind.parameters.map(\.name))
      #expect(engine.defaults == kind.parameters.map(\.defaultValue))
      #expect(engine.ranges == kind.parameters.map(\.range))
      #expect(engine.isDynamics == kind.isDynamics)
    }
    #expect(DAWEngine.EffectKind.allCases.count == DAWModel.EffectKind.allCases.count)
  }

  @Test func effectsStandBeforeOrBehindTheFaderInTheirOrder() throws {
    var (song, first, _, bus) = Self.song()
    song.addEffect(.gate, on: first, isPostFader: true)
    song.addEffect(.eq, on: first)
    song.addEffect(.compressor, on: first)
    song.addSend(first, to: bus, level: -6)
    song.addSend(first, to: bus, isPreFader: true)
    song.addEffect(.limiter, on: Self.master)
    let plan = try song.plan()
    #expect(
      plan.outline == [
        "=1000", "1", "1*2", "1*3", "=1p", "1>1p", "1p*1", "1p>1000", "=3", "2", "2>3", "1p>3/1", "1>3/2", "3>1000",
        "1000*4", "out",
      ])
  }

  @Test func aSideChainIsTheOtherStripBeforeItsFaderWhetherItIsHeardOrNot() throws {
    var (song, first, second, _) = Self.song()
    song.addEffect(.compressor, on: first, key: second)
    let outline = ["=1000", "=3", "2", "=1k1", "2>1k1", "2>3", "3>1000", "1", "1*1", "1>1000", "out"]
    #expect(Set(try song.plan().outline) == Set(outline))
    let index = try #require(song.tracks.firstIndex { $0.id == second })
    song.tracks[index].isOutputConnected = false
    #expect(try song.plan().outline == ["=1000", "2", "=1k1", "2>1k1", "1", "1*1", "1>1000", "out"])
    // Muted, it is silent; under another's solo it is not.
    song.tracks[index].isMuted = true
    #expect(try song.plan().outline == ["=1000", "1", "=1k1", "1*1", "1>1000", "out"])
    song.tracks[index].isMuted = false
    let options = CompileOptions(soloedTracks: [first])
    #expect(try song.plan(options).outline.contains("2>1k1"))
  }

  @Test func whatIsOffOrBypassedIsLeftOutButForItsLatency() throws {
    var (song, first, _, _) = Self.song()
    song.addEffect(.limiter, on: first) { $0.isOff = true }
    song.addEffect(.eq, on: first) { $0.isBypassed = true }
    #expect(try song.plan().inserts.isEmpty)
    song.addEffect(.limiter, on: first, ["lookAhead": 2]) { $0.isBypassed = true }
    let insert = try #require(try song.plan().inserts.first)
    #expect(insert.share == .constant(0))
    #expect(insert.latency == 96 + 6)
  }

  @Test func aStereoEffectMakesAMonoStripStereoAndChangesNoLevel() throws {
    var (song, first, _, _) = Self.song(channels: 1)
    let plain = try song.plan()
    song.addEffect(.eq, on: first)
    #expect(try song.plan().mixCoefficients == plain.mixCoefficients)
    song.addEffect(.delay, on: first, ["mix": 0])
    let plan = try song.plan()
    #expect(plan.outline.prefix(4) == ["=1000", "1", "1*1", "<1>"])
    #expect(plan.mixCoefficients[0] == [1, 1])
    guard case .widen(_, _, let gain) = plan.steps[3] else { return #expect(Bool(false)) }
    #expect([gain, gain] == plain.mixCoefficients[0])
  }

  @Test func aBypassChangesNoPan() throws {
    // A mono strip that an effect makes stereo is balanced, and what is sent from behind the fader is panned twice.
    for kind in [DAWModel.EffectKind.delay, .reverb, .eq] {
      var (song, first, _, bus) = Self.song(channels: 1)
      song.addSend(first, to: bus, level: -6, pan: 0.5)
      song.addEffect(.compressor, on: first)
      let effect = song.addEffect(kind, on: first, isPostFader: kind == .eq)
      let index = try #require(song.tracks.firstIndex { $0.id == first })
      song.tracks[index].pan = Pan(position: -0.5)
      let heard = try song.plan()
      let place = try #require(song.effects.firstIndex { $0.id == effect })
      song.effects[place].isBypassed = true
      let bypassed = try song.plan()
      #expect(bypassed.mixCoefficients == heard.mixCoefficients, "\(kind)")
      #expect(bypassed.outline == heard.outline.filter { !$0.hasSuffix("*\(effect.rawValue)") })
      song.effects[place].isOff = true
      #expect(try song.plan().mixCoefficients != heard.mixCoefficients)
    }
  }

  @Test func aStemEndsBeforeTheMastersEffects() throws {
    var (song, first, _, _) = Self.song()
    let index = try #require(song.tracks.firstIndex { $0.id == Self.master })
    song.tracks[index].volume = Level(decibels: -6)
    song.addEffect(.limiter, on: Self.master)
    // One that is bypassed or off does not count.
    for (isBypassed, isOff) in [(false, false), (true, false), (false, true)] {
      for kind in [DAWModel.EffectKind.limiter, .eq] {
        song.effects[0].kind = kind
        (song.effects[0].isBypassed, song.effects[0].isOff) = (isBypassed, isOff)
        let plan = try song.plan(CompileOptions(stem: first))
        #expect(plan.inserts.isEmpty)
        guard case .output(_, _, let left, let right) = plan.steps.last else { return #expect(Bool(false)) }
        #expect(([left, right] == [.unity, .unity]) == !(isBypassed || isOff))
      }
    }
  }

  @Test func aDelayFollowsNotesAndTheirTempo() throws {
    var (song, first, _, _) = Self.song()
    song.settings.tempo = Tempo(bpm: 120)
    song.addEffect(.delay, on: first, ["noteLength": 0.75])
    let insert = try #require(try song.plan().inserts.first)
    #expect(insert.parameters[0] == .constant(375))
    #expect(insert.parameters[1] == .constant(0))
  }

  @Test func lanesOfEffectsAreParametersAndWhatNoCommandWritesIsLimited() throws {
    var (song, first, _, _) = Self.song()
    let effect = song.addEffect(.eq, on: first)
    song.addLane("band1.gain", of: .effect(effect), [(0, -1e308, .linear), (705_600_000, 1e308, .hold)])
    song.addLane("band1.type", of: .effect(effect), [(0, 1, .hold)])
    song.addLane("bypass", of: .effect(effect), [(0, 0, .hold), (705_600_000, 1, .hold)])
    song.addLane("volume", of: .track(first), [(0, 1e308, .linear), (5, -3, .linear)])
    let plan = try song.plan()
    let insert = try #require(plan.inserts.first)
    guard case .curve(let gain) = insert.parameters[2] else { return #expect(Bool(false)) }
    #expect(gain.points.map(\.value) == [-24, 24])
    #expect(insert.parameters[0] == .constant(0))
    guard case .product(let factors) = insert.share, case .curve(let share)? = factors.last else {
      return #expect(Bool(false))
    }
    #expect(share.points.map(\.frame) == [0, 48_000, 48_256])
    #expect(share.points.map(\.value) == [1, 1, 0])
    #expect(!"\(plan)".contains("inf") && !"\(plan)".contains("nan"))
  }
}
