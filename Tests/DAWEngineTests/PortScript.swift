import DAWTestSupport
import DAWTime

@testable import DAWEngine

/// A synthesizer behind a port: its notes and controllers. It records messages that a port must never send.
struct Receiver {
  private(set) var notes: Set<UInt16> = []
  private(set) var controllers: [UInt16: UInt8] = [:]
  private(set) var others: [UInt8: [UInt8]] = [:]
  private(set) var faults: [String] = []
  private(set) var log: [String] = []

  mutating func take(_ message: MIDIEvent, at time: Int) {
    log.append("\(time) " + message.text)
    let key = UInt16(message.status & 0x0f) << 8 | UInt16(message.data1)
    switch message.status & 0xf0 {
    case 0x90 where message.data2 > 0:
      if !notes.insert(key).inserted { faults.append("\(time): struck while it sounds: \(message.text)") }
    case 0x80, 0x90:
      if notes.remove(key) == nil { faults.append("\(time): let go while silent: \(message.text)") }
    case 0xb0: if message.data1 < 120 { controllers[key] = message.data2 }
    default: others[message.status] = [message.data1, message.data2]
    }
  }

  /// Sustain and sostenuto.
  var pedalsDown: Int { controllers.count { [64, 66].contains($0.key & 0xff) && $0.value >= 64 } }

  /// Its state after all events before `frame`, and note-offs at it.
  init(playing events: [MIDIEvent] = [], before frame: TimelineFrame = 0) {
    for event in events where event.frame < frame || event.frame == frame && event.endsNote {
      take(event, at: event.frame.number)
    }
    log = []
  }
}

extension MIDIEvent {
  var text: String {
    let channel = status & 0x0f + 1
    return switch status & 0xf0 {
    case 0x90: "\(channel)+\(data1)/\(data2)"
    case 0x80: "\(channel)-\(data1)"
    case 0xb0: "\(channel)c\(data1)=\(data2)"
    case 0xc0: "\(channel)p\(data1)"
    default: "\(status):\(data1),\(data2)"
    }
  }

  static func note(_ pitch: UInt8, _ frames: Range<TimelineFrame>, channel: UInt8 = 0, velocity: UInt8 = 80)
    -> [MIDIEvent]
  {
    [
      MIDIEvent(frame: frames.lowerBound, status: 0x90 | channel, data1: pitch, data2: velocity),
      MIDIEvent(frame: frames.upperBound, status: 0x80 | channel, data1: pitch, data2: 0),
    ]
  }

  static func control(_ number: UInt8, _ value: UInt8, at frame: TimelineFrame, channel: UInt8 = 0) -> MIDIEvent {
    MIDIEvent(frame: frame, status: 0xb0 | channel, data1: number, data2: value)
  }

  /// In a plan's order.
  static func sorted(_ events: [MIDIEvent]) -> [MIDIEvent] {
    events.sorted {
      ($0.frame, $0.beginsNote ? 2 : $0.endsNote ? 0 : 1) < ($1.frame, $1.beginsNote ? 2 : $1.endsNote ? 0 : 1)
    }
  }

  /// Notes that never overlap on a key, and settings, in the first `frames` frames.
  static func random(_ count: Int, frames: Int, using random: inout SeededGenerator) -> [MIDIEvent] {
    var events: [MIDIEvent] = []
    var free: [UInt16: TimelineFrame] = [:]
    for _ in 0..<count {
      let channel = UInt8.random(in: 0..<3, using: &random)
      let start = TimelineFrame.random(in: 0..<TimelineFrame(frames), using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        let pedal: UInt8 = Bool.random(using: &random) ? 64 : 66
        events.append(.control(pedal, [0, 127].randomElement(using: &random) ?? 0, at: start, channel: channel))
      case 1:
        let number = UInt8.random(in: 1..<5, using: &random)
        events.append(.control(number, UInt8.random(in: 0..<128, using: &random), at: start, channel: channel))
      case 2:
        events.append(
          MIDIEvent(
            frame: start, status: [0xc0, 0xd0].randomElement(using: &random).map { $0 | channel } ?? 0xc0,
            data1: UInt8.random(in: 0..<128, using: &random), data2: 0))
      default:
        let pitch = UInt8.random(in: 60..<68, using: &random)
        let key = UInt16(channel) << 8 | UInt16(pitch)
        let first = max(start, free[key] ?? 0)
        let end = first + Int.random(in: 1...frames / 8, using: &random)
        free[key] = end
        events += note(pitch, first..<end, channel: channel)
      }
    }
    return sorted(events)
  }
}

/// A port and a transport under a test's control.
struct PortDrive: ~Copyable {
  var cursor = PortCursor(trackID: 7)
  var receiver = Receiver()
  var linked: LinkedPorts
  var isRolling = false
  var frame: TimelineFrame = 0
  var loop: Range<TimelineFrame>?
  var time = 0
  private var locateNumber: UInt64 = 0
  private var planNumber: UInt64 = 0

  init(_ events: [MIDIEvent]) {
    linked = LinkedPorts([PlannedPort(trackID: 7, name: "Keys", events: MIDIEvent.sorted(events))])
  }

  mutating func publish(_ ports: [PlannedPort]) {
    linked = LinkedPorts(ports)
    planNumber += 1
  }

  mutating func publish(_ events: [MIDIEvent], isMuted: Bool = false) {
    publish([PlannedPort(trackID: 7, name: "Keys", isMuted: isMuted, events: MIDIEvent.sorted(events))])
  }

  mutating func locate(_ frame: TimelineFrame) {
    self.frame = frame
    locateNumber += 1
  }

  mutating func run(_ frameCount: Int) {
    let block = PortBlock(
      isRolling: isRolling, frame: frame, frameCount: frameCount, loop: loop, locateNumber: locateNumber,
      planNumber: planNumber)
    cursor.begin(block, linked.port(7))
    var last = 0
    while let event = cursor.next() {
      if event.offset < last || event.offset >= frameCount {
        receiver.fault("an offset of \(event.offset) in \(frameCount)")
      }
      last = event.offset
      receiver.take(event.message, at: time + event.offset)
    }
    time += frameCount
    guard isRolling else { return }
    for _ in 0..<frameCount {
      frame += 1
      if let loop, frame == loop.upperBound { frame = loop.lowerBound }
    }
  }

  mutating func silence() {
    cursor.beginSilence()
    while let event = cursor.next() { receiver.take(event.message, at: time) }
  }
}

extension Receiver {
  mutating func fault(_ sentence: String) { faults.append(sentence) }
}
