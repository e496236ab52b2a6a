import CJack
import DAWRealtime
import DAWTime
import Glibc
import Synchronization

/// Takes what comes in at a port of the server, without a player: one channel, on a client of its own. Used by one
/// thread.
public final class InputCapture {
  public let sampleRate: SampleRate
  private let library: JackLibrary
  private let client: OpaquePointer
  private let state: State
  private var isClosed = false

  /// Seconds that the ring holds: the longest time between two calls of `read` without loss.
  private static let ringSeconds = 10

  /// Opens a client and connects it; frames come in from now on.
  /// - Parameters:
  ///   - server: `nil`: the default server.
  ///   - source: the full name of the port to listen to.
  /// - Throws: `JackError`.
  public convenience init(server: String?, source: String) throws(JackError) {
    let library = try JackLibrary.shared()
    let client = try JackClient.open(
      library, JackClient.Options(name: "daw-memo", server: server, sampleRate: SampleRate(hertz: 48_000)))
    try self.init(library, client, source: source)
  }

  /// - Parameter client: open, and not active yet; it is closed here.
  init(_ library: JackLibrary, _ client: OpaquePointer, source: String) throws(JackError) {
    (self.library, self.client) = (library, client)
    let functions = library.functions
    sampleRate = SampleRate(hertz: Int(functions.jack_get_sample_rate(client)))
    guard
      let port = functions.jack_port_register(
        client, "in", JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsInput.rawValue), 0)
    else {
      _ = functions.jack_client_close(client)
      throw .port(name: "in")
    }
    // From here on `deinit` closes the client.
    state = State(client, port, frameCount: Self.ringSeconds * sampleRate.hertz)
    let address = Unmanaged.passUnretained(state).toOpaque()
    guard functions.jack_set_process_callback(client, captureCycle, address) == 0, functions.jack_activate(client) == 0
    else { throw .lost }
    // A patch bay may have connected them since the client is active.
    guard [0, EEXIST].contains(functions.jack_connect(client, source, functions.jack_port_name(port))) else {
      throw .connection(port: source)
    }
  }

  deinit { close() }

  /// Any thread: frames that were lost since it was opened, because the server did not call or the ring was full.
  public var lostFrames: Int { state.lostFrames.load(ordering: .acquiring) }

  /// Takes what has come in since the last call.
  /// - Parameter body: called with pieces, in order.
  public func read(_ body: (UnsafeBufferPointer<Float>) throws -> Void) rethrows {
    while true {
      let piece = state.ring.peek()
      guard !piece.isEmpty else { return }
      try body(piece)
      state.ring.discard(piece.count)
    }
  }

  /// Ends it; what has come in can still be read.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    _ = library.functions.jack_client_close(client)
  }

  /// What the process callback uses.
  fileprivate final class State: @unchecked Sendable {
    // Unchecked: the audio thread alone changes what is neither atomic nor the ring.
    private let client: OpaquePointer
    private let port: OpaquePointer
    let ring: RingBuffer<Float>
    let lostFrames = Atomic(0)
    private var hasBegun = false
    private var nextFrame: UInt32 = 0
    private var lastCount: UInt32 = 0

    init(_ client: OpaquePointer, _ port: OpaquePointer, frameCount: Int) {
      self.client = client
      self.port = port
      ring = RingBuffer(minimumCapacity: frameCount, filler: 0)
    }

    /// Audio thread.
    @_noLocks func run(_ frameCount: UInt32) {
      guard let heard = cjack_port_buffer(port, frameCount) else { return }
      let frame = cjack_cycle_frame(client)
      // A late client may read the frame of the next cycle; the one after then seems to step back, and the sum is
      // right.
      var lost = hasBegun ? Int(Int32(bitPattern: frame &- nextFrame)) : 0
      if countStepsBack(from: lastCount, to: frameCount, frame &- nextFrame &+ lastCount) {
        lost += Int(lastCount - frameCount)
      }
      hasBegun = true
      nextFrame = frame &+ frameCount
      lastCount = frameCount
      let samples = heard.assumingMemoryBound(to: Float.self)
      var written = 0
      while written < Int(frameCount), ring.write(samples[written]) { written += 1 }
      lost += Int(frameCount) - written
      if lost != 0 { lostFrames.add(lost, ordering: .releasing) }
    }
  }
}

@_noLocks private func captureCycle(_ frameCount: jack_nframes_t, _ state: UnsafeMutableRawPointer?) -> CInt {
  guard let state else { return 0 }
  Unmanaged<InputCapture.State>.fromOpaque(state)._withUnsafeGuaranteedRef { $0.run(frameCount) }
  return 0
}
