import DAWEngine
import DAWRealtime

/// Drives a live engine as a host would, without a clock: in blocks whose sizes come from a seed, waiting between them
/// until what can be read ahead has been.
public final class LiveDriver {
  public let engine: LiveEngine
  /// What came out, frame after frame.
  public private(set) var left: [Float] = []
  public private(set) var right: [Float] = []
  public private(set) var click: [Float] = []
  /// Of each slot, left and right.
  public private(set) var directOuts: [Int64: (left: [Float], right: [Float])] = [:]
  /// Frames in a block.
  public var blockFrames: ClosedRange<Int>
  /// The host's transport, where the engine follows one.
  public var followed: FollowedTransport?
  public var isFreewheeling = false
  /// Frames that may be played before the next wait; `nil`: never waits.
  public var framesBetweenWaits: Int? = 8_000
  /// Seconds that streams are waited for, however busy the machine is.
  public static let patience = 60.0
  private var random: SeededGenerator
  private var framesSinceWait = 0
  private var hostFrame: UInt64 = 1_000
  private let slots: [Int64]

  /// - Parameters:
  ///   - blockFrames: sizes of blocks.
  ///   - slots: tracks whose own outputs are kept.
  public init(_ engine: LiveEngine, seed: UInt64, blockFrames: ClosedRange<Int> = 1...4_096, slots: [Int64] = []) {
    self.engine = engine
    self.blockFrames = blockFrames
    self.slots = slots
    random = SeededGenerator(seed: seed)
    for slot in slots { directOuts[slot] = ([], []) }
  }

  public var frameCount: Int { left.count }

  /// Plays so many frames.
  public func play(_ frameCount: Int) {
    var done = 0
    while done < frameCount {
      let count = min(Int.random(in: blockFrames, using: &random), frameCount - done)
      waitIfDue(count)
      playBlock(count)
      done += count
    }
  }

  /// Plays blocks until the transport is in a state, waiting for streams before each.
  /// - Returns: whether it came to that.
  @discardableResult
  public func play(until state: TransportState, atMost blocks: Int = 10_000) -> Bool {
    for _ in 0..<blocks {
      if engine.record.state == state { return true }
      engine.waitForStreams(seconds: Self.patience)
      playBlock(Int.random(in: blockFrames, using: &random))
    }
    return engine.record.state == state
  }

  /// The host goes on without calling.
  public func miss(_ frameCount: Int) {
    hostFrame += UInt64(frameCount)
    if followed?.state == .rolling { followed?.frame += Int64(frameCount) }
  }

  /// Forgets what came out.
  public func clear() {
    left = []
    right = []
    click = []
    for slot in slots { directOuts[slot] = ([], []) }
  }

  private func waitIfDue(_ count: Int) {
    guard let most = framesBetweenWaits else { return }
    framesSinceWait += count
    if framesSinceWait > most {
      engine.waitForStreams(seconds: Self.patience)
      framesSinceWait = count
    }
  }

  /// Plays one block.
  public func playBlock(_ count: Int) {
    let channels = 3 + 2 * slots.count
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: channels * count)
    samples.initialize(repeating: .nan, count: channels * count)
    defer { samples.deallocate() }
    let outs = slots.enumerated().map { index, slot in
      DirectOutBuffers(
        slot: slot, left: samples + (3 + 2 * index) * count, right: samples + (4 + 2 * index) * count)
    }
    outs.withUnsafeBufferPointer { outs in
      var block = LiveBlock(hostFrame: hostFrame, frameCount: count, left: samples, right: samples + count)
      block.click = samples + 2 * count
      block.directOuts = outs.baseAddress
      block.directOutCount = outs.count
      block.isFreewheeling = isFreewheeling
      block.followed = followed
      RealtimeSection.enter()
      engine.process(block)
      RealtimeSection.exit()
    }
    func channel(_ number: Int) -> UnsafeBufferPointer<Float> {
      UnsafeBufferPointer(start: samples + number * count, count: count)
    }
    left += channel(0)
    right += channel(1)
    click += channel(2)
    for (index, slot) in slots.enumerated() {
      directOuts[slot]?.left += channel(3 + 2 * index)
      directOuts[slot]?.right += channel(4 + 2 * index)
    }
    hostFrame += UInt64(count)
    if followed?.state == .rolling { followed?.frame += Int64(count) }
  }
}
