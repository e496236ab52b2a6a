import DAWTime

// What comes in, handed to the thread that writes it.
extension AudioThread {
  /// While the host freewheels, waits until there is room.
  @_noLocks mutating func beginCapture(_ block: LiveBlock) {
    guard let ring = block.capture else { return }
    while pausesLeft > 0, !ring._withUnsafeGuaranteedRef({ $0.hasRoom(for: block.frameCount) }) { pause() }
    ring._withUnsafeGuaranteedRef { $0.begin(at: block.hostFrame) }
  }

  /// Notes what the transport does at a frame of the block.
  @_noLocks func noteTimeline(_ block: LiveBlock, at offset: Int) {
    guard let ring = block.capture else { return }
    let change = TimelineChange(
      hostFrame: block.hostFrame + offset, frame: transport.frame, motion: .init(transport.state),
      wrapCount: transport.wrapCount, planNumber: plan?.pointee.number ?? 0)
    ring._withUnsafeGuaranteedRef { $0.note(change) }
  }

  @_noLocks func capture(_ block: LiveBlock) {
    guard let ring = block.capture else { return }
    ring._withUnsafeGuaranteedRef {
      $0.capture(block.inputs, hostFrame: block.hostFrame, frameCount: block.frameCount)
    }
  }
}
