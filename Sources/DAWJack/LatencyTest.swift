import CJack
import DAWTime
import Glibc
import Synchronization

/// Measures how long sound takes from an output of the server, through a cable, to an input: noise is sent, and found
/// again in what comes back by its correlation with what was sent.
public struct LatencyTest {
  /// What was measured, in frames.
  public struct Result: Equatable, Sendable {
    /// From our output port to our input port.
    public var roundTrip: Int
    /// The same as the server reports it: the latency of the output plus that of the input.
    public var reported: Int
    public var sampleRate: SampleRate
  }

  /// How a measurement ended.
  public enum Outcome: Equatable, Sendable {
    case measured(Result)
    /// Nothing that resembles what was sent came back.
    case nothingReturned
    /// The repetitions did not agree, or cycles were lost.
    case unsteady
    case interrupted
  }

  /// How often the noise is sent.
  static let repetitions = 3
  /// Frames of noise in a repetition.
  static let burstFrames = 1_024
  /// Seconds of silence before the first repetition.
  private static let leadSeconds = 0.2
  /// Seconds of silence behind each repetition, and so the longest round trip that is found.
  static let longestSeconds = 0.5

  /// The peak of the noise, linear: −18 dBFS.
  private static let amplitude: Float = 0.125

  /// The least correlation, 0 … 1, at which a sound counts as the noise: about 0.5 is left of it by way of a
  /// loudspeaker and a microphone.
  private static let leastCorrelation = 0.3

  /// Plays and listens for about two seconds, on a client of its own.
  /// - Parameters:
  ///   - server: `nil`: the default server.
  ///   - output: the full name of the port to play to; `input`: of the one to listen to.
  ///   - isInterrupted: called many times a second on the calling thread; `true` ends the measurement.
  /// - Throws: `JackError`.
  public static func run(
    server: String?, output: String, input: String, isInterrupted: () -> Bool
  ) throws(JackError) -> Outcome {
    let library = try JackLibrary.shared()
    let client = try JackClient.open(
      library, JackClient.Options(name: "daw-latency", server: server, sampleRate: SampleRate(hertz: 48_000)))
    return try run(library, client, output: output, input: input, isInterrupted: isInterrupted)
  }

  /// - Parameters:
  ///   - client: open, and not active yet; it is closed here.
  ///   - patience: how long the server may not call before it is given up.
  ///   - longest: how long the noise may take; a server that calls so rarely loses cycles.
  static func run(
    _ library: JackLibrary, _ client: OpaquePointer, output: String, input: String, patience: Duration = .seconds(2),
    longest: Duration = .seconds(10), isInterrupted: () -> Bool
  ) throws(JackError) -> Outcome {
    let functions = library.functions
    let rate = Int(functions.jack_get_sample_rate(client))
    guard
      let sent = functions.jack_port_register(
        client, "out", JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsOutput.rawValue), 0),
      let heard = functions.jack_port_register(
        client, "in", JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsInput.rawValue), 0)
    else {
      _ = functions.jack_client_close(client)
      throw .port(name: "out")
    }
    let probe = Probe(client, output: sent, input: heard, signal: signal(rate))
    // The server may call until it is closed.
    defer { withExtendedLifetime(probe) { _ = functions.jack_client_close(client) } }
    let state = Unmanaged.passUnretained(probe).toOpaque()
    guard functions.jack_set_process_callback(client, probeCycle, state) == 0, functions.jack_activate(client) == 0
    else { throw .lost }
    let names = [sent, heard].map { functions.jack_port_name($0).map { String(cString: $0) } ?? "" }
    for (source, destination, other) in [(names[0], output, output), (input, names[1], input)] {
      guard [0, EEXIST].contains(functions.jack_connect(client, source, destination)) else {
        throw .connection(port: other)
      }
    }
    // The latencies follow the connections.
    usleep(100_000)
    probe.isRunning.store(true, ordering: .releasing)
    var (cycles, lastCycle) = (0, ContinuousClock.now)
    let deadline = lastCycle + longest
    while !probe.isDone.load(ordering: .acquiring) {
      if isInterrupted() { return .interrupted }
      guard ContinuousClock.now < deadline else { return .unsteady }
      let count = probe.cycleCount.load(ordering: .relaxed)
      if count != cycles { lastCycle = .now }
      cycles = count
      guard ContinuousClock.now - lastCycle < patience else { throw .lost }
      usleep(10_000)
    }
    let reported = latency(functions, sent, JackPlaybackLatency) + latency(functions, heard, JackCaptureLatency)
    _ = functions.jack_deactivate(client)
    if probe.lostCycles { return .unsteady }
    let found = (0..<repetitions).map { delay(of: $0, sent: probe.signal, heard: probe.heard, rate) }
    guard let first = found.first, let roundTrip = first, found.allSatisfy({ $0 != nil }) else {
      return found.contains { $0 != nil } ? .unsteady : .nothingReturned
    }
    guard found.allSatisfy({ $0 == roundTrip }) else { return .unsteady }
    return .measured(Result(roundTrip: roundTrip, reported: reported, sampleRate: SampleRate(hertz: rate)))
  }

  private static func latency(_ functions: cjack, _ port: OpaquePointer, _ mode: jack_latency_callback_mode_t) -> Int {
    var range = jack_latency_range_t()
    functions.jack_port_get_latency_range(port, mode, &range)
    return Int(range.max)
  }

  // MARK: The signal

  private static func period(_ rate: Int) -> Int { burstFrames + Int(longestSeconds * Double(rate)) }

  /// The first frame of a repetition.
  static func start(of repetition: Int, _ rate: Int) -> Int {
    Int(leadSeconds * Double(rate)) + repetition * period(rate)
  }

  /// The signal that is played, equal in each run: white noise, from a linear congruential generator, with silence
  /// behind each repetition.
  static func signal(_ rate: Int) -> [Float] {
    var signal = [Float](repeating: 0, count: start(of: repetitions, rate))
    var state: UInt32 = 1
    for repetition in 0..<repetitions {
      for index in 0..<burstFrames {
        state = state &* 1_664_525 &+ 1_013_904_223
        signal[start(of: repetition, rate) + index] = amplitude * (Float(state >> 8) / Float(1 << 23) - 1)
      }
    }
    return signal
  }

  /// How much later a repetition came back: where the correlation is greatest, of either polarity.
  /// - Returns: frames; `nil` where nothing resembles it.
  static func delay(
    of repetition: Int, sent: UnsafeBufferPointer<Float>, heard: UnsafeBufferPointer<Float>, _ rate: Int
  ) -> Int? {
    let start = start(of: repetition, rate)
    var (best, bestDelay) = (0.0, 0)
    var sentEnergy = 0.0
    for index in 0..<burstFrames { sentEnergy += Double(sent[start + index]) * Double(sent[start + index]) }
    for delay in 0...Int(longestSeconds * Double(rate)) where start + delay + burstFrames <= heard.count {
      var (product, energy): (Float, Float) = (0, 0)
      for index in 0..<burstFrames {
        let sample = heard[start + delay + index]
        product += sent[start + index] * sample
        energy += sample * sample
      }
      guard energy > 1e-9 else { continue }
      let correlation = abs(Double(product)) / (sentEnergy * Double(energy)).squareRoot()
      if correlation > best { (best, bestDelay) = (correlation, delay) }
    }
    return best >= leastCorrelation ? bestDelay : nil
  }

  /// What the process callback uses. Made before the client is active, freed after it is closed.
  fileprivate final class Probe: @unchecked Sendable {
    // Unchecked: until `isDone` the audio thread alone changes what is not atomic.
    private let client: OpaquePointer
    private let output: OpaquePointer
    private let input: OpaquePointer
    let signal: UnsafeBufferPointer<Float>
    private let captured: UnsafeMutableBufferPointer<Float>
    private var done = 0
    private var nextFrame: UInt32 = 0
    private(set) var lostCycles = false
    let isRunning = Atomic(false)
    let isDone = Atomic(false)
    let cycleCount = Atomic(0)

    var heard: UnsafeBufferPointer<Float> { UnsafeBufferPointer(captured) }

    init(_ client: OpaquePointer, output: OpaquePointer, input: OpaquePointer, signal: [Float]) {
      self.client = client
      self.output = output
      self.input = input
      let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: signal.count)
      _ = memory.initialize(from: signal)
      self.signal = UnsafeBufferPointer(memory)
      captured = .allocate(capacity: signal.count)
      captured.initialize(repeating: 0)
    }

    deinit {
      signal.deallocate()
      captured.deallocate()
    }

    /// Audio thread.
    @_noLocks func run(_ frameCount: UInt32) {
      cycleCount.add(1, ordering: .relaxed)
      guard let out = cjack_port_buffer(output, frameCount), let heard = cjack_port_buffer(input, frameCount) else {
        return
      }
      let (target, source) = (out.assumingMemoryBound(to: Float.self), heard.assumingMemoryBound(to: Float.self))
      let isRunning = done < signal.count ? isRunning.load(ordering: .acquiring) : false
      let frame = cjack_cycle_frame(client)
      if isRunning, done > 0, frame != nextFrame { lostCycles = true }
      nextFrame = frame &+ frameCount
      for index in 0..<Int(frameCount) {
        guard isRunning, done < signal.count else {
          target[index] = 0
          continue
        }
        target[index] = signal[done]
        captured[done] = source[index]
        done += 1
      }
      if isRunning, done == signal.count { isDone.store(true, ordering: .releasing) }
    }
  }
}

@_noLocks private func probeCycle(_ frameCount: jack_nframes_t, _ probe: UnsafeMutableRawPointer?) -> CInt {
  guard let probe else { return 0 }
  Unmanaged<LatencyTest.Probe>.fromOpaque(probe)._withUnsafeGuaranteedRef { $0.run(frameCount) }
  return 0
}
