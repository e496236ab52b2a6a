import DAWTestSupport
import DAWTime
import Testing

@Suite struct ParsingTests {
  private let perSecond = FlickCount.perSecond
  private let rate = SampleRate(hertz: 48_000)

  @Test(
    arguments: [
      ("12.5s", .absolute(FlickPosition(flicks: 8_820_000_000))), ("0s", .absolute(.zero)),
      ("0.1s", .absolute(FlickPosition(flicks: 70_560_000))), (".5s", .absolute(FlickPosition(flicks: 352_800_000))),
      ("500ms", .absolute(FlickPosition(flicks: 352_800_000))),
      ("1:02.500", .absolute(FlickPosition(flicks: 44_100_000_000))),
      ("1:00:00", .absolute(FlickPosition(flicks: 2_540_160_000_000))),
      ("90:00", .absolute(FlickPosition(flicks: 3_810_240_000_000))),
      ("48000f", .frames(FramePosition(frames: 48_000))), ("2.5b", .musical(TickPosition(ticks: 38_400))),
      ("3.1.0", .barBeatTick(BarBeatTick(bar: 3))), ("3|2|10", .barBeatTick(BarBeatTick(bar: 3, beat: 2, tick: 10))),
      // A flick and a half, a tick and a half: rounded to even; with one more digit, up.
      ("0.0000000007086167800453514739229024943310657596371882086167800453514s", .absolute(.zero)),
      ("0.0000000007086167800453514739229024943310657596371882086167800453515s", .absolute(FlickPosition(flicks: 1))),
      ("0.000032552083333b", .musical(.zero)), ("0.000032552083334b", .musical(TickPosition(ticks: 1))),
      ("0.03125000000000000000000000000000b", .musical(TickPosition(ticks: 480))),
      ("102122440.52994322s", .absolute(.timelineEnd)),
    ] as [(String, PositionExpression)])
  func positionsAreReadExactly(text: String, expected: PositionExpression) throws {
    #expect(try PositionExpression(parsing: text) == expected)
  }

  @Test(
    arguments: [
      ("2s", .absolute(.seconds(2))), ("500ms", .absolute(.milliseconds(500))),
      ("1:02.500", .absolute(.milliseconds(62_500))),
      ("48000f", .frames(FrameCount(frames: 48_000))), ("4b", .musical(.quarters(4))),
      ("2.0.0", .barsBeatsTicks(BarBeatTickCount(bars: 2))), ("2|0|0", .barsBeatsTicks(BarBeatTickCount(bars: 2))),
      ("0.9.99999", .barsBeatsTicks(BarBeatTickCount(bars: 0, beats: 9, ticks: 99_999))),
    ] as [(String, DistanceExpression)])
  func distancesAreReadExactly(text: String, expected: DistanceExpression) throws {
    #expect(try DistanceExpression(parsing: text) == expected)
  }

  @Test("A short number is read as the same number with more digits is")
  func shortNumbers() {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let whole = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        "\(Int.random(in: 0...9, using: &generator))"
      }
      let digits = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        "\(Int.random(in: 0...9, using: &generator))"
      }
      let point = Int.random(in: 0...3, using: &generator) == 0 ? "" : "."
      let unit = ["b", "s", "ms", "m", "bs", "mss", "f", ""][Int.random(in: 0..<8, using: &generator)]
      let text = whole.joined() + point + digits.joined() + unit
      let longer = String(repeating: "0", count: 20) + text
      guard text.first.map({ $0.isNumber || $0 == "." }) == true, whole.count > 0 || point == "." else { continue }
      #expect(
        (try? DistanceExpression(parsing: text)) == (try? DistanceExpression(parsing: longer)), "seed \(seed): \(text)")
    }
  }

  @Test(
    arguments: [
      ("", .empty), ("12", .bareNumber), ("12.5", .bareNumber), (".5", .bareNumber), ("-1s", .negative),
      ("-3.1.0", .negative), ("-", .unreadable), ("-x", .unreadable), ("s", .unreadable), ("ms", .unreadable),
      ("b", .unreadable), (".", .unreadable), (".s", .unreadable), ("5.s", .unreadable), ("1..5s", .unreadable),
      ("1.2.3s", .unreadable), ("1e3s", .unreadable), ("1,5s", .unreadable), ("+1s", .unreadable), ("1 s", .unreadable),
      (" 1s", .unreadable), ("1S", .unreadable), ("1.5f", .unreadable), ("nans", .unreadable), ("infs", .unreadable),
      ("٣s", .unreadable), ("１s", .unreadable), ("1s\u{301}", .unreadable), ("1\u{0}s", .unreadable),
      ("1:2", .unreadable), ("1:60", .unreadable), (":30", .unreadable), ("1:60:00", .unreadable),
      ("1:00:00:00", .unreadable), ("1:-5", .unreadable), ("1:02s", .unreadable), ("1:02.", .unreadable),
      ("3.1", .bareNumber), ("3|1", .unreadable), ("3.1.0.0", .unreadable), ("3..0", .unreadable),
      ("3.-1.0", .unreadable),
      ("3|1.0", .unreadable), ("one", .unreadable), ("0x10f", .unreadable), ("102122440.529943221s", .outOfRange),
      ("99999999999999999999s", .outOfRange), ("9999999999999999999999:00", .outOfRange),
      ("9999999999999999999:00:00", .outOfRange), ("99999999999999999999f", .outOfRange), ("71582789b", .outOfRange),
      ("9999999999999999.1.0", .outOfRange), ("1.1.99999999999999999999", .outOfRange),
    ] as [(String, TimeParseError.Reason)])
  func nonsenseIsRefusedWithTheForms(text: String, reason: TimeParseError.Reason) {
    let position = TimeParseError(.position, reason, text: text)
    #expect(throws: position) { try PositionExpression(parsing: text) }
    #expect("\(position)".contains("1:02.500") && "\(position)".hasSuffix("."))
    let distance = TimeParseError(.distance, reason, text: text)
    #expect(throws: distance) { try DistanceExpression(parsing: text) }
    #expect("\(distance)".contains("500ms"))
  }

  @Test(arguments: ["0.1.0", "1.0.0", "0|0|0"])
  func barsAndBeatsOfAPositionCountFromOne(text: String) {
    #expect(throws: TimeParseError(.position, .countsFromOne, text: text)) { try PositionExpression(parsing: text) }
  }

  @Test func anErrorEscapesControlCharacters() {
    let error = TimeParseError(.position, .unreadable, text: "\u{1b}[2J" + String(repeating: "x", count: 1000))
    #expect(!"\(error)".contains("\u{1b}") && "\(error)".count < 300)
  }

  @Test func randomTextNeverReadsAsWhatItIsNot() {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let text = String(
        (0..<generator.number(1...9)).map { _ in "0123456789..::|sfbm-+ eé".randomElement(using: &generator) ?? "0" })
      guard let read = try? PositionExpression(parsing: text) else { continue }
      #expect((try? PositionExpression(parsing: "\(read)")) == read, "seed \(seed), '\(text)'")
    }
  }

  @Test func descriptionsParseToTheSameValues() throws {
    try withRandomMaps(40) { map, generator, seed in
      for _ in 0..<20 {
        let reach: Int64 = [10, 1_000_000, 1 << 40].randomElement(using: &generator) ?? 1
        let tick = TickPosition(ticks: generator.number(0...reach))
        let flick = FlickPosition(flicks: generator.number(0...reach << 16))
        let frame = FramePosition(frames: generator.number(0...1 << 40))
        let printed: [(String, PositionExpression)] = [
          ("\(tick)", .musical(tick)), ("\(flick)", .absolute(flick)), (flick.clock(decimals: 3...9), .absolute(flick)),
          ("\(frame)", .frames(frame)), ("\(map.barBeatTick(at: tick))", .barBeatTick(map.barBeatTick(at: tick))),
        ]
        for (text, expected) in printed {
          let read = try PositionExpression(parsing: text)
          #expect(read == expected, "seed \(seed), \(text)")
          #expect("\(read)" == "\(expected)", "seed \(seed), \(text)")
        }
        let read = try DistanceExpression(parsing: "\(FlickCount(flicks: flick.flicks))")
        #expect(read == .absolute(FlickCount(flicks: flick.flicks)), "seed \(seed)")
      }
    }
  }

  @Test func clocksCarryIntoTheMinute() {
    #expect(FlickPosition(flicks: 62 * perSecond + perSecond / 2).clock() == "1:02.500")
    #expect(FlickPosition(flicks: 60 * perSecond - 1).clock() == "1:00.000")
    #expect(FlickPosition(flicks: 3600 * perSecond).clock() == "1:00:00.000")
    #expect(FlickPosition(flicks: -perSecond / 2).clock(decimals: 1...9) == "-0:00.5")
    #expect(
      "\(FlickPosition(flicks: -perSecond / 2))" == "-0.5s" && "\(FlickPosition(flicks: 14_700))" == "0.000020833s")
    #expect("\(TickPosition(ticks: 38_400))" == "2.5b" && "\(TickCount(ticks: 1))" == "0.000065b")
  }

  @Test func expressionsNeedTheMapAndTheRate() throws {
    let map = try TempoMap(
      tempos: [TempoPoint(at: .zero, Tempo(bpm: 120)), TempoPoint(at: TickPosition(ticks: 61_440), Tempo(bpm: 60))],
      meters: [
        MeterPoint(at: .zero, .fourFour), MeterPoint(at: TickPosition(ticks: 61_440), TimeSignature(7, over: 8)),
      ])
    func flicks(_ text: String) throws -> Int64 {
      try PositionExpression(parsing: text).flicks(in: map, rate: rate).flicks
    }
    #expect(try flicks("48000f") == perSecond)
    #expect(try flicks("2.1.0") == 2 * perSecond)
    #expect(try flicks("5b") == 3 * perSecond)
    #expect(try flicks("2.7.0") == 5 * perSecond)
    #expect(throws: TimelineError.noSuchBeat(BarBeatTick(bar: 1, beat: 5), .fourFour)) { try flicks("1.5.0") }
    #expect(throws: TimelineError.beyondEnd("1099511627776.1.0")) { try flicks("1099511627776.1.0") }
    let place = try PositionExpression(parsing: "3s").position(in: map, rate: rate, as: .musical)
    #expect(place == .musical(TickPosition(ticks: 5 * 15_360)))
    #expect(
      try PositionExpression(parsing: "3s").position(in: map, rate: rate, as: .absolute)
        == .absolute(FlickPosition(flicks: 3 * perSecond)))
    func length(_ text: String, _ start: TimelinePosition, _ timeBase: TimeBase) throws -> TimelineDistance {
      try DistanceExpression(parsing: text).distance(from: start, in: map, rate: rate, as: timeBase)
    }
    let second = TimelinePosition.absolute(FlickPosition(flicks: perSecond))
    #expect(try length("4b", second, .absolute) == .absolute(.seconds(3)))
    #expect(try length("3s", second, .musical) == .musical(.quarters(4)))
    #expect(try length("1.0.0", second, .musical) == .musical(.quarters(4)))
    #expect(try length("1.0.0", .musical(TickPosition(ticks: 61_440)), .musical) == .musical(TickCount(ticks: 53_760)))
    #expect(try length("48000f", .musical(.zero), .absolute) == .absolute(.seconds(1)))
    #expect(throws: TimelineError.self) { try length("999999999999.0.0", second, .musical) }
  }

  @Test(arguments: [
    (120, 120_000_000_000), (120.5, 120_500_000_000), (5, 5_000_000_000), (999.0, 999_000_000_000),
    (92.123456789, 92_123_456_789), (4.9, 4_900_000_000), (-120, -120_000_000_000),
  ])
  func temposAreTakenToTheNearest(bpm: Double, nanoBPM: Int64) {
    #expect(Tempo(nearestTo: bpm)?.nanoBPM == nanoBPM)
    #expect(Tempo(nearestTo: bpm).flatMap { Tempo(nearestTo: $0.bpm) } == Tempo(nanoBPM: nanoBPM))
    #expect(!"\(Tempo(nanoBPM: nanoBPM))".hasSuffix("0") || !"\(Tempo(nanoBPM: nanoBPM))".contains("."))
  }

  @Test(arguments: [.nan, .infinity, 1e6, -1e6, 1e300])
  func otherTemposAreRefused(bpm: Double) { #expect(Tempo(nearestTo: bpm) == nil) }

  @Test(arguments: [
    ("7/8", TimeSignature(7, over: 8)), ("4/4", .fourFour), ("64/64", TimeSignature(64, over: 64)),
    ("1/1", TimeSignature(1, over: 1)),
  ])
  func timeSignaturesAreRead(text: String, expected: TimeSignature) {
    #expect(TimeSignature(fraction: text) == expected)
    #expect("\(expected)" == text)
  }

  @Test(arguments: ["", "4", "4/", "/4", "4/4/4", "4 / 4", "99999999999999999999/4"])
  func otherTimeSignaturesAreRefused(text: String) { #expect(TimeSignature(fraction: text) == nil) }
}
