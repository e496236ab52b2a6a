/// A cursor whose reader may have no room for a message. What finds none is kept and comes in the next block, on its first
/// frame, before anything else and in its order; so nothing is lost, and no note hangs.
///
/// Where a reader is behind and the transport or the plan does something else, what was not read is passed over: the notes
/// that sound and are not to are ended, what holds at the new place is told, and what sounds there is struck.
///
/// Its memory is fixed, and the audio thread may use it:
///
///     outlet.begin(block, ports.port(outlet.slot))
///     while let event = outlet.next() {
///       guard write(event) else {
///         outlet.refuse(event)
///         break
///       }
///     }
public struct PortOutlet: ~Copyable {
  private var cursor: PortCursor
  /// What sounds, for a process that ends it when this one is gone.
  private let row: SoundingRow?
  /// What was refused.
  private var held = MIDIEvent(frame: 0, status: 0, data1: 0, data2: 0)
  private var isHolding = false
  /// The newest block; while `isLate`, what is to be read once the stretch at hand has been: it and those before it that
  /// have gone by.
  private var block = PortBlock(isRolling: false, frame: 0, frameCount: 1)
  private var port: LinkedPort?
  /// Whether the stretch at hand has gone by.
  private var isLate = false
  /// Frames of the stretch at hand, and of `block`, that have gone by.
  private var lag = 0
  private var blockLag = 0
  /// Whether anything was read since what sounds was noted.
  private var hasRead = false

  /// Control thread.
  /// - Parameters:
  ///   - slot: the track's id.
  ///   - row: where what sounds is noted; `nil` where it is not.
  public init(slot: Int64, row: SoundingRow? = nil) {
    cursor = PortCursor(slot: slot)
    self.row = row
  }

  /// The track's id.
  public var slot: Int64 { @_noLocks get { cursor.slot } }

  /// Whether there is something that the reader had no room for.
  public var isBehind: Bool { @_noLocks get { isHolding || !cursor.isFinished } }

  /// Begins a block; the last one has been read to its end, or something of it was refused.
  /// - Parameter port: as the plan of `block.planNumber` has it, `nil` where it has none. Valid until the next `begin`, and
  ///   where that is of the same plan, as long as this is behind.
  @_noLocks public mutating func begin(_ block: PortBlock, _ port: LinkedPort?) {
    noteSounding()
    let goesOn =
      block.isRolling == self.block.isRolling && block.locateNumber == self.block.locateNumber
      && block.planNumber == self.block.planNumber
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
    if !cursor.isFinished { cursor.passOver() }
    isLate = false
    lag = 0
    self.block = block
    cursor.begin(block, port)
  }

  /// Begins the end: disconnect, exit, panic. All sound off goes to the channels used.
  @_noLocks public mutating func beginSilence() {
    noteSounding()
    isLate = false
    lag = 0
    cursor.beginSilence()
  }

  /// - Returns: the next message, `nil` at the end of the block.
  @_noLocks public mutating func next() -> PortEvent? {
    guard !isHolding else {
      isHolding = false
      hasRead = true
      return PortEvent(offset: 0, message: held)
    }
    while true {
      if var event = cursor.next() {
        event.offset = isLate || event.offset < lag ? 0 : event.offset - lag
        if let row { row.add(event.message) }
        hasRead = true
        return event
      }
      guard isLate else { return nil }
      isLate = false
      lag = blockLag
      cursor.begin(block, port)
    }
  }

  /// There was no room for what `next()` gave last.
  @_noLocks public mutating func refuse(_ event: PortEvent) {
    held = event.message
    isHolding = true
  }

  /// What the reader had no room for, to be sent before the plan that it is of goes; the rest of the block is passed over.
  /// - Returns: `nil` where nothing was refused.
  @_noLocks public mutating func leavePlan() -> PortEvent? {
    if !cursor.isFinished { cursor.passOver() }
    isLate = false
    port = nil
    guard isHolding else { return nil }
    isHolding = false
    hasRead = true
    return PortEvent(offset: 0, message: held)
  }

  /// What was read by now has been sent.
  @_noLocks private mutating func noteSounding() {
    guard let row, hasRead else { return }
    hasRead = isHolding
    row.set(cursor.sent)
    if isHolding { row.keep(held) }
  }
}
