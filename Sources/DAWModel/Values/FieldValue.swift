import DAWTime

/// What a field holds: a value with its unit, as a history describes it.
public protocol FieldValue: Sendable {
  var stored: StoredValue { get }
  /// `nil` for an optional value that is not there.
  var present: (any FieldValue)? { get }
}

extension FieldValue {
  public var present: (any FieldValue)? { self }
}

extension Optional: FieldValue where Wrapped: FieldValue {
  public var stored: StoredValue { self?.stored ?? .null }
  public var present: (any FieldValue)? { self?.present }
}

/// A reference to a row.
public protocol RowReference: FieldValue {
  static var kind: EntityKind { get }
  var rawValue: Int64 { get }
  var uuidString: String { get }
}

extension Identifier: RowReference where Kind: Entity {
  public static var kind: EntityKind { Kind.kind }
}

// MARK: Numbers that users see in another form

/// The pitch of a key, 0 … 127, which users see as a name such as C4.
public struct PitchNumber: FieldValue {
  public var number: Int
  public var stored: StoredValue { number.stored }

  public init(number: Int) { self.number = number }

  /// The names of the keys of an octave, from C.
  private static let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]

  /// "C4" for 60.
  public var name: String {
    let (octave, key) = (number.clamped(to: -120...1000) + 120).quotientAndRemainder(dividingBy: 12)
    return "\(Self.names[key])\(octave - 11)"
  }
}

extension Int {
  fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}

/// A MIDI channel, 0 … 15, which users count from 1.
public struct ChannelNumber: FieldValue {
  public var number: Int
  public var stored: StoredValue { number.stored }
}

/// A value or, if it is not there, what users call what holds then.
public struct NamedDefault: FieldValue {
  public var value: (any FieldValue)?
  public var name: String
  public var stored: StoredValue { value?.stored ?? .null }
  public var present: (any FieldValue)? { value ?? self }
}

/// A bar, from 1.
public struct BarNumber: FieldValue {
  public var number: Int64
  public var stored: StoredValue { number.stored }
}

// MARK: Positions and distances in either time base: the number that is stored with the time base

extension TimelinePosition: FieldValue {
  public var stored: StoredValue { number.stored }

  /// Ticks or flicks.
  var number: Int64 {
    get {
      switch self {
      case .musical(let ticks): ticks.ticks
      case .absolute(let flicks): flicks.flicks
      }
    }
    set { self = Self(newValue, in: timeBase) }
  }

  init(_ number: Int64, in timeBase: TimeBase) {
    switch timeBase {
    case .musical: self = .musical(TickPosition(ticks: number))
    case .absolute: self = .absolute(FlickPosition(flicks: number))
    }
  }
}

extension TimelineDistance: FieldValue {
  public var stored: StoredValue { number.stored }

  /// Ticks or flicks.
  var number: Int64 {
    switch self {
    case .musical(let ticks): ticks.ticks
    case .absolute(let flicks): flicks.flicks
    }
  }

  init(_ number: Int64, in timeBase: TimeBase) {
    switch timeBase {
    case .musical: self = .musical(TickCount(ticks: number))
    case .absolute: self = .absolute(FlickCount(flicks: number))
    }
  }
}
