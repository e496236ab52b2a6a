import DAWTime

/// Plays a short tick on each beat. The samples are made off the audio thread.
struct Metronome {
  /// The tick of a beat, and of a bar's first beat: `frameCount` samples each.
  let beat: UnsafeMutablePointer<Float>
  let accent: UnsafeMutablePointer<Float>
  let frameCount: Int

  /// Renders the ticks from timeline frame `first` on.
  @_noLocks func play(
    _ clicks: UnsafeMutablePointer<Click>, _ clickCount: Int, frame first: TimelineFrame,
    into target: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    clear(target, count)
    var low = 0
    var high = clickCount
    while low < high {
      let middle = (low + high) / 2
      if clicks[middle].frame + frameCount <= first { low = middle + 1 } else { high = middle }
    }
    while low < clickCount, clicks[low].frame < first + count {
      let tick = clicks[low].isAccent ? accent : beat
      let offset = clicks[low].frame - first
      let begin = max(0, offset)
      let end = min(count, offset + frameCount)
      if begin < end { add(tick + (begin - offset), to: target + begin, end - begin) }
      low += 1
    }
  }
}
