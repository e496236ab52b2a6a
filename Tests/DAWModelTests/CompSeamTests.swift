import DAWModel
import DAWTestSupport
import DAWTime
import Testing

/// A track with takes of 5 s: the first is in use, but from 1 s to 2 s the second.
private struct SeamStage {
  static let map = TempoMap(tempo: Tempo(bpm: 61), timeSignature: TimeSignature(4, over: 4))

  var regions: [Region] = []
  private var nextID: Int64 = 100

  init(takes: [Int64] = [1, 2], timeBase: TimeBase = .absolute) {
    for number in takes {
      regions.append(
        Region(
          id: RegionID(rawValue: number), track: TrackID(rawValue: 3),
          start: timeBase == .absolute ? .absolute(.zero) : .musical(.zero),
          content: .audio(AudioSpan(file: AudioFileID(rawValue: number), duration: .seconds(5))),
          take: TakeID(rawValue: number), isInUse: number == takes[0]))
    }
    use(takes[1], from: 1_000_000, to: 2_000_000)
  }

  init(regions: [Region]) { self.regions = regions }

  static func place(_ microseconds: Int64) -> FlickPosition {
    FlickPosition(flicks: microseconds * 7_056 / 10)
  }

  /// - Parameter from: in microseconds, as `to`.
  mutating func use(_ take: Int64, from: Int64, to: Int64) {
    guard let parts = comp.using(TakeID(rawValue: take), in: Self.place(from)..<Self.place(to)) else {
      Issue.record("take \(take) is not there")
      return
    }
    replace(parts)
  }

  /// The whole take.
  mutating func use(_ take: Int64) {
    guard let parts = comp.using(TakeID(rawValue: take), in: nil) else {
      Issue.record("take \(take) is not there")
      return
    }
    replace(parts)
  }

  private var comp: Comp {
    var lengths: [AudioFileID: FlickCount] = [:]
    for region in regions { if let file = region.audio?.file { lengths[file] = .seconds(5) } }
    return Comp(regions, in: Self.map, fileLengths: lengths)
  }

  private mutating func replace(_ parts: [CompPart]) {
    let sources = Set(parts.flatMap(\.sources).map(\.region))
    regions.removeAll { sources.contains($0.id) }
    for part in parts {
      var region = part.region
      if part.isNew { region.id = newID() }
      regions.append(region)
    }
  }

  /// As `new-take --copy` does.
  mutating func copy(as take: Int64) {
    let copied = regions.filter(\.isInUse)
    replace(comp.unused())
    for original in copied {
      var copy = original
      (copy.id, copy.take) = (newID(), TakeID(rawValue: take))
      regions.append(copy)
    }
  }

  private mutating func newID() -> RegionID {
    nextID += 1
    return RegionID(rawValue: nextID)
  }

  /// What is heard.
  var sounding: [SoundingRegion] { [SoundingRegion](regions, in: Self.map) }

  /// How much the sum differs from 1 at most, around the seams of the beginning.
  var difference: Double {
    max(difference(in: 988_000..<1_012_000, by: 50), difference(in: 1_988_000..<2_012_000, by: 50))
  }

  /// - Parameter range: in microseconds.
  func difference(in range: Range<Int64>, by step: Int64) -> Double {
    let sounding = sounding
    var (most, microseconds) = (0.0, range.lowerBound)
    while microseconds < range.upperBound {
      most = max(most, abs(sounding.gain(at: Self.place(microseconds)) - 1))
      microseconds += step
    }
    return most
  }
}

@Suite("Seams of comps beside each other")
struct CompSeamTests {
  @Test(
    "Beside a seam, or at it, equal takes add up to what each is",
    arguments: [0, 500, -500, 1_500, -1_500, 2_900, -2_900, 3_500, -3_500] as [Int64], [false, true])
  func besideASeam(distance: Int64, isCopied: Bool) {
    for take in 1...2 as ClosedRange<Int64> {
      let edges: [(Int64, Int64)] = [(distance, 0), (0, distance), (distance, distance), (distance, -distance)]
      for (first, last) in edges {
        var stage = SeamStage()
        if isCopied { stage.copy(as: 3) }
        let comment: Testing.Comment = "take \(take), \(first) and \(last) µs from the seams"
        stage.use(take, from: 1_000_000 + first, to: 2_000_000 + last)
        #expect(stage.difference < 1e-6, comment)
        // What was made is found again.
        stage.use(3 - take, from: 1_000_000, to: 2_000_000)
        #expect(stage.difference < 1e-6, comment)
      }
    }
  }

  /// The order of takes in memory follows from their ids.
  @Test("Of two seams that are equally near, an edge is put onto the first", arguments: 0..<20 as Range<Int64>)
  func equallyNear(number: Int64) {
    let takes = [1, 2, 3].map { 3 * number + $0 } as [Int64]
    var stage = SeamStage(takes: takes)
    stage.use(takes[2], from: 1_004_000, to: 3_000_000)
    stage.use(takes[0], from: 1_002_000, to: 2_500_000)
    #expect(!stage.regions.contains { $0.isInUse && $0.take?.rawValue == takes[1] })
  }

  @Test(
    "A copy of a comp with a short piece is as it was when it is used again",
    arguments: [450, 2_000, 2_900, 4_500] as [Int64])
  func shortPieceOfACopy(length: Int64) {
    var stage = SeamStage()
    stage.use(2, from: 500_000, to: 500_000 + length)
    stage.copy(as: 3)
    for take in [1, 3] as [Int64] {
      stage.use(take, from: 400_000, to: 700_000)
      #expect(stage.difference(in: 490_000..<515_000, by: 50) < 1e-6, "take \(take), a part")
    }
    for take in [1, 3] as [Int64] {
      stage.use(take)
      #expect(stage.difference(in: 490_000..<515_000, by: 50) < 1e-6, "take \(take), whole")
    }
    // Both pieces around it are there.
    #expect(stage.regions.count { $0.take?.rawValue == 3 && $0.isInUse } == 5)
  }

  @Test("A short piece at a seam of a copy keeps its crossfades apart when what follows it changes")
  func besideASeamOfACopy() {
    var stage = SeamStage()
    stage.copy(as: 3)
    // The seam of the copy is at 1 s, where nothing is heard of it.
    let edits: [(Int64, Int64, Int64)] = [
      (1, 400_000, 2_500_000), (3, 500_000, 1_001_000), (2, 1_001_000, 1_500_000),
    ]
    for (take, from, to) in edits {
      stage.use(take, from: from, to: to)
      #expect(stage.difference(in: 990_000..<1_010_000, by: 10) < 1e-6, "take \(take)")
    }
  }

  @Test(
    "However a comp is made, equal takes add up to what each is; with copies, of edges close together or far apart",
    arguments: [(false, 450), (true, 7_000), (true, 450)] as [(Bool, Int64)])
  func random(areCopied: Bool, grid: Int64) {
    let maximumTakes: Int64 = areCopied ? 4 : 2
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    for round in 1...100 {
      var (stage, takes) = (SeamStage(), 2 as Int64)
      for step in 1...12 {
        if takes < maximumTakes, Int.random(in: 1...6, using: &generator) == 1 {
          takes += 1
          stage.copy(as: takes)
        }
        let from = 1_000_000 + Int64.random(in: -20...20, using: &generator) * grid
        let to = from + Int64.random(in: 1...20, using: &generator) * grid
        stage.use(Int64.random(in: 1...takes, using: &generator), from: from, to: to)
        let difference = stage.difference(in: 1_000_000 - 25 * grid..<1_000_000 + 45 * grid, by: grid / 9)
        #expect(difference < 1e-6, "seed \(seed), round \(round), step \(step)")
        guard difference < 1e-6 else { return }
      }
    }
  }

  @Test("Takes that are bound to ticks add up, too")
  func musical() {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    for round in 1...20 {
      var stage = SeamStage(timeBase: .musical)
      for step in 1...8 {
        let from = 1_000_000 + Int64.random(in: -20...20, using: &generator) * 7_000
        let to = from + Int64.random(in: 1...20, using: &generator) * 7_000
        stage.use(Int64.random(in: 1...2, using: &generator), from: from, to: to)
        let difference = stage.difference(in: 825_000..<1_315_000, by: 70)
        #expect(difference < 1e-6, "seed \(seed), round \(round), step \(step)")
        guard difference < 1e-6 else { return }
      }
    }
  }

  @Test("The seams of a take that is a copy of a comp are as they were when it is used again")
  func copied() {
    var stage = SeamStage()
    stage.copy(as: 3)
    func heard() -> [Region] {
      stage.regions.filter(\.isInUse).sorted {
        $0.startFlicks(in: SeamStage.map) < $1.startFlicks(in: SeamStage.map)
      }
    }
    let before = heard()
    stage.use(2, from: 1_000_000, to: 2_000_000)
    #expect(heard().map(\.take?.rawValue) == [3, 2, 3])
    #expect(heard().map(\.start) == before.map(\.start) && heard().map(\.content) == before.map(\.content))
    #expect(heard().map(\.fadeIn) == before.map(\.fadeIn) && heard().map(\.fadeOut) == before.map(\.fadeOut))
    stage.use(3, from: 1_000_000, to: 2_000_000)
    #expect(heard() == before)
  }

  /// A region of a take; the second take is in use.
  /// - Parameter milliseconds: its place, where it begins in the file, and its length.
  private func region(
    _ id: Int64, _ take: Int64, file: Int64 = 1, _ milliseconds: (start: Int64, offset: Int64, length: Int64),
    fadeIn: Fade = .none, fadeOut: Fade = .none
  ) -> Region {
    var region = Region(
      id: RegionID(rawValue: id), track: TrackID(rawValue: 3),
      start: .absolute(SeamStage.place(1_000 * milliseconds.start)),
      content: .audio(
        AudioSpan(
          file: AudioFileID(rawValue: file), offset: .milliseconds(milliseconds.offset),
          duration: .milliseconds(milliseconds.length))),
      take: TakeID(rawValue: take), isInUse: take == 2)
    (region.fadeIn, region.fadeOut) = (fadeIn, fadeOut)
    return region
  }

  @Test("Where a short piece goes on in the next one without a fade, there is no seam to be made again")
  func besideASplit() {
    // As two splits leave them.
    let parts = [
      region(2, 2, file: 2, (0, 0, 1_000)), region(3, 2, file: 2, (1_000, 1_000, 4)),
      region(4, 2, file: 2, (1_004, 1_004, 3_996)),
    ]
    var stage = SeamStage(regions: [region(1, 1, (0, 0, 5_000))] + parts)
    stage.use(1, from: 500_000, to: 1_000_000)
    #expect(stage.difference(in: 990_000..<1_010_000, by: 50) < 1e-6)
    #expect(stage.regions.contains(parts[2]))
    #expect(stage.regions.first { $0.id == parts[1].id }?.fadeOut == Fade.none)
  }

  @Test("Short fades where nothing is crossfaded stay, in the take that is used and in the other one")
  func fadesStay() {
    let (edge, own) = (Fade(length: Fade.edgeLength), Fade(length: .milliseconds(2)))
    let sets: [[Region]] = [
      // As `delete-time` leaves them: the file does not go on at 400 ms.
      (1...2 as ClosedRange<Int64>).flatMap { take -> [Region] in
        [
          region(take, take, (0, 0, 400), fadeOut: edge), region(take + 2, take, (400, 1_200, 800), fadeIn: edge),
        ]
      },
      // At the file's own first frame.
      (1...2 as ClosedRange<Int64>).map { region($0, $0, (500, 0, 900), fadeIn: own, fadeOut: own) },
    ]
    for regions in sets {
      var stage = SeamStage(regions: regions)
      for take in [1, 2, 1] as [Int64] {
        stage.use(take)
        let rows = stage.regions.sorted { $0.id < $1.id }
        let before = regions.sorted { $0.id < $1.id }
        #expect(rows.map(\.fadeIn) == before.map(\.fadeIn) && rows.map(\.fadeOut) == before.map(\.fadeOut))
        #expect(rows.filter(\.isInUse).allSatisfy { $0.take?.rawValue == take })
      }
    }
  }

  @Test("Behind a cut of a take its fades are there again after a comp that ended at the cut")
  func fadesComeBack() {
    let edge = Fade(length: Fade.edgeLength)
    let regions = [
      region(1, 1, file: 2, (0, 0, 5_000)), region(2, 2, (0, 0, 400), fadeOut: edge),
      region(3, 2, (400, 1_200, 800), fadeIn: edge),
    ]
    var stage = SeamStage(regions: regions)
    for (first, last) in [(200_000, 400_000), (400_000, 600_000)] as [(Int64, Int64)] {
      stage.use(1, from: first, to: last)
    }
    stage.use(2, from: 200_000, to: 600_000)
    let heard = stage.regions.filter(\.isInUse).sorted {
      $0.startFlicks(in: SeamStage.map) < $1.startFlicks(in: SeamStage.map)
    }
    #expect(heard.map(\.take?.rawValue) == [2, 2])
    #expect(heard.map(\.fadeIn) == [.none, edge] && heard.map(\.fadeOut) == [edge, .none])
  }

  @Test("A comp of a take and its copy within a long fade follows the fade", arguments: RegionEdge.allCases)
  func withinAFade(edge: RegionEdge) {
    let fade = Fade(length: .milliseconds(1_600))
    let regions = (1...2 as ClosedRange<Int64>).map { take -> Region in
      var faded = region(take, take, (0, 0, 2_000))
      faded[edge] = fade
      return faded
    }
    var stage = SeamStage(regions: regions)
    stage.use(1, from: 600_000, to: 1_000_000)
    #expect(stage.regions.filter(\.isInUse).count == 3)
    #expect(difference(stage, from: SeamStage(regions: regions)) < 1e-6)
    stage.use(2, from: 600_000, to: 1_000_000)
    #expect(stage.regions.sorted { $0.id < $1.id } == regions)
  }

  @Test("Where takes differ, the last part of a long fade gives way to the crossfade")
  func lateInAFade() {
    let regions = (1...2 as ClosedRange<Int64>).map { take in
      region(take, take, file: take, (0, 0, 2_000), fadeIn: Fade(length: .milliseconds(1_600)))
    }
    var stage = SeamStage(regions: regions)
    stage.use(1, from: 1_200_000, to: 1_400_000)
    // Three quarters of the fade lie before the first seam.
    #expect(difference(stage, from: SeamStage(regions: regions)) < 0.26)
    #expect(abs(stage.sounding.gain(at: SeamStage.place(1_205_000)) - 1) < 1e-6)
  }

  /// How much the gains of two stages differ at most in the first 2 s.
  private func difference(_ stage: SeamStage, from other: SeamStage) -> Double {
    let (sounding, others) = (stage.sounding, other.sounding)
    return stride(from: 0, to: 2_000_000, by: 500).reduce(0) { most, microseconds -> Double in
      let place = SeamStage.place(Int64(microseconds))
      return max(most, abs(sounding.gain(at: place) - others.gain(at: place)))
    }
  }
}
