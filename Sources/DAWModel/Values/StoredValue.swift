import DAWTime

/// The value of a column of the project file.
public enum StoredValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])
}

extension StoredValue: CustomStringConvertible {
  public var description: String {
    switch self {
    case .null: "a value that is not there"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "'\(text)'"
    case .bytes(let bytes): "\(bytes.count) bytes"
    }
  }
}

/// A type of values that a field can have. Conversion does not check rules; `Entity.validate()` does.
public protocol StorableValue: FieldValue {
  /// `nil` if the stored value cannot be represented.
  init?(stored: StoredValue)
}

extension Int64: StorableValue {
  public var stored: StoredValue { .integer(self) }
  public init?(stored: StoredValue) {
    guard case .integer(let number) = stored else { return nil }
    self = number
  }
}

extension Int: StorableValue {
  public var stored: StoredValue { .integer(Int64(self)) }
  public init?(stored: StoredValue) {
    guard case .integer(let number) = stored else { return nil }
    self.init(number)
  }
}

extension Bool: StorableValue {
  public var stored: StoredValue { .integer(self ? 1 : 0) }
  public init?(stored: StoredValue) {
    switch stored {
    case .integer(0): self = false
    case .integer(1): self = true
    default: return nil
    }
  }
}

extension Double: StorableValue {
  public var stored: StoredValue { .real(self) }
  public init?(stored: StoredValue) {
    guard case .real(let number) = stored else { return nil }
    self = number
  }
}

extension String: StorableValue {
  public var stored: StoredValue { .text(self) }
  public init?(stored: StoredValue) {
    guard case .text(let text) = stored else { return nil }
    self = text
  }
}

extension Optional: StorableValue where Wrapped: StorableValue {
  public init?(stored: StoredValue) {
    if case .null = stored {
      self = nil
    } else if let value = Wrapped(stored: stored) {
      self = value
    } else {
      return nil
    }
  }
}

/// A type that is stored as one simpler value.
public protocol WrappedValue: StorableValue {
  associatedtype Simple: StorableValue
  var simple: Simple { get }
  init?(simple: Simple)
}

extension WrappedValue {
  public var stored: StoredValue { simple.stored }
  public init?(stored: StoredValue) {
    guard let simple = Simple(stored: stored) else { return nil }
    self.init(simple: simple)
  }
}

extension WrappedValue where Self: RawRepresentable, RawValue: StorableValue {
  public var simple: RawValue { rawValue }
  public init?(simple: RawValue) { self.init(rawValue: simple) }
}

extension TrackType: WrappedValue {}
extension RegionType: WrappedValue {}
extension PanLaw: WrappedValue {}
extension TimeBase: WrappedValue {}
extension Marker.Kind: WrappedValue {}
extension Instrument.GainReference: WrappedValue {}
extension Fade.Shape: WrappedValue {}
extension Overlap: WrappedValue {}
extension InvertedSides: WrappedValue {}
extension LaneShape: WrappedValue {}
extension EffectKind: WrappedValue {}
extension Monitor: WrappedValue {}
extension GapCause: WrappedValue {}

extension Identifier: WrappedValue {
  public var simple: Int64 { rawValue }
  public init?(simple: Int64) { self.init(rawValue: simple) }
}

extension Name: WrappedValue {
  public var simple: String { text }
  public init?(simple: String) { self.init(unchecked: simple) }
}

extension OrderKey: WrappedValue {
  public var simple: String { digits }
  public init?(simple: String) { self.init(unchecked: simple) }
}

extension Color: WrappedValue {
  public var simple: String { name }
  public init?(simple: String) { self.init(unchecked: simple) }
}

extension ChannelSelection: WrappedValue {
  public var simple: String { description }
  public init?(simple: String) { self.init(simple) }
}

extension Level: WrappedValue {
  public var simple: Double { decibels }
  public init?(simple: Double) { self.init(decibels: simple) }
}

extension Pan: WrappedValue {
  public var simple: Double { position }
  public init?(simple: Double) { self.init(position: simple) }
}

extension Timestamp: WrappedValue {
  public var simple: Int64 { milliseconds }
  public init?(simple: Int64) { self.init(milliseconds: simple) }
}

extension TickPosition: WrappedValue {
  public var simple: Int64 { ticks }
  public init?(simple: Int64) { self.init(ticks: simple) }
}

extension TickCount: WrappedValue {
  public var simple: Int64 { ticks }
  public init?(simple: Int64) { self.init(ticks: simple) }
}

extension FlickCount: WrappedValue {
  public var simple: Int64 { flicks }
  public init?(simple: Int64) { self.init(flicks: simple) }
}

extension FrameCount: WrappedValue {
  public var simple: Int64 { frames }
  public init?(simple: Int64) { self.init(frames: simple) }
}

extension SampleRate: WrappedValue {
  public var simple: Int { hertz }
  public init?(simple: Int) { self.init(hertz: simple) }
}

extension Tempo: WrappedValue {
  public var simple: Int64 { nanoBPM }
  public init?(simple: Int64) { self.init(nanoBPM: simple) }
}
