import DAWTime
import Synchronization

/// The events of a `MIDISequence` in memory that any thread reads without reference counting, valid while that lives.
struct LinkedSequence: @unchecked Sendable {
  // Unchecked: immutable memory.
  /// Identifies the sequence; never used again.
  let number: UInt64
  let events: UnsafeMutableBufferPointer<MIDIEvent>
  /// For each system exclusive message, whether it resets the receiver.
  let resets: UnsafeMutableBufferPointer<Bool>
  /// The system exclusive messages, concatenated, and where each ends.
  private let exclusiveBytes: UnsafeMutableBufferPointer<UInt8>
  private let exclusiveEnds: UnsafeMutableBufferPointer<Int>
  /// Checkpoints: the state before an event as messages, packed as in `ChannelState`.
  private let messages: UnsafeMutableBufferPointer<UInt32>
  /// Each checkpoint's event, and where its messages end.
  private let checkpointEvents: UnsafeMutableBufferPointer<Int>
  private let checkpointEnds: UnsafeMutableBufferPointer<Int>

  /// Events between checkpoints, at least. Where a checkpoint has more messages than that, the next one comes after as
  /// many events, so that checkpoints take at most a quarter of the events' memory.
  private static let stride = 128
  private static let lastNumber = Atomic<UInt64>(0)

  init(_ events: [MIDIEvent], _ systemExclusive: [[UInt8]]) {
    number = Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    self.events = Self.copied(events)
    resets = Self.copied(systemExclusive.map(\.isReset))
    var (bytes, ends): ([UInt8], [Int]) = ([], [])
    for message in systemExclusive {
      bytes += message
      ends.append(bytes.count)
    }
    exclusiveBytes = Self.copied(bytes)
    exclusiveEnds = Self.copied(ends)
    var (messages, checkpointEvents, checkpointEnds): ([UInt32], [Int], [Int]) = ([], [], [])
    if events.count > Self.stride {
      var state = ChannelState()
      var known = ChannelState()
      var next = Self.stride
      for (index, event) in events.enumerated() {
        if index == next {
          let first = messages.count
          state.appendSettingsAndNotes(to: &messages, &known)
          checkpointEvents.append(index)
          checkpointEnds.append(messages.count)
          next = index + max(Self.stride, messages.count - first)
        }
        state.follow(event, resets: resets)
      }
    }
    self.messages = Self.copied(messages)
    self.checkpointEvents = Self.copied(checkpointEvents)
    self.checkpointEnds = Self.copied(checkpointEnds)
  }

  private static func copied<Element>(_ elements: [Element]) -> UnsafeMutableBufferPointer<Element> {
    let copy = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = copy.initialize(from: elements)
    return copy
  }

  func deallocate() {
    events.deallocate()
    resets.deallocate()
    exclusiveBytes.deallocate()
    exclusiveEnds.deallocate()
    messages.deallocate()
    checkpointEvents.deallocate()
    checkpointEnds.deallocate()
  }

  /// The bytes of a system exclusive message; `nil` if there is none with this index.
  @_noLocks func exclusive(_ index: Int) -> UnsafeBufferPointer<UInt8>? {
    guard index < exclusiveEnds.count, let bytes = exclusiveBytes.baseAddress else { return nil }
    let start = index == 0 ? 0 : exclusiveEnds[index - 1]
    return UnsafeBufferPointer(start: bytes + start, count: exclusiveEnds[index] - start)
  }

  /// The index of the first event at `frame` or later, note-offs at `frame` itself skipped.
  @_noLocks func firstEvent(from frame: TimelineFrame) -> Int {
    var (low, high) = (0, events.count)
    while low < high {
      let middle = (low + high) / 2
      if events[middle].frame < frame { low = middle + 1 } else { high = middle }
    }
    while low < events.count, events[low].frame == frame, events[low].endsNote { low += 1 }
    return low
  }

  // MARK: Chasing

  /// What a chase has still to follow: messages of a checkpoint, then events.
  struct Chase {
    fileprivate var message: Int
    fileprivate var messageEnd: Int
    fileprivate var event: Int
    fileprivate var eventEnd: Int
  }

  /// Begins a chase: finding the state before an event. Used wherever playback begins in the middle, by ports and by
  /// instruments, live and in a bounce: at the start, after a locate, and after a loop's wrap.
  /// - Parameter state: is cleared.
  @_noLocks func chase(to event: Int, _ state: inout ChannelState) -> Chase {
    state.clear()
    var (low, high) = (0, checkpointEvents.count)
    while low < high {
      let middle = (low + high) / 2
      if checkpointEvents[middle] <= event { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return Chase(message: 0, messageEnd: 0, event: 0, eventEnd: event) }
    return Chase(
      message: low > 1 ? checkpointEnds[low - 2] : 0, messageEnd: checkpointEnds[low - 1],
      event: checkpointEvents[low - 1], eventEnd: event)
  }

  /// Goes on with a chase.
  /// - Parameter budget: messages and events to follow, at most; lowered by as many.
  /// - Returns: whether it is done.
  @_noLocks func follow(_ chase: inout Chase, _ state: inout ChannelState, _ budget: inout Int) -> Bool {
    while chase.message < chase.messageEnd {
      guard budget > 0 else { return false }
      budget -= 1
      state.apply(packed: messages[chase.message])
      chase.message += 1
    }
    while chase.event < chase.eventEnd {
      guard budget > 0 else { return false }
      budget -= 1
      state.follow(events[chase.event], resets: resets)
      chase.event += 1
    }
    return true
  }

  /// The chase as events for a new instrument: the system exclusive messages before `event`, then the settings, then
  /// the notes that sound. All at frame 0. Not the audio thread.
  func chased(to event: Int) -> [MIDIEvent] {
    var state = ChannelState()
    var (chase, budget) = (chase(to: event, &state), Int.max)
    _ = follow(&chase, &state, &budget)
    return systemExclusive(before: event)
      + state.settingsAndNotes.map { MIDIEvent(frame: 0, packed: $0) }
  }

  /// The system exclusive messages before `event`, at frame 0. Not the audio thread.
  func systemExclusive(before event: Int) -> [MIDIEvent] {
    guard !resets.isEmpty else { return [] }
    return events[..<event].filter(\.isSystemExclusive).map { MIDIEvent(frame: 0, bytesIndex: $0.bytesIndex) }
  }
}
