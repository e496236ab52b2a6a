import DAWTestSupport
import DAWTime
import Testing

@Suite("Grids")
struct GridTests {
  private let fourFour = TempoMap(tempo: Tempo(bpm: 120), timeSignature: .fourFour)

  private func tick(_ quarters: Double) -> TickPosition {
    TickPosition(ticks: Int64(quarters * Double(TickCount.perQuarter)))
  }

  private func steps(_ quarters: Double, swing: Percentage = Grid.straight) -> Grid {
    Grid(.steps(tick(quarters) - .zero), swing: swing)
  }

  /// The lines from the start on, in quarter notes.
  private func lines(_ grid: Grid, _ map: TempoMap, count: Int) -> [Double] {
    var line = TickPosition.zero
    return (0..<count).map { _ in
      defer { line = map.line(of: grid, after: line) }
      return Double(line.ticks) / Double(TickCount.perQuarter)
    }
  }

  @Test("Steps restart at each bar line, and the last cell of a bar may be shorter")
  func barLines() throws {
    #expect(lines(steps(0.75), fourFour, count: 8) == [0, 0.75, 1.5, 2.25, 3, 3.75, 4, 4.75])
    let map = try TempoMap(
      tempos: [TempoPoint(at: .zero, Tempo(bpm: 120))],
      meters: [MeterPoint(at: .zero, TimeSignature(7, over: 8)), MeterPoint(at: tick(7), .fourFour)])
    #expect(lines(steps(1), map, count: 11) == [0, 1, 2, 3, 3.5, 4.5, 5.5, 6.5, 7, 8, 9])
    #expect(lines(Grid(.bars(1)), map, count: 5) == [0, 3.5, 7, 11, 15])
    #expect(lines(Grid(.bars(2)), map, count: 4) == [0, 7, 15, 23])
    #expect(lines(steps(8), fourFour, count: 3) == [0, 4, 8])
  }

  @Test("Swing is the position of every second line within its pair of steps")
  func swing() throws {
    #expect(lines(steps(0.5, swing: Percentage(75)), fourFour, count: 5) == [0, 0.75, 1, 1.75, 2])
    #expect(lines(steps(0.5, swing: Percentage(25)), fourFour, count: 5) == [0, 0.25, 1, 1.25, 2])
    let triplets = try #require(Percentage(parsing: "66.667"))
    #expect(fourFour.line(of: steps(0.5, swing: triplets), after: .zero) == TickPosition(ticks: 10_240))
    let sevenEight = TempoMap(tempo: Tempo(bpm: 120), timeSignature: TimeSignature(7, over: 8))
    #expect(lines(steps(0.5, swing: Percentage(60)), sevenEight, count: 8) == [0, 0.6, 1, 1.6, 2, 2.6, 3, 3.5])
  }

  @Test("An early swing adds no line before a bar line, whether steps fill the bar, leave a rest, or are longer")
  func earlySwing() {
    let sevenEight = TempoMap(tempo: Tempo(bpm: 120), timeSignature: TimeSignature(7, over: 8))
    let eighths = steps(0.5, swing: Percentage(30))
    #expect(lines(eighths, sevenEight, count: 9) == [0, 0.3, 1, 1.3, 2, 2.3, 3, 3.5, 3.8])
    #expect(sevenEight.line(of: eighths, nearest: TickPosition(ticks: 51_000)) == TickPosition(ticks: 53_760))
    #expect(sevenEight.line(of: eighths, nearest: TickPosition(ticks: 49_000)) == TickPosition(ticks: 46_080))
    #expect(lines(steps(1, swing: Percentage(25)), sevenEight, count: 6) == [0, 0.5, 2, 2.5, 3.5, 4])
    #expect(lines(steps(1, swing: Percentage(75)), sevenEight, count: 4) == [0, 1.5, 2, 3.5])
    #expect(lines(steps(0.75, swing: Percentage(25)), sevenEight, count: 6) == [0, 0.375, 1.5, 1.875, 3, 3.5])
    #expect(lines(steps(4, swing: Percentage(25)), fourFour, count: 3) == [0, 4, 8])
  }

  @Test("The later of two equally near lines is taken")
  func ties() {
    #expect(fourFour.line(of: steps(1), nearest: tick(0.5)) == tick(1))
    #expect(fourFour.line(of: steps(1), nearest: TickPosition(ticks: 7679)) == .zero)
    #expect(fourFour.line(of: Grid(.bars(1)), nearest: tick(2)) == tick(4))
  }

  @Test("Lines are their own nearest, no other line is nearer, and order is kept: whatever map, step and swing")
  func properties() throws {
    try withRandomMaps(40) { map, generator, seed in
      let swing = Percentage(thousandths: generator.number(25_000...75_000))
      let grid =
        generator.number(0...3) == 0
        ? Grid(.bars(generator.number(1...5)))
        : Grid(.steps(TickCount(ticks: generator.number(4...100_000))), swing: swing)
      let places = (0..<50).map { _ in TickPosition(ticks: generator.number(0...5_000_000)) }.sorted()
      var last = TickPosition(ticks: -1)
      for place in places {
        let nearest = map.line(of: grid, nearest: place)
        let next = map.line(of: grid, after: place)
        #expect(next > place, "seed \(seed)")
        #expect(map.line(of: grid, nearest: nearest) == nearest, "seed \(seed)")
        #expect(abs((place - nearest).ticks) <= (next - place).ticks, "seed \(seed)")
        #expect(nearest >= last, "seed \(seed)")
        last = nearest
      }
    }
  }

  @Test("Percentages are read exactly, and taken of numbers with one rounding, ties to even")
  func percentages() {
    #expect(Percentage(parsing: "66.667%") == Percentage(thousandths: 66_667))
    #expect(Percentage(parsingFactor: "1.2") == Percentage(120))
    #expect(Percentage(parsingFactor: "120%") == Percentage(120))
    for text in ["", "-5", "x", "5.", "%", "1e2", "99999999999999999999"] { #expect(Percentage(parsing: text) == nil) }
    #expect([1, 3, 5, -5, 7].map { Percentage(50).of($0) } == [0, 2, 2, -2, 4])
    #expect(Percentage(thousandths: 66_667).description == "66.667%")
  }
}
