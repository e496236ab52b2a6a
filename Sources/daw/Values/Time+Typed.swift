import DAWModel
import DAWSession
import DAWTime

/// A place on the timeline as somebody typed it.
struct TypedPosition: Sendable {
  private let text: String
  init(typed text: String) throws {
    self.text = text
    _ = try TypedDistance(typed: text, isPosition: true)
  }

  func position(in settings: ProjectSettings) throws -> TimelinePosition {
    switch try TypedDistance(typed: text, isPosition: true).value(settings) {
    case .absolute(let flicks): .absolute(.zero + flicks)
    case .musical(let ticks): .musical(.zero + ticks)
    }
  }

  func flicks(in settings: ProjectSettings) throws -> FlickPosition {
    settings.tempoMap.flicks(at: try position(in: settings))
  }

  func ticks(in settings: ProjectSettings) throws -> TickPosition {
    settings.tempoMap.ticks(at: try position(in: settings))
  }
}

/// A distance as somebody typed it.
struct TypedDistance: Sendable {
  private enum Form { case seconds(Double), frames(Int64), quarters(Double), bars(Int64, Int64, Int64) }
  private let form: Form

  init(typed text: String) throws { try self.init(typed: text, isPosition: false) }

  init(typed text: String, isPosition: Bool) throws {
    if text.hasSuffix("ms"), let n = decimal(text.dropLast(2)) {
      form = .seconds(n / 1000)
    } else if text.hasSuffix("s"), let n = decimal(text.dropLast()) {
      form = .seconds(n)
    } else if text.hasSuffix("f"), let n = Int64(text.dropLast()) {
      form = .frames(n)
    } else if text.hasSuffix("b"), let n = decimal(text.dropLast()) {
      form = .quarters(n)
    } else {
      let parts = text.split(separator: ".").compactMap { Int64($0) }
      guard parts.count == 3 else { throw Unreadable(text, "a time is 2s, 4b, 3.1.0.") }
      form = isPosition ? .bars(parts[0] - 1, parts[1] - 1, parts[2]) : .bars(parts[0], parts[1], parts[2])
    }
  }

  init?(seconds: Double) {
    guard abs(seconds) < 1e8 else { return nil }
    form = .seconds(seconds)
  }
  static let quarterOfASecond = TypedDistance(form: .seconds(0.25))
  private init(form: Form) { self.form = form }

  fileprivate func value(_ settings: ProjectSettings) throws -> TimelineDistance {
    switch form {
    case .seconds(let s): .absolute(FlickCount(flicks: Int64((s * Double(FlickCount.perSecond)).rounded())))
    case .frames(let f): .absolute(FlickCount(flicks: f * (settings.sampleRate.flicksPerFrame ?? 0)))
    case .quarters(let q): .musical(TickCount(ticks: Int64((q * 15360).rounded())))
    case .bars(let a, let b, let c):
      .musical(TickCount(ticks: a * settings.timeSignature.bar.ticks + b * settings.timeSignature.beat.ticks + c))
    }
  }

  func ticks(in settings: ProjectSettings, from start: TickPosition) throws -> TickCount {
    let map = settings.tempoMap
    switch try value(settings) {
    case .musical(let ticks): return ticks
    case .absolute(let flicks): return map.ticks(at: map.flicks(at: start) + flicks) - start
    }
  }

  func flicks(in settings: ProjectSettings, from start: FlickPosition) throws -> FlickCount {
    let map = settings.tempoMap
    switch try value(settings) {
    case .musical(let ticks): return map.flicks(at: map.ticks(at: start) + ticks) - start
    case .absolute(let flicks): return flicks
    }
  }

  func expression(in settings: ProjectSettings) -> LengthExpression {
    LengthExpression(
      ticks: { _, start in try ticks(in: settings, from: start) },
      flicks: { _, start in try flicks(in: settings, from: start) })
  }
}
