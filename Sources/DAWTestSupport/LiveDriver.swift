import DAWEngine
import DAWRealtime
import DAWTime

/// Drives a live engine like a host without a clock: in blocks of random sizes, waiting between them until the streams
/// are filled.
public final class LiveDriver {
  public let engine: LiveEngine
  /// The output so far.
  public private(set) var left: [Float] = []
  public private(set) var right: [Float] = []
  public private(set) var click: [Float] = []
  /// The samples of each track's own output, by its id.
  public private(set) var directOuts: [Int64: (left: [Float], right: [Float])] = [:]
  /// Frames in a block.
  public var blockFrames: ClosedRange<Int>
  /// The host's transport, if the engine follows one.
  public var followed: FollowedTransport?
  public var isFreewheeling = false
  /// Where what comes in goes, and the sample that comes in at a host frame on a channel.
  public var capture: (ring: CaptureRing, sample: (HostFrame, _ channel: Int) -> Float)?
  /// Tracks that may hear what comes in, with their channels of `capture`, one or two.
  public var inputTracks: [Int64: [Int]] = [:]
  /// Frames to play between waits; `nil` to never wait.
  public var framesBetweenWaits: Int? = 8_000
  /// Timeout for streams, in seconds; long, for busy machines.
  public static let patience = 60.0
  private var random: SeededGenerator
  private var framesSinceWait = 0
  public private(set) var hostFrame: HostFrame = 1_000
  private let tracks: [Int64]

  /// - Parameters:
  ///   - blockFrames: sizes of blocks.
  ///   - tracks: tracks whose own outputs are recorded.
  public init(_ engine: LiveEngine, seed: UInt64, blockFrames: ClosedRange<Int> = 1...4_096, tracks: [Int64] = []) {
    self.engine = engine
    self.blockFrames = blockFrames
    self.tracks = tracks
    random = SeededGenerator(seed: seed)
    for track in tracks { directOuts[track] = ([], []) }
  }

  public var frameCount: Int { left.count }

  /// Plays frames, in several blocks.
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
  /// - Returns: whether it reached the state.
  @discardableResult
  public func play(until state: TransportState, atMost blocks: Int = 10_000) -> Bool {
    for _ in 0..<blocks {
      if engine.record.state == state { return true }
      engine.waitForStreams(seconds: Self.patience)
      playBlock(Int.random(in: blockFrames, using: &random))
    }
    return engine.record.state == state
  }

  /// Advances the host without calling the engine, as after missed cycles.
  public func miss(_ frameCount: Int) {
    hostFrame += frameCount
    if followed?.state == .rolling { followed?.frame += frameCount }
  }

  /// The host's clock begins again at 0, as that of a server that was started again.
  public func restartClock() { hostFrame = 0 }

  /// Drops the output so far.
  public func clear() {
    left = []
    right = []
    click = []
    for track in tracks { directOuts[track] = ([], []) }
  }

  private func waitIfDue(_ count: Int) {
    guard let most = framesBetweenWaits else { return }
    framesSinceWait += count
    if framesSinceWait > most {
      engine.waitForStreams(seconds: Self.patience)
      framesSinceWait = count
    }
  }

  /// Calls `body` with a buffer of what comes in for each channel.
  private func withInputs(_ count: Int, _ body: (UnsafePointer<UnsafePointer<Float>?>?) -> Void) {
    guard let capture else { return body(nil) }
    let channels = (0..<capture.ring.channelCount).map { channel in
      UnsafeMutableBufferPointer<Float>.allocate(capacity: count)
    }
    defer { for channel in channels { channel.deallocate() } }
    for (number, channel) in channels.enumerated() {
      for index in 0..<count { channel.initializeElement(at: index, to: capture.sample(hostFrame + index, number)) }
    }
    channels.map { $0.baseAddress.map { UnsafePointer($0) } }.withUnsafeBufferPointer { body($0.baseAddress) }
  }

  /// Plays one block.
  public func playBlock(_ count: Int) {
    let channels = 3 + 2 * tracks.count
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: channels * count)
    samples.initialize(repeating: .nan, count: channels * count)
    defer { samples.deallocate() }
    let outs = tracks.enumerated().map { index, track in
      DirectOutBuffers(
        trackID: track, left: samples + (3 + 2 * index) * count, right: samples + (4 + 2 * index) * count)
    }
    outs.withUnsafeBufferPointer { outs in
      var block = LiveBlock(hostFrame: hostFrame, frameCount: count, left: samples, right: samples + count)
      block.click = samples + 2 * count
      block.directOuts = outs.baseAddress
      block.directOutCount = outs.count
      block.isFreewheeling = isFreewheeling
      block.followed = followed
      withInputs(count) { inputs in
        block.capture = capture.map { Unmanaged.passUnretained($0.ring) }
        block.inputs = inputs
        let trackInputs = inputTracks.sorted { $0.key < $1.key }.map { track, channels in
          TrackInput(
            trackID: track, left: inputs?[channels[0]], right: channels.count > 1 ? inputs?[channels[1]] : nil)
        }
        trackInputs.withUnsafeBufferPointer {
          block.trackInputs = $0.baseAddress
          block.trackInputCount = $0.count
          RealtimeSection.enter()
          engine.process(block)
          RealtimeSection.exit()
        }
      }
    }
    func channel(_ number: Int) -> UnsafeBufferPointer<Float> {
      UnsafeBufferPointer(start: samples + number * count, count: count)
    }
    left += channel(0)
    right += channel(1)
    click += channel(2)
    for (index, track) in tracks.enumerated() {
      directOuts[track]?.left += channel(3 + 2 * index)
      directOuts[track]?.right += channel(4 + 2 * index)
    }
    hostFrame += count
    if followed?.state == .rolling { followed?.frame += count }
  }
}
