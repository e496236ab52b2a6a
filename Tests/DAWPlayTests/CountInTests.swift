import DAWEngine
import DAWTime
import Testing

@testable import DAWPlay

@Suite struct CountInTests {
  /// Two bars of 4/4 at 60 BPM, then 3/4 at 120.
  private func time(hertz: Int) throws -> PlayedTime {
    let change = TickPosition(ticks: 8 * TickCount.perQuarter)
    return PlayedTime(
      map: try TempoMap(
        tempos: [TempoPoint(at: .zero, Tempo(bpm: 60)), TempoPoint(at: change, Tempo(bpm: 120))],
        meters: [MeterPoint(at: .zero, .fourFour), MeterPoint(at: change, TimeSignature(3, over: 4))]),
      rate: SampleRate(hertz: hertz))
  }

  private func request(bars: Int, clicks: Bool = false) -> PlayRequest {
    var request = PlayRequest()
    request.countInBars = bars
    request.clicks = clicks
    return request
  }

  @Test func itIsInTheTempoAndTheMeterOfWhereItLeads() throws {
    let time = try time(hertz: 48_000)
    let place = time.map.flicks(at: TickPosition(ticks: 8 * TickCount.perQuarter))
    let countIn = try #require(request(bars: 2).countIn(to: place, in: time))
    let begin = TimelineFrame(8 * 48_000)
    #expect(countIn.frames == begin - 6 * 24_000..<begin)
    #expect(countIn.clicks.map(\.frame) == (0..<6).map { begin - 6 * 24_000 + $0 * 24_000 })
    #expect(countIn.clicks.map(\.isAccent) == [true, false, false, true, false, false])
  }

  @Test func offABarLineItCountsTheBeatsThatLeadThere() throws {
    let time = try time(hertz: 48_000)
    // Half a beat behind 4.2.0, in 3/4.
    let tick = try time.map.ticks(at: BarBeatTick(bar: 4, beat: 2, tick: TickCount.perQuarter / 2))
    let place = time.map.flicks(at: tick)
    let end = time.frame(at: place)
    let countIn = try #require(request(bars: 1).countIn(to: place, in: time))
    #expect(countIn.frames == end - 72_000..<end)
    #expect(countIn.clicks.map { end - $0.frame } == [60_000, 36_000, 12_000])
    #expect(countIn.clicks.map(\.isAccent) == [false, true, false])
  }

  @Test func theSongsOwnBeatsAreSilentInIt() throws {
    let time = try time(hertz: 48_000)
    let place = time.map.flicks(at: TickPosition(ticks: 8 * TickCount.perQuarter))
    let asked = request(bars: 1, clicks: true)
    let countIn = try #require(asked.countIn(to: place, in: time))
    let clicks = asked.clicks(in: time, until: 480_000, countIn: countIn).map(\.frame)
    let begin = TimelineFrame(8 * 48_000)
    #expect(clicks == clicks.sorted())
    #expect(clicks.filter { countIn.frames.contains($0) } == [begin - 72_000, begin - 48_000, begin - 24_000])
    #expect(Array(clicks.prefix(5)) == (0..<5).map { TimelineFrame($0 * 48_000) }, "before it as everywhere")
    #expect(clicks.contains(begin) && clicks.contains(begin + 24_000))
  }

  /// A plan with one instrument and one port, both of which play the events.
  private func plan(playing events: [MIDIEvent]) -> RenderPlan {
    let instrument = InstrumentPlan(
      soundFontPath: "", soundFontHash: "", bank: 0, program: 0, sampleRate: SampleRate(hertz: 44_100), events: events)
    var plan = RenderPlan(
      sampleRate: SampleRate(hertz: 44_100), sources: [],
      instruments: [PlannedInstrument(trackID: 1, plan: instrument)],
      regions: [],
      steps: [
        .clear(StripID(0), buffer: 0), .output(StripID(0), buffer: 0, left: .unity, right: .unity),
      ], bufferCount: 1,
      endFrame: 200_000)
    plan.ports = [PlannedPort(trackID: 1, name: "Keys", events: events)]
    return plan
  }

  @Test func aPortsNotesBeginOnTheirFrameAndAnInstrumentsOnItsGrid() {
    // At 44.1 kHz a bar at 120 BPM is 88,200 frames: 8 behind a grid point of 64.
    let begin: TimelineFrame = 88_200
    let events = [
      MIDIEvent(frame: 1_000, status: 0x90, data1: 60, data2: 100),
      MIDIEvent(frame: begin, status: 0x90, data1: 64, data2: 100),
      MIDIEvent(frame: begin + 30_000, status: 0x80, data1: 60, data2: 0),
      MIDIEvent(frame: begin + 40_000, status: 0x80, data1: 64, data2: 0),
    ]
    let plan = plan(playing: events)
    let from = plan.beginning(at: begin)
    #expect(from.ports[0].events.filter(\.beginsNote).map(\.frame) == [begin, begin])
    #expect(from.ports[0].events.filter(\.beginsNote).map(\.data1) == [60, 64])
    #expect(from.instruments[0].plan.events.filter(\.beginsNote).map(\.frame) == [begin + 56, begin + 56])
  }

  @Test func aNoteThatEndsWhereTheCountInDoesIsNotStruck() {
    // A grid point of instruments, too.
    let begin: TimelineFrame = 64_000
    let plan = plan(playing: [
      MIDIEvent(frame: 1_000, status: 0x90, data1: 60, data2: 100),
      MIDIEvent(frame: 1_000, status: 0x90, data1: 62, data2: 100),
      MIDIEvent(frame: 2_000, status: 0x90, data1: 67, data2: 90),
      MIDIEvent(frame: begin, status: 0x80, data1: 60, data2: 0),
      MIDIEvent(frame: begin, status: 0x80, data1: 62, data2: 0),
      MIDIEvent(frame: begin, status: 0x90, data1: 62, data2: 80),
      MIDIEvent(frame: begin + 30_000, status: 0x80, data1: 62, data2: 0),
      MIDIEvent(frame: begin + 30_000, status: 0x80, data1: 67, data2: 0),
    ]).beginning(at: begin)
    for events in [plan.ports[0].events, plan.instruments[0].plan.events] {
      let struck = events.filter(\.beginsNote)
      #expect(struck.map(\.data1) == [67, 62] && struck.map(\.data2) == [90, 80])
      #expect(struck.allSatisfy { $0.frame == begin })
    }
  }
}
