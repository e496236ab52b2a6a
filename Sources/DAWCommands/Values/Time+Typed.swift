import DAWErrors
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

/// A timeline position as typed: in one of the clocks, a name after `@`, or a distance with a sign from where something
/// is now.
struct TypedPosition {
  private enum Reading {
    case time(TypedTime<PositionExpression>)
    case marker(TypedMarkerPlace)
    case shift(TypedShift, text: String)
  }

  private let reading: Reading

  /// - Throws: `Unreadable` for what has no form of a position.
  init(typed text: String) throws {
    guard !text.hasPrefix("@") else {
      reading = .marker(try TypedMarkerPlace(typed: text))
      return
    }
    if TypedShift.hasSign(text), let shift = try? TypedShift(typed: text) {
      reading = .shift(shift, text: text)
      return
    }
    reading = .time(try TypedTime(text) { text throws(TimeParseError) in try PositionExpression(parsing: text) })
  }

  /// In the clock that it was typed in: seconds and frames are absolute, bars and quarter notes musical; that of a
  /// marker is the marker's.
  /// - Parameter current: where that which is moved is now; `nil` where nothing is moved.
  /// - Throws: `Failure` for a position that is not on the timeline, or a sign where nothing is moved.
  func position(in timeline: Timeline, from current: TimelinePosition? = nil) throws -> TimelinePosition {
    switch reading {
    case .shift(let shift, let text):
      guard let current else {
        throw Failure.nothingMoves(text, hint: TimeParseError(.position, .negative, text: text).acceptedForms)
      }
      return try shift.position(from: current, in: timeline, typed: text)
    case .marker(let place): return try place.position(in: timeline)
    case .time(let time):
      return try time.resolve { expression throws(TimelineError) in
        let timeBase: TimeBase =
          switch expression {
          case .absolute, .frames: .absolute
          case .musical, .barBeatTick: .musical
          }
        return try expression.position(in: timeline.tempoMap, rate: timeline.sampleRate, as: timeBase)
      }
    }
  }

  /// - Throws: `Failure` for a position that is not on the timeline.
  func flicks(in timeline: Timeline, from current: TimelinePosition? = nil) throws -> FlickPosition {
    timeline.tempoMap.flicks(at: try position(in: timeline, from: current))
  }

  /// The bar that begins there, from 1.
  /// - Parameter current: the bar where that which is moved is now.
  /// - Throws: `Failure` for a position that is no bar line.
  func bar(in timeline: Timeline, from current: Int64? = nil) throws -> Int64 {
    // Whole bars are counted, since what is moved may be the meter that they would be measured with.
    if case .shift(let shift, _) = reading, let current, let bars = shift.distance.wholeBars {
      return shift.isBack ? current - bars : current + bars
    }
    let start = try current.map { TimelinePosition.musical(try timeline.tempoMap.ticks(at: BarBeatTick(bar: $0))) }
    let place = timeline.tempoMap.barBeatTick(at: try ticks(in: timeline, from: start))
    guard place.beat == 1, place.tick == 0 else {
      throw Failure(
        .invalid, code: Rule.meterBar.rawValue, "\(place) is no bar line. Nothing was changed.",
        hint: "A time signature changes where a bar begins: \(place.bar).1.0 or \(place.bar + 1).1.0.")
    }
    return place.bar
  }

  /// - Throws: `Failure` for a position that is not on the timeline.
  func ticks(in timeline: Timeline, from current: TimelinePosition? = nil) throws -> TickPosition {
    timeline.tempoMap.ticks(at: try position(in: timeline, from: current))
  }
}

/// A distance as typed.
struct TypedDistance {
  private let reading: TypedTime<DistanceExpression>

  /// - Throws: `Unreadable` for what has no form of a distance.
  init(typed text: String) throws {
    reading = try TypedTime(text) { text throws(TimeParseError) in try DistanceExpression(parsing: text) }
  }

  /// The length of a note that was given none.
  static let quarter = TypedDistance(.musical(TickCount(ticks: TickCount.perQuarter)))
  /// The length of a MIDI region that was given none.
  static let bar = TypedDistance(.barsBeatsTicks(BarBeatTickCount(bars: 1)))

  init(_ flicks: FlickCount) { self.init(.absolute(flicks)) }

  private init(_ expression: DistanceExpression) { reading = .readable(expression) }

  /// For what was typed in bars alone: `2.0.0`.
  var wholeBars: Int64? {
    guard case .readable(.barsBeatsTicks(let count)) = reading, count.beats == 0, count.ticks == 0 else { return nil }
    return count.bars
  }

  /// Whether it was typed in bars, beats, ticks or quarter notes.
  var isMusical: Bool {
    switch reading {
    case .readable(.musical), .readable(.barsBeatsTicks): true
    default: false
    }
  }

  /// - Throws: `Failure` for a length that the timeline has not.
  func ticks(in timeline: Timeline, from start: TickPosition) throws -> TickCount {
    try ticks(timeline.tempoMap, timeline.sampleRate, from: start)
  }

  /// - Throws: `Failure` for a length that the timeline has not.
  func flicks(in timeline: Timeline, from start: FlickPosition) throws -> FlickCount {
    try flicks(timeline.tempoMap, timeline.sampleRate, from: start)
  }

  /// The length of what ends at a position: seconds and frames are measured before it, bars by the meter there.
  /// - Throws: `Failure` for a length that the timeline has not.
  func ticksBack(in timeline: Timeline, from end: TickPosition) throws -> TickCount {
    try reading.resolve { expression throws(TimelineError) in
      let (map, rate) = (timeline.tempoMap, timeline.sampleRate)
      switch expression {
      case .musical, .barsBeatsTicks: return try expression.ticks(from: .musical(end), in: map, rate: rate)
      case .absolute, .frames:
        let flicks = try expression.flicks(from: .musical(end), in: map, rate: rate)
        return end - map.ticks(at: map.flicks(at: end) - flicks)
      }
    }
  }

  /// A limit either way: what was typed in seconds or frames stays so.
  /// - Throws: `Failure` for a length that the timeline has not.
  func limit(in timeline: Timeline, from start: TickPosition) throws -> TimelineDistance {
    try reading.resolve { expression throws(TimelineError) in
      let timeBase: TimeBase =
        switch expression {
        case .absolute, .frames: .absolute
        case .musical, .barsBeatsTicks: .musical
        }
      return try expression.distance(
        from: .musical(start), in: timeline.tempoMap, rate: timeline.sampleRate, as: timeBase)
    }
  }

  /// For a length whose start and clock are not known yet.
  func expression(in timeline: Timeline) -> LengthExpression {
    let rate = timeline.sampleRate
    return LengthExpression(
      ticks: { map, start in try ticks(map, rate, from: start) },
      flicks: { map, start in try flicks(map, rate, from: start) })
  }

  private func ticks(_ map: TempoMap, _ rate: SampleRate, from start: TickPosition) throws -> TickCount {
    try reading.resolve { expression throws(TimelineError) in
      try expression.ticks(from: .musical(start), in: map, rate: rate)
    }
  }

  private func flicks(_ map: TempoMap, _ rate: SampleRate, from start: FlickPosition) throws -> FlickCount {
    try reading.resolve { expression throws(TimelineError) in
      try expression.flicks(from: .absolute(start), in: map, rate: rate)
    }
  }
}

/// What was typed for a time: one that has a form, or one that could be read, but is not on the timeline.
private enum TypedTime<Expression: Sendable>: Sendable {
  case readable(Expression)
  case refused(TimeParseError)

  /// - Throws: `Unreadable` for what has no form.
  init(_ text: String, parse: (String) throws(TimeParseError) -> Expression) throws {
    do {
      self = .readable(try parse(text))
    } catch {
      switch error.reason {
      case .unreadable, .empty, .bareNumber: throw Unreadable(text, error.description)
      case .negative, .countsFromOne, .outOfRange: self = .refused(error)
      }
    }
  }

  /// - Throws: `Failure`: syntax is in order, so this is a value that breaks a rule.
  func resolve<T>(_ body: (Expression) throws(TimelineError) -> T) throws -> T {
    switch self {
    case .refused(let error):
      throw Failure(.invalid, code: "invalidTime", "\(error.complaint) Nothing was changed.", hint: error.acceptedForms)
    case .readable(let expression):
      do {
        return try body(expression)
      } catch {
        throw Failure(.invalid, code: "invalidTime", "\(error) Nothing was changed.")
      }
    }
  }
}

extension TimeBase {
  init(typed text: String) throws { try self.init(typed: text, listedAs: "the time bases are") }
}
