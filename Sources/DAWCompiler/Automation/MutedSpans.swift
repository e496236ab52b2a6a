import DAWEngine
import DAWTime

/// The frames at which mutes that move keep a track's MIDI port from sending notes.
struct MutedSpans: Hashable, Sendable {
  /// In order, with frames between them; from `TimelineFrame.min` and to `.max` where there is no end.
  private let spans: [Range<TimelineFrame>]

  static let none = MutedSpans([])

  /// - Parameter gates: curves that hold 1 or 0, which is muted. One of them is enough.
  init(_ gates: [Curve]) {
    var closed: [Range<TimelineFrame>] = []
    for points in gates.map(\.points) {
      for (index, point) in points.enumerated() where point.value == 0 {
        let first: TimelineFrame = index == 0 ? .min : point.frame
        let end = index + 1 < points.count ? points[index + 1].frame : TimelineFrame.max
        if first < end { closed.append(first..<end) }
      }
    }
    var spans: [Range<TimelineFrame>] = []
    for span in closed.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = spans.last, span.lowerBound <= last.upperBound {
        spans[spans.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
      } else {
        spans.append(span)
      }
    }
    self.spans = spans
  }

  /// The index of the first span that ends behind a frame.
  private func index(endingBehind frame: TimelineFrame) -> Int {
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].upperBound > frame { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// When a note ends that begins at a frame.
  /// - Parameter end: when it would end.
  /// - Returns: `nil` if it is not sent.
  func end(ofNoteFrom frame: TimelineFrame, to end: TimelineFrame) -> TimelineFrame? {
    let index = index(endingBehind: frame)
    guard index < spans.count else { return end }
    return spans[index].contains(frame) ? nil : min(end, spans[index].lowerBound)
  }

  /// Settings with the sustain and sostenuto pedals up wherever it is muted; else notes would ring on. Behind a span
  /// each pedal is where the settings have left it.
  /// - Parameter events: in order of frame.
  func liftingPedals(in events: [MIDIEvent]) -> [MIDIEvent] {
    guard !spans.isEmpty, events.contains(where: \.movesHoldingPedal) else { return events }
    var lifted: [MIDIEvent] = []
    var rest = events[...]
    /// By channel: sustain, then sostenuto.
    var pedals = [UInt8](repeating: 0, count: 32)
    func take(before frame: TimelineFrame, isMuted: Bool) {
      while let event = rest.first, event.frame < frame {
        rest.removeFirst()
        if let place = event.pedalPlace { pedals[place] = event.data2 }
        if !isMuted || !event.movesHoldingPedal { lifted.append(event) }
      }
    }
    func movePedals(at frame: TimelineFrame, isMuted: Bool) {
      for (place, value) in pedals.enumerated() where value > 0 {
        lifted.append(MIDIEvent(pedal: isMuted ? 0 : value, place: place, frame: frame))
      }
    }
    for span in spans {
      take(before: span.lowerBound, isMuted: false)
      movePedals(at: span.lowerBound, isMuted: true)
      take(before: span.upperBound, isMuted: true)
      if span.upperBound < .max { movePedals(at: span.upperBound, isMuted: false) }
    }
    take(before: .max, isMuted: false)
    return lifted
  }
}

extension MIDIEvent {
  /// The channel of a sustain pedal, 16 more for a sostenuto pedal; `nil` for other messages.
  fileprivate var pedalPlace: Int? {
    movesHoldingPedal ? Int(status & 0x0f) + (data1 == Self.holdingPedals.0 ? 0 : 16) : nil
  }

  fileprivate init(pedal value: UInt8, place: Int, frame: TimelineFrame) {
    let (sustain, sostenuto) = Self.holdingPedals
    self.init(
      frame: frame, status: 0xb0 | UInt8(place % 16), data1: place < 16 ? sustain : sostenuto, data2: value)
  }
}
