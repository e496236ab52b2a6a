import DAWModel
import DAWTestSupport
import DAWTime
import Testing

/// A track with takes that overlap, and beside its regions an array that says which take was chosen last for each cell
/// of time.
private struct TakeStage {
  /// A stretch of a take that goes on in its file, in cells.
  struct Stretch {
    var take: TakeID
    var file: AudioFileID
    var cells: Range<Int>
  }

  static let map = TempoMap(tempo: Tempo(bpm: 120), timeSignature: TimeSignature(4, over: 4))
  static let track = TrackID(rawValue: 3)

  let cellCount: Int
  /// The length of a cell.
  let cell: FlickCount
  let stretches: [Stretch]
  let originals: [Region]
  var regions: [Region]
  /// For each stretch, whether each cell of the timeline is heard.
  var chosen: [[Bool]]
  private var nextID: Int64 = 1_000

  init(cellCount: Int, cell: FlickCount, timeBase: TimeBase, using generator: inout SeededGenerator) {
    self.cellCount = cellCount
    self.cell = cell
    var stretches: [Stretch] = []
    for number in 1...Int64.random(in: 2...4, using: &generator) {
      let first = Int.random(in: 0..<cellCount / 3, using: &generator)
      let last = Int.random(in: cellCount / 2...cellCount, using: &generator)
      let middle = Bool.random(using: &generator) ? last : Int.random(in: first + 10..<last - 10, using: &generator)
      let file = AudioFileID(rawValue: number)
      stretches.append(Stretch(take: TakeID(rawValue: number), file: file, cells: first..<middle))
      // Behind a locate: it goes on elsewhere in the file.
      if middle < last {
        stretches.append(Stretch(take: TakeID(rawValue: number), file: file, cells: middle..<last))
      }
    }
    self.stretches = stretches
    chosen = stretches.map { _ in Array(repeating: false, count: cellCount) }
    regions = []
    var played: [AudioFileID: FlickCount] = [:]
    for (index, stretch) in stretches.enumerated() {
      let start = FlickPosition(flicks: cell.flicks * Int64(stretch.cells.lowerBound))
      let ticks = Self.map.ticks(at: start)
      // The second stretch of a file begins a second behind the first.
      let offset = played[stretch.file].map { $0 + .seconds(1) } ?? .zero
      let begin = timeBase == .absolute ? start : Self.map.flicks(at: ticks)
      let last = FlickPosition(flicks: cell.flicks * Int64(stretch.cells.upperBound))
      // Behind a locate the next begins on a tick; the end of a take need not lie on one.
      let goesOn = stretches[index...].dropFirst().first?.take == stretch.take
      let end = timeBase == .absolute || !goesOn ? last : Self.map.flicks(at: Self.map.ticks(at: last))
      played[stretch.file] = offset + (end - begin)
      regions.append(
        Region(
          id: RegionID(rawValue: Int64(index + 1)), track: Self.track,
          start: timeBase == .absolute ? .absolute(start) : .musical(ticks),
          content: .audio(AudioSpan(file: stretch.file, offset: offset, duration: end - begin)), take: stretch.take,
          isInUse: false))
    }
    originals = regions
  }

  var lengths: [AudioFileID: FlickCount] {
    Dictionary(grouping: originals.compactMap(\.audio), by: \.file).mapValues { spans in
      spans.map { $0.offset + $0.duration }.max() ?? .zero
    }
  }

  var comp: Comp { Comp(regions, in: Self.map, fileLengths: lengths) }

  /// - Returns: the number of regions that changed; `nil` if the take is not there.
  @discardableResult
  mutating func use(_ take: TakeID, cells: Range<Int>?) -> Int? {
    let range = cells.map { place($0.lowerBound)..<place($0.upperBound) }
    guard let parts = comp.using(take, in: range) else { return nil }
    var rows = Dictionary(regions.map { ($0.id, $0) }) { first, _ in first }
    for source in parts.flatMap(\.sources) { rows[source.region] = nil }
    for part in parts {
      var region = part.region
      if part.isNew {
        region.id = RegionID(rawValue: nextID)
        nextID += 1
      }
      rows[region.id] = region
    }
    regions = rows.values.sorted { $0.id < $1.id }
    choose(take, cells)
    return parts.count
  }

  func place(_ cell: Int) -> FlickPosition { FlickPosition(flicks: self.cell.flicks * Int64(cell)) }

  /// The same in the arrays.
  private mutating func choose(_ take: TakeID, _ cells: Range<Int>?) {
    let covered = (0..<cellCount).filter { cell in
      (cells?.contains(cell) ?? true) && stretches.contains { $0.take == take && $0.cells.contains(cell) }
    }
    for (index, stretch) in stretches.enumerated() {
      if stretch.take == take {
        for cell in covered where stretch.cells.contains(cell) { chosen[index][cell] = true }
      } else if cells != nil {
        for cell in covered { chosen[index][cell] = false }
      } else {
        for cell in covered where chosen[index][cell] {
          // What is heard without a break goes as a whole.
          var (first, last) = (cell, cell)
          while first > 0, chosen[index][first - 1] { first -= 1 }
          while last < cellCount - 1, chosen[index][last + 1] { last += 1 }
          for cell in first...last { chosen[index][cell] = false }
        }
      }
    }
  }

  // MARK: What is heard

  /// The gain of a region, by the definition of a linear fade; 0 outside of it.
  func gain(_ region: Region, at place: FlickPosition) -> Double {
    guard region.isInUse else { return 0 }
    let (start, end) = (region.startFlicks(in: Self.map), region.endFlicks(in: Self.map))
    guard start <= place, place < end else { return 0 }
    func level(_ fade: Fade, _ distance: FlickCount) -> Double {
      guard fade.length > .zero else { return 1 }
      return min(1, Double((fade.cut + distance).flicks) / Double(fade.length.flicks))
    }
    return level(region.fadeIn, place - start) * level(region.fadeOut, end - place)
  }

  /// Where the file's beginning would lie on the timeline.
  func origin(_ region: Region) -> FlickPosition {
    region.startFlicks(in: Self.map) - (region.audio?.offset ?? .zero)
  }

  /// For each stretch, the spans of the timeline that its regions cover, joined.
  func coverage(_ index: Int) -> [Range<Int64>] {
    let origin = origin(originals[index])
    let spans = regions.filter { $0.take == stretches[index].take && self.origin($0) == origin }
      .map { $0.startFlicks(in: Self.map).flicks..<$0.endFlicks(in: Self.map).flicks }
      .sorted { $0.lowerBound < $1.lowerBound }
    var joined: [Range<Int64>] = []
    for span in spans {
      if let last = joined.last, span.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
      } else {
        joined.append(span)
      }
    }
    return joined
  }
}

@Suite("Comps of takes")
struct CompTests {
  private func random(
    _ timeBase: TimeBase, cell: FlickCount = .milliseconds(10),
    _ body: (inout TakeStage, inout SeededGenerator, Testing.Comment) -> Void
  ) {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    for round in 0..<AuditCount.current(usually: 40) {
      var stage = TakeStage(cellCount: 120, cell: cell, timeBase: timeBase, using: &generator)
      for step in 0..<Int.random(in: 1...25, using: &generator) {
        let take = stage.stretches.randomElement(using: &generator)?.take ?? TakeID(rawValue: 1)
        let first = Int.random(in: 0..<stage.cellCount, using: &generator)
        let last = Int.random(in: first + 1...stage.cellCount, using: &generator)
        stage.use(take, cells: Int.random(in: 0..<6, using: &generator) == 0 ? nil : first..<last)
        body(&stage, &generator, "seed \(seed), round \(round), step \(step)")
      }
    }
  }

  @Test(
    "At each moment exactly the takes chosen last are heard, each at its place in its file",
    arguments: TimeBase.allCases)
  func heard(timeBase: TimeBase) {
    random(timeBase) { stage, _, comment in
      for cell in 0..<stage.cellCount {
        let middle = stage.place(cell) + FlickCount(flicks: stage.cell.flicks / 2)
        let heard = stage.regions.filter { stage.gain($0, at: middle) > 0 }
        let wanted = stage.stretches.indices.filter { stage.chosen[$0][cell] }
        let isRight =
          heard.count == wanted.count
          && wanted.allSatisfy { index in
            heard.contains {
              $0.take == stage.stretches[index].take && stage.origin($0) == stage.origin(stage.originals[index])
                && stage.gain($0, at: middle) == 1
            }
          }
        guard isRight else {
          Issue.record("cell \(cell): heard \(heard), wanted \(wanted.map { stage.stretches[$0] }); \(comment)")
          return
        }
      }
    }
  }

  @Test("Nothing of a take is lost, however short the ranges", arguments: TimeBase.allCases, [1, 2, 10] as [Int64])
  func nothingIsLost(timeBase: TimeBase, milliseconds: Int64) {
    random(timeBase, cell: .milliseconds(milliseconds)) { stage, _, comment in
      for (index, original) in stage.originals.enumerated() {
        let whole = original.startFlicks(in: TakeStage.map).flicks..<original.endFlicks(in: TakeStage.map).flicks
        #expect(stage.coverage(index) == [whole], comment)
      }
      for region in stage.regions {
        let span = region.audio
        #expect(span.map { $0.offset >= .zero && $0.duration > .zero } == true, comment)
      }
    }
  }

  /// Where regions are bound to ticks, their starts are up to two ticks early, and up to half a tick behind an end.
  @Test(
    "Where one take follows another, or itself behind a locate, the gains add up to 1", arguments: TimeBase.allCases)
  func seams(timeBase: TimeBase) {
    let tick = (TakeStage.map.flicks(at: TickPosition(ticks: 1)) - FlickPosition.zero).flicks
    let tolerance = timeBase == .absolute ? 1e-6 : 1e-6 + 2 * Double(tick) / Double(Fade.edgeLength.flicks)
    random(timeBase) { stage, _, comment in
      let sounding = [SoundingRegion](stage.regions, in: TakeStage.map)
      for cell in 1..<stage.cellCount {
        let before = stage.stretches.indices.filter { stage.chosen[$0][cell - 1] }
        let after = stage.stretches.indices.filter { stage.chosen[$0][cell] }
        guard before.count == 1, after.count == 1 else { continue }
        for offset in stride(from: -3_400, through: 3_400, by: 250) as StrideThrough<Int64> {
          let place = stage.place(cell) + FlickCount(flicks: offset * 7_056 / 10)
          let sum = sounding.gain(at: place)
          guard abs(sum - 1) <= tolerance else {
            Issue.record("\(sum) at \(offset) µs from cell \(cell); \(comment)")
            return
          }
        }
      }
    }
  }

  @Test("No region begins or ends within its take at full level while it is heard", arguments: TimeBase.allCases)
  func noClicks(timeBase: TimeBase) {
    random(timeBase) { stage, _, comment in
      for region in stage.regions where region.isInUse {
        let start = region.startFlicks(in: TakeStage.map)
        let end = region.endFlicks(in: TakeStage.map)
        let isFirst = stage.originals.contains { $0.take == region.take && $0.startFlicks(in: TakeStage.map) == start }
        let isLast = stage.originals.contains { $0.take == region.take && $0.endFlicks(in: TakeStage.map) == end }
        #expect(isFirst || region.fadeIn.length > .zero, comment)
        #expect(isLast || region.fadeOut.length > .zero, comment)
      }
    }
  }

  @Test("Using a take again changes nothing; using it whole makes it whole again", arguments: TimeBase.allCases)
  func again(timeBase: TimeBase) {
    random(timeBase) { stage, generator, comment in
      let take = stage.stretches.randomElement(using: &generator)?.take ?? TakeID(rawValue: 1)
      let cells = 20..<Int.random(in: 21...stage.cellCount, using: &generator)
      if stage.use(take, cells: cells) != nil {
        let once = stage.regions
        #expect(stage.use(take, cells: cells) == 0, comment)
        #expect(stage.regions == once, comment)
      }
      var copy = stage
      copy.use(take, cells: nil)
      let whole = copy.regions.filter { $0.take == take }.map { region in
        var region = region
        region.id = RegionID(rawValue: 1)
        return region
      }
      let originals = copy.originals.filter { $0.take == take }.map { region in
        var region = region
        (region.id, region.isInUse) = (RegionID(rawValue: 1), true)
        return region
      }
      let sorted = whole.sorted { $0.startFlicks(in: TakeStage.map) < $1.startFlicks(in: TakeStage.map) }
      // A take that begins or ends beside another is crossfaded there.
      #expect(sorted.map(\.start) == originals.map(\.start), comment)
      #expect(sorted.map(\.content) == originals.map(\.content), comment)
    }
  }

  @Test("Notes are divided without fades, and parts of a take are joined again")
  func notes() throws {
    func region(_ id: Int64, _ take: Int64, _ ticks: Range<Int64>, _ isInUse: Bool) -> Region {
      Region(
        id: RegionID(rawValue: id), track: TakeStage.track, start: .musical(TickPosition(ticks: ticks.lowerBound)),
        content: .midi(TickCount(ticks: Int64(ticks.count))), take: TakeID(rawValue: take), isInUse: isInUse)
    }
    let map = TakeStage.map
    let comp = Comp([region(1, 1, 0..<8_000, true), region(2, 2, 0..<8_000, false)], in: map, fileLengths: [:])
    let range = map.flicks(at: TickPosition(ticks: 2_000))..<map.flicks(at: TickPosition(ticks: 4_000))
    let parts = try #require(comp.using(TakeID(rawValue: 2), in: range))
    #expect(parts.map(\.region.isInUse) == [true, false, false, true, true, false])
    #expect(parts.map(\.isNew) == [false, false, true, true, true, true])
    #expect(
      parts.map { $0.sources[0].range } == [
        0..<2_000, 0..<2_000, 2_000..<4_000, 2_000..<4_000, 4_000..<8_000, 4_000..<8_000,
      ])
    let rows = parts.enumerated().map { index, part in
      var region = part.region
      region.id = RegionID(rawValue: Int64(index + 1))
      return region
    }
    let joined = try #require(Comp(rows, in: map, fileLengths: [:]).using(TakeID(rawValue: 1), in: nil))
    #expect(joined.map(\.region.duration) == [.musical(TickCount(ticks: 8_000)), .musical(TickCount(ticks: 8_000))])
    #expect(joined.map(\.region.isInUse) == [true, false])
    #expect(joined.map { $0.sources.count } == [3, 3])
  }

  @Test("A take that has nothing in a range is not used there")
  func nothingThere() {
    var generator = SeededGenerator(seed: 1)
    let stage = TakeStage(cellCount: 120, cell: .milliseconds(10), timeBase: .absolute, using: &generator)
    let end = stage.place(stage.cellCount)
    #expect(stage.comp.using(TakeID(rawValue: 1), in: end..<end + .seconds(1)) == nil)
    #expect(stage.comp.using(TakeID(rawValue: 1), in: stage.place(60)..<stage.place(60)) == nil)
    #expect(stage.comp.using(TakeID(rawValue: 99), in: nil) == nil)
  }
}
