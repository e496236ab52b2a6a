import DAWErrors
import DAWModel
import DAWProject
import DAWTime

/// An event as JSON; its time is from its region's start. Of the values only those of its kind are there.
public struct EventDocument {
  public typealias Kind = EventKind

  public var id = EventID(rawValue: 0)
  public var kind: Kind
  /// Seconds.
  public var startTime = 0.0
  public var startTicks: TickCount?
  /// 0 … 15; `nil` for an event without a channel.
  public var channel: Int?
  /// The number of a controller.
  public var controller: Int?
  /// The key of a poly pressure.
  public var pitch: Int?
  /// The value of a controller, a pressure or a bend.
  public var value: Int?
  public var program: Int?
  /// The bank of a program: bank select MSB × 128 + LSB; `nil` where the program leaves the bank as it is.
  public var bank: Int?
  /// The meta type of a text.
  public var metaType: Int?
  /// The text that `bytes` encode; where a document has both, `bytes` count.
  public var text: String?
  /// The bytes of a system exclusive message or a text, in hexadecimal digits: "F0 7E 7F 09 01 F7".
  public var bytes: String?
}

extension EventDocument: JSONRecord {
  package static var blank: EventDocument { EventDocument(kind: .controller) }

  package static let members: JSONMembers<EventDocument> = [
    JSONMember(id: \.id),
    JSONMember("kind", \.kind, isRequired: true),
    JSONMember("startTime", \.startTime),
    JSONMember(ifPresent: "startTicks", \.startTicks),
    JSONMember(ifPresent: "channel", \.channel),
    JSONMember(ifPresent: "controller", \.controller),
    JSONMember(ifPresent: "pitch", \.pitch),
    JSONMember(ifPresent: "value", \.value),
    JSONMember(ifPresent: "program", \.program),
    JSONMember(ifPresent: "bank", \.bank),
    JSONMember(ifPresent: "metaType", \.metaType),
    JSONMember(ifPresent: "text", \.text),
    JSONMember(ifPresent: "bytes", \.bytes),
  ]
}

extension EventDocument {
  /// An event at its region's start.
  public init(
    kind: Kind, controller: Int? = nil, pitch: Int? = nil, value: Int? = nil, program: Int? = nil, bank: Int? = nil,
    metaType: Int? = nil, text: String? = nil, bytes: String? = nil
  ) {
    self.kind = kind
    self.controller = controller
    self.pitch = pitch
    self.value = value
    self.program = program
    self.bank = bank
    self.metaType = metaType
    self.text = text
    self.bytes = bytes
  }

  /// - Parameter regionStart: where the event's region begins.
  public init(_ event: RegionEvent, regionStart: TickPosition, in map: TempoMap) {
    id = event.id
    kind = Kind(event.message.kind)
    startTime = (map.flicks(at: regionStart + event.start) - map.flicks(at: regionStart)).seconds
    startTicks = event.start
    channel = event.message.kind.hasChannel ? event.channel : nil
    switch event.message {
    case .controller(let number, let value): (controller, self.value) = (number, value)
    case .pitchBend(let value), .channelPressure(let value): self.value = value
    case .program(let program, let bank): (self.program, self.bank) = (program, bank)
    case .polyPressure(let pitch, let value): (self.pitch, self.value) = (pitch, value)
    case .systemExclusive(let bytes): self.bytes = hexadecimal(bytes)
    case .meta(let type, let bytes): (metaType, self.bytes, text) = (type, hexadecimal(bytes), event.message.text)
    }
  }

  /// The event that was read.
  /// - Throws: `Failure` for bytes that cannot be read, or a kind without its values; `RuleViolation` beyond the
  ///   timeline's end.
  func event(in region: RegionID, regionStart: TickPosition, _ map: TempoMap) throws -> RegionEvent {
    let place = try map.flicks(at: regionStart) + FlickCount(written: startTime)
    return RegionEvent(
      id: id, region: region, start: startTicks ?? map.ticks(at: place) - regionStart, channel: channel ?? 0,
      message: try message())
  }

  /// - Throws: `Failure`, as above.
  public func message() throws -> RegionEvent.Message {
    func need<Value>(_ value: Value?, _ key: String) throws -> Value {
      guard let value else {
        throw Failure(.invalid, code: "invalidJSON", "An event of the kind '\(kind.rawValue)' lacks '\(key)'.")
      }
      return value
    }
    switch kind {
    case .controller: return .controller(number: try need(controller, "controller"), value: try need(value, "value"))
    case .pitchBend: return .pitchBend(try need(value, "value"))
    case .program: return .program(try need(program, "program"), bank: bank)
    case .channelPressure: return .channelPressure(try need(value, "value"))
    case .polyPressure: return .polyPressure(pitch: try need(pitch, "pitch"), value: try need(value, "value"))
    case .sysex: return .systemExclusive(try byteValues(need(bytes, "bytes")))
    case .meta:
      let type = metaType ?? 1
      return .meta(type: type, try bytes.map(byteValues) ?? Array(need(text, "text").utf8))
    }
  }
}

/// "F0 7E F7".
package func hexadecimal(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count * 3)
  for byte in bytes {
    if !text.isEmpty { text.append(UInt8(ascii: " ")) }
    text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
  return String(decoding: text, as: UTF8.self)
}

/// The bytes that hexadecimal digits say, two for each; spaces and commas between them do not matter.
/// - Throws: `Failure`.
public func byteValues(_ text: String) throws -> [UInt8] {
  let groups = text.split { $0.isWhitespace || $0 == "," }
  var bytes: [UInt8] = []
  for group in groups {
    let digits = Array(group)
    guard digits.count.isMultiple(of: 2), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
      throw Failure(
        .invalid, code: Rule.eventBytes.rawValue, "'\(group.prefix(40))' is no bytes in hexadecimal digits.",
        hint: "Give two digits for each byte: F0 7E 7F 09 01 F7. Nothing was changed.")
    }
    for place in stride(from: 0, to: digits.count, by: 2) {
      bytes.append(UInt8(digits[place].hexDigitValue ?? 0) << 4 | UInt8(digits[place + 1].hexDigitValue ?? 0))
    }
  }
  return bytes
}
