import DAWMedia
import DAWModel
import DAWTime

/// The notes and events of a region, made of the messages that were captured on a piece of a pass.
///
/// Each message is at the tick nearest to its frame. A note lasts a tick at least; it ends where another of its pitch
/// and channel begins, and at the end of the piece. What is left out: clock and other messages that no region holds,
/// note-offs without a note, and messages that are damaged or too long for a project.
public struct CapturedMIDI: Sendable {
  /// A whole MIDI message, with its status byte.
  public struct Message: Hashable, Sendable {
    /// The place on the timeline where it belongs.
    public var frame: FramePosition
    public var bytes: [UInt8]

    public init(frame: FramePosition, bytes: [UInt8]) {
      self.frame = frame
      self.bytes = bytes
    }
  }

  /// The region's start: the tick nearest to the first frame.
  public let start: TickPosition
  /// The region's length, at least a tick.
  public let length: TickCount
  private let paired: MIDIFileNotes
  /// Controllers and the like, in order; without notes.
  private let events: [(start: Int64, channel: Int, message: RegionEvent.Message)]

  /// All system exclusive messages of a region together have fewer bytes.
  private static let maximumByteCount = MIDIFile.maximumByteCount

  /// - Parameters:
  ///   - messages: those outside of `frames` are left out; messages at one frame are in order.
  ///   - frames: the piece, on the timeline.
  ///   - map: the project's.
  ///   - rate: the project's, which frames are counted at.
  public init(_ messages: [Message], in frames: Range<FramePosition>, _ map: TempoMap, rate: SampleRate) {
    func tick(_ frame: FramePosition) -> Int64 { map.ticks(at: frame.flicks(at: rate)).ticks }
    let first = tick(frames.lowerBound)
    let last = max(first + 1, tick(frames.upperBound))
    start = TickPosition(ticks: first)
    length = TickCount(ticks: last - first)
    var track = MIDIFileTrack()
    var byteCount = 0
    for message in Self.inOrder(messages) where frames.contains(message.frame) {
      byteCount += message.bytes.count
      if byteCount >= Self.maximumByteCount { break }
      track.append(message.bytes, at: tick(message.frame) - first, lastStart: last - first - 1)
    }
    track.endTick = last - first
    paired = MIDIFileNotes(track, overlap: .endsTheEarlier)
    events = track.events.compactMap { event in
      RegionEvent.Message(event, of: track).map { (event.tick, event.isChannelMessage ? event.channel : 0, $0) }
    }
  }

  private static func inOrder(_ messages: [Message]) -> [Message] {
    let isInOrder = zip(messages, messages.dropFirst()).allSatisfy { $0.frame <= $1.frame }
    guard !isInOrder else { return messages }
    return messages.enumerated()
      .sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }.map(\.element)
  }

  public var noteCount: Int { paired.notes.count }
  public var eventCount: Int { events.count }

  /// In order of their starts.
  /// - Parameter first: the first note's id; the others count up.
  public func notes(from first: NoteID, in region: RegionID) -> [MIDINote] {
    paired.notes.enumerated().map { index, note in
      MIDINote(
        note, id: first.advanced(by: index), region: region, start: TickCount(ticks: note.start),
        duration: TickCount(ticks: max(1, note.end - note.start)))
    }
  }

  /// In order.
  /// - Parameter first: the first event's id; the others count up.
  public func events(from first: EventID, in region: RegionID) -> [RegionEvent] {
    events.enumerated().map { index, event in
      RegionEvent(
        id: first.advanced(by: index), region: region, start: TickCount(ticks: event.start), channel: event.channel,
        message: event.message)
    }
  }
}

extension MIDIFileTrack {
  /// Appends a captured message, unless it is damaged, too long for a project, or one that no region holds.
  /// - Parameter lastStart: the last tick at which a note may begin.
  fileprivate mutating func append(_ bytes: [UInt8], at tick: Int64, lastStart: Int64) {
    guard let status = bytes.first, status >= 0x80 else { return }
    let data = bytes.dropFirst()
    guard let kind = MIDIChannelMessage(rawValue: status & 0xf0) else {
      // Clock, time code, song position and the like.
      guard status == MIDIFileEvent.systemExclusive, data.last == 0xf7, data.dropLast().allSatisfy({ $0 < 0x80 }),
        bytes.count <= RegionEvent.maximumByteCount
      else { return }
      append(status: status, payload: data, at: tick)
      return
    }
    guard data.count == kind.dataByteCount, data.allSatisfy({ $0 < 0x80 }), let first = data.first else { return }
    var event = MIDIFileEvent(tick: tick, status: status, data1: first, data2: data.count > 1 ? bytes[2] : 0)
    // So that it ends in the region.
    if event.isNoteOn { event.tick = min(tick, lastStart) }
    append(event)
  }
}
