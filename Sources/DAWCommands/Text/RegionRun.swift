import DAWInterchange
import DAWTime

/// Regions that are copies of each other: end to end, or at least three of them at one distance.
struct RegionRun {
  private(set) var regions: [RegionDocument]
  /// From the start of one to the start of the next; `nil` while there is only one.
  private var step: TickCount?
  private var lastStart: TickPosition
  /// Whether each begins where the one before ends.
  private var isEndToEnd = true

  var first: RegionDocument { regions[0] }

  /// Seconds.
  var end: Double { regions.last.map { $0.startTime + $0.duration } ?? 0 }

  private init(_ region: RegionDocument, at start: TickPosition) {
    regions = [region]
    lastStart = start
  }

  /// "Verse", "Verse ×8".
  var title: String { regions.count == 1 ? first.name.text : "\(first.name) \(Glyph.times)\(regions.count)" }

  /// "kick.flac, every 1b".
  var content: String {
    let content = Wording.content(first)
    guard let step, !isEndToEnd else { return content }
    return "\(content), every \(step)"
  }

  /// - Parameter regions: in order of their start. Those that list their notes stand alone.
  static func runs(of regions: [RegionDocument], in map: TempoMap) -> [RegionRun] {
    var runs: [RegionRun] = []
    for region in regions {
      let start = FlickPosition(seconds: region.startTime).map { map.ticks(at: $0) } ?? .zero
      if let last = runs.indices.last, runs[last].goesOn(with: region, at: start) {
        runs[last].append(region, at: start)
      } else {
        runs.append(RegionRun(region, at: start))
      }
    }
    return runs.flatMap { run in
      run.regions.count == 2 && !run.isEndToEnd ? run.regions.map { RegionRun($0, at: .zero) } : [run]
    }
  }

  private mutating func append(_ region: RegionDocument, at start: TickPosition) {
    step = start - lastStart
    isEndToEnd = isEndToEnd && beginsAtEnd(region)
    regions.append(region)
    lastStart = start
  }

  /// Whether a region begins where the last one ends. A flick is 1.4 ns.
  private func beginsAtEnd(_ region: RegionDocument) -> Bool { abs(region.startTime - end) < 1e-8 }

  private func goesOn(with region: RegionDocument, at start: TickPosition) -> Bool {
    guard region.startTime > end - 1e-8, region.notes?.isListed != true, first.notes?.isListed != true else {
      return false
    }
    guard step == nil || step == start - lastStart || isEndToEnd && beginsAtEnd(region) else {
      return false
    }
    return Self.base(of: region.name.text) == Self.base(of: first.name.text)
      && (region.length.ticks, region.length.flicks) == (first.length.ticks, first.length.flicks)
      && Wording.content(region) == Wording.content(first) && region.color == first.color
  }

  /// A copy is called "Verse 2".
  private static func base(of name: String) -> Substring {
    let digits = name.reversed().prefix(while: \.isASCIIDigit).count
    let rest = name.dropLast(digits)
    return digits > 0 && rest.last == " " ? rest.dropLast() : name[...]
  }
}
