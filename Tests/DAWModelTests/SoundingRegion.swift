import DAWModel
import DAWTime

/// A region that is heard, its places and fades in flicks: for gains at thousands of places, for which asking the tempo
/// map each time takes most of a test's time.
struct SoundingRegion {
  private struct Ramp {
    let cut: Int64
    let length: Int64

    init(_ fade: Fade) { (cut, length) = (fade.cut.flicks, fade.length.flicks) }

    /// By the definition of a linear fade.
    func level(_ distance: Int64) -> Double {
      length > 0 ? min(1, Double(cut + distance) / Double(length)) : 1
    }
  }

  private let start: Int64
  private let end: Int64
  private let fadeIn: Ramp
  private let fadeOut: Ramp

  /// - Returns: `nil` for a region that is not in use.
  init?(_ region: Region, in map: TempoMap) {
    guard region.isInUse else { return nil }
    (start, end) = (region.startFlicks(in: map).flicks, region.endFlicks(in: map).flicks)
    (fadeIn, fadeOut) = (Ramp(region.fadeIn), Ramp(region.fadeOut))
  }

  /// - Returns: 0 outside of it.
  func gain(at place: Int64) -> Double {
    start <= place && place < end ? fadeIn.level(place - start) * fadeOut.level(end - place) : 0
  }
}

extension [SoundingRegion] {
  init(_ regions: [Region], in map: TempoMap) { self = regions.compactMap { SoundingRegion($0, in: map) } }

  /// The gains of all of them, together.
  func gain(at place: FlickPosition) -> Double {
    let flicks = place.flicks
    // Not `reduce`, which takes ten times as long without optimisation.
    return withUnsafeBufferPointer { regions in
      guard let first = regions.baseAddress else { return 0 }
      let count = regions.count
      var (sum, index) = (0.0, 0)
      while index < count {
        sum += first[index].gain(at: flicks)
        index += 1
      }
      return sum
    }
  }
}
