import DAWTestSupport
import DAWTime
import Testing

@Suite struct FrameTests {
  @Test(arguments: SampleRate.ofProjects)
  func framesAreWholeFlicksAtTheRatesOfProjects(rate: SampleRate) {
    for frames in [-5, 0, 1, 12_345_678, 1 << 40] as [Int64] {
      let position = FramePosition(frames: frames).flicks(at: rate)
      #expect(position.flicks == frames * (FlickCount.perSecond / Int64(rate.hertz)))
      #expect(position.frames(at: rate).frames == frames)
    }
  }

  @Test func theNearestFrameIsTakenAndTiesGoToTheEvenOne() {
    let rate = SampleRate(hertz: 48_000)  // 14,700 flicks to the frame
    for (flicks, frames) in [(7_349, 0), (7_350, 0), (7_351, 1), (22_050, 2), (-7_350, 0), (-7_351, -1), (-22_050, -2)]
    {
      #expect(FlickPosition(flicks: Int64(flicks)).frames(at: rate).frames == Int64(frames), "\(flicks) flicks")
    }
  }

  @Test func durationsAtOddRatesAreRoundedDownAndComeBack() {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let rate = SampleRate(hertz: Int(generator.number(1...700_000)))
      let frames = FrameCount(frames: generator.number(-10_000_000_000...10_000_000_000))
      let flicks = Int128(frames.flicks(at: rate).flicks) * Int128(rate.hertz)
      let exact = Int128(frames.frames) * Int128(FlickCount.perSecond)
      #expect(flicks <= exact && exact < flicks + Int128(rate.hertz), "seed \(seed), \(rate.hertz) Hz")
      #expect(frames.flicks(at: rate).frames(at: rate) == frames, "seed \(seed), \(rate.hertz) Hz")
    }
  }

  @Test func noCountIsTooLarge() {
    #expect(FrameCount(frames: .max).flicks(at: SampleRate(hertz: 1)).flicks == .max)
    #expect(FlickCount(flicks: .max).frames(at: SampleRate(hertz: .max)).frames == .max)
    #expect(FlickCount(flicks: 5).frames(at: SampleRate(hertz: 0)).frames == 0)
  }

  @Test func secondsComeBackAsTheSameFlick() {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5_000 {
      let flicks = FlickPosition(flicks: generator.number(-(1 << 52)...1 << 52))
      #expect(FlickPosition(seconds: flicks.seconds) == flicks, "seed \(seed)")
    }
    #expect(FlickPosition(seconds: 0.1)?.flicks == 70_560_000)
    #expect(FlickCount(seconds: -0.5)?.flicks == -352_800_000)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 102_122_440.53])
  func secondsOutsideOfTheTimelineAreRefused(seconds: Double) {
    #expect(FlickPosition(seconds: seconds) == nil)
    #expect(FlickCount(seconds: seconds) == nil)
  }
}
