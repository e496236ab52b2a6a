import DAWTime

/// A cursor whose reader may run out of room. A refused message is sent first in the next block, at offset 0, and the
/// others follow in order; so no message is lost and no note hangs.
///
/// If the transport, its loop or the plan changes while the reader is behind, or a loop goes by, unread messages are
/// skipped: notes that should not sound any more are ended, and settings and notes at the new position are sent.
///
/// Fixed memory; the audio thread may use it:
///
///     outlet.begin(block, port)
///     while let event = outlet.next(&budget) {
///       guard write(event) else {
///         outlet.refuse(event)
///         break
///       }
///     }
public struct PortOutlet: ~Copyable {
  private var cursor: PortCursor
  /// The notes that sound, for the watchdog process.
  private let row: SoundingRow?
  /// The message refused.
  private var held = MIDIEvent(frame: 0, status: 0, data1: 0, data2: 0)
  private var isHolding = false
  /// The newest block; while `isLate`, the span of all blocks after the one being read.
  private var block = PortBlock(isRolling: false, frame: 0, frameCount: 1)
  private var port: LinkedPort?
  /// Whether the block being read is over.
  private var isLate = false
  /// Frames of the block being read, and of `block`, that are over.
  private var lag = 0
  private var blockLag = 0
  /// Whether anything was read since `row` was updated.
  private var hasRead = false

  /// Control thread.
  /// - Parameters:
  ///   - trackID: the track's id.
  ///   - row: where to record the notes that sound; `nil` for nowhere.
  public init(trackID: Int64, row: SoundingRow? = nil) {
    cursor = PortCursor(trackID: trackID)
    self.row = row
  }

  /// Whether there are messages that the reader had no room for.
  public var isBehind: Bool { @_noLocks get { isHolding || !cursor.isFinished } }

  /// Begins a block; the last one has been read to its end, or a message was refused.
  /// - Parameter port: the port in the plan `block.planNumber`, `nil` if it has none. Valid until the next `begin`;
  ///   while this is behind, until the next plan.
  @_noLocks public mutating func begin(_ block: PortBlock, _ port: LinkedPort?) {
    noteSounding()
    // A loop that has gone by while this was behind is left out.
    let late = block.frameCount + (isLate ? self.block.frameCount : 0)
    let isLapped = block.loop.map { late >= $0.upperBound - $0.lowerBound } ?? false
    let goesOn =
      block.isRolling == self.block.isRolling && block.locateNumber == self.block.locateNumber
      && block.planNumber == self.block.planNumber && block.loop == self.block.loop && !isLapped
    self.port = port
    guard cursor.isFinished || !goesOn else {
      blockLag = isLate ? self.block.frameCount : 0
      let first = isLate ? self.block.frame : block.frame
      self.block = block
      self.block.frame = first
      self.block.frameCount += blockLag
      isLate = true
      return
    }
    if !cursor.isFinished { cursor.skipRest() }
    isLate = false
    lag = 0
    self.block = block
    cursor.begin(block, port)
  }

  /// Begins the final silence, for disconnect, exit or panic; all sound off goes to the channels used.
  @_noLocks public mutating func beginSilence() {
    noteSounding()
    isLate = false
    lag = 0
    cursor.beginSilence()
  }

  /// - Parameter budget: as for `PortCursor.next`. If it is used up, the next block goes on where this one ended.
  /// - Returns: the next message, `nil` at the end of the block or of the budget.
  @_noLocks public mutating func next(_ budget: inout Int) -> PortEvent? {
    guard !isHolding else {
      isHolding = false
      hasRead = true
      return PortEvent(offset: 0, message: held)
    }
    while true {
      if var event = cursor.next(&budget) {
        event.offset = isLate || event.offset < lag ? 0 : event.offset - lag
        if let row { row.add(event.message) }
        hasRead = true
        return event
      }
      guard isLate, cursor.isFinished else { return nil }
      isLate = false
      lag = blockLag
      cursor.begin(block, port)
    }
  }

  /// Takes back the message that `next` returned last: there was no room for it.
  @_noLocks public mutating func refuse(_ event: PortEvent) {
    held = event.message
    isHolding = true
  }

  /// The refused message, to be sent before its plan is freed; the rest of the block is skipped.
  /// - Returns: `nil` if none was refused.
  @_noLocks public mutating func leavePlan() -> PortEvent? {
    if !cursor.isFinished { cursor.skipRest() }
    isLate = false
    port = nil
    guard isHolding else { return nil }
    isHolding = false
    hasRead = true
    return PortEvent(offset: 0, message: held)
  }

  /// Records a message from elsewhere, about to be sent to the receiver between two calls of `next`.
  /// - SeeAlso: `PortCursor.pass`.
  @_noLocks public mutating func pass(_ message: MIDIEvent) {
    guard message.status >= 0x80, message.status < 0xf0 else { return }
    if let row { row.add(message) }
    hasRead = true
    cursor.pass(message.status, message.data1, message.data2)
  }

  /// No more such messages follow, or one is missing: the next block ends the notes that are not of the plan.
  @_noLocks public mutating func endPassing() { cursor.endPassing() }

  /// Records in `row` that everything read so far has been sent.
  @_noLocks private mutating func noteSounding() {
    guard let row, hasRead else { return }
    hasRead = isHolding
    row.set(cursor.sent)
    if isHolding { row.keep(held) }
  }
}
