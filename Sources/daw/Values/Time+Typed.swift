import DAWModel
import DAWSession
import DAWTime

/// A place on the timeline as somebody typed it.
struct TypedPosition {
  private let reading: TypedTime<PositionExpression>

  /// - Throws: `Unreadable` for what has no form of a position.
  init(typed text: String) throws {
    reading = try TypedTime(text) { text throws(TimeParseError) in try PositionExpression(parsing: text) }
  }

  /// In the clock that it was typed in: seconds and frames are absolute, bars and quarter notes musical.
  /// - Throws: `Failure` for a place that is not on the timeline.
  func position(in settings: ProjectSettings) throws -> TimelinePosition {
    try reading.resolve { expression throws(TimelineError) in
      let timeBase: TimeBase =
        switch expression {
        case .absolute, .frames: .absolute
        case .musical, .barBeatTick: .musical
        }
      return try expression.position(in: settings.tempoMap, rate: settings.sampleRate, as: timeBase)
    }
  }

  /// - Throws: `Failure` for a place that is not on the timeline.
  func flicks(in settings: ProjectSettings) throws -> FlickPosition {
    try reading.resolve { expression throws(TimelineError) in
      try expression.flicks(in: settings.tempoMap, rate: settings.sampleRate)
    }
  }

  /// - Throws: `Failure` for a place that is not on the timeline.
  func ticks(in settings: ProjectSettings) throws -> TickPosition {
    try reading.resolve { expression throws(TimelineError) in
      try expression.ticks(in: settings.tempoMap, rate: settings.sampleRate)
    }
  }
}

/// A distance as somebody typed it.
struct TypedDistance {
  private let reading: TypedTime<DistanceExpression>

  /// - Throws: `Unreadable` for what has no form of a distance.
  init(typed text: String) throws {
    reading = try TypedTime(text) { text throws(TimeParseError) in try DistanceExpression(parsing: text) }
  }

  /// The length of a note that was given none.
  static let quarterOfASecond = TypedDistance(.milliseconds(250))

  init(_ flicks: FlickCount) { reading = .readable(.absolute(flicks)) }

  /// - Throws: `Failure` for a length that the timeline has not.
  func ticks(in settings: ProjectSettings, from start: TickPosition) throws -> TickCount {
    try reading.resolve { expression throws(TimelineError) in
      try expression.ticks(from: .musical(start), in: settings.tempoMap, rate: settings.sampleRate)
    }
  }

  /// - Throws: `Failure` for a length that the timeline has not.
  func flicks(in settings: ProjectSettings, from start: FlickPosition) throws -> FlickCount {
    try reading.resolve { expression throws(TimelineError) in
      try expression.flicks(from: .absolute(start), in: settings.tempoMap, rate: settings.sampleRate)
    }
  }

  /// For a length whose start and clock are not known yet.
  func expression(in settings: ProjectSettings) -> LengthExpression {
    LengthExpression(
      ticks: { _, start in try ticks(in: settings, from: start) },
      flicks: { _, start in try flicks(in: settings, from: start) })
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
      throw Failure(.invalid, code: "time", "\(error.complaint) Nothing was changed.", hint: error.acceptedForms)
    case .readable(let expression):
      do {
        return try body(expression)
      } catch {
        throw Failure(.invalid, code: "time", "\(error) Nothing was changed.")
      }
    }
  }
}
