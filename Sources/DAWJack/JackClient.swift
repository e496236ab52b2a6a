import CJack
import DAWEngine
import DAWTime
import Foundation
import Synchronization

/// A client of a JACK server that plays an engine. Made, changed and closed on one control thread.
public final class JackClient: @unchecked Sendable {
  // Unchecked, because C handles are not Sendable; JACK's functions may be called on any thread.
  let library: JackLibrary
  let handle: OpaquePointer
  let process: JackProcess
  public let status: JackStatus
  /// The name that the server assigned, which may differ from the one requested.
  public let name: String
  let masterPorts: [OpaquePointer]
  private let engine: LiveEngine
  /// By track id; see `JackClient+Ports.swift`.
  var directOutPorts: [Int64: PortPair] = [:]
  var midiPorts: [Int64: JackMIDIPort] = [:]
  /// The MIDI input that is passed on to each track's output, by track id.
  var monitors: [Int64: OpaquePointer] = [:]
  /// MIDI ports of removed tracks: while their notes are being ended, and then until the audio thread does not use
  /// them.
  var silencingMIDI: [JackMIDIPort] = []
  var silencedMIDI: [JackMIDIPort] = []
  /// Audio ports of removed tracks, which the audio thread still fills: others read what a port's buffer holds as long as
  /// the port is there.
  var fadingOuts: [(trackID: Int64, pair: PortPair)] = []
  /// The notes that sound on the MIDI ports, for the watchdog; `nil` without one.
  let table: SoundingTable?
  /// Whether ports were added since the table's connections were updated, and `JackStatus.connectionChangeCount` then.
  var hasNewPorts = true
  var recordedChangeCount = 0
  /// When the ports of removed tracks are silent.
  var silencingEnd = ContinuousClock.now
  /// Ports to remove once the audio thread does not use them.
  var retiringPorts: [OpaquePointer] = []
  /// The connections of removed tracks' ports.
  var earlierConnections: [TrackPort: [String]] = [:]
  /// The number of temporary names given to ports whose names others needed.
  var spareNameCount = 0
  var published = TrackPorts()
  /// See `JackClient+Inputs.swift`.
  var inputPorts: [InputPort] = []
  /// What the ports of former inputs were connected to.
  var earlierSources: [InputPort.Place: [String]] = [:]
  /// Ports that are no longer inputs, to remove once the audio thread does not use them.
  var retiringInputs: [OpaquePointer] = []
  /// The number of `JackInputs` published, and released.
  var publishedInputs = 0
  var releasedInputs = 0
  /// The number of tables published, and retired.
  var publishedCount = 0
  var retiredCount = 0
  private(set) var isActive = false
  private var isClosed = false

  /// What a client is opened with.
  public struct Options: Sendable {
    /// The name to request.
    public var name: String
    /// `nil`: the default server.
    public var server: String?
    public var sampleRate: SampleRate
    /// Whether to follow JACK's transport, rather than the engine's own.
    public var followsTransport: Bool
    /// Whether to add a port for the metronome.
    public var hasClickPort: Bool

    public init(
      name: String, server: String? = nil, sampleRate: SampleRate, followsTransport: Bool = false,
      hasClickPort: Bool = false
    ) {
      self.name = name
      self.server = server
      self.sampleRate = sampleRate
      self.followsTransport = followsTransport
      self.hasClickPort = hasClickPort
    }
  }

  /// Opens a client with its master ports. No cycle runs before `activate()`.
  /// - Parameter table: where to record the notes that sound on its MIDI ports, for a watchdog; not shared with
  ///   another open client.
  /// - Throws: `JackError`.
  public convenience init(
    _ options: Options, engine: LiveEngine, table: SoundingTable? = nil
  ) throws(JackError) {
    let library = try JackLibrary.shared()
    try self.init(options, engine: engine, table: table, library: library, handle: try Self.open(library, options))
  }

  /// - Parameter handle: an open client of `library`; closed by this object.
  init(
    _ options: Options, engine: LiveEngine, table: SoundingTable?, library: JackLibrary, handle: OpaquePointer
  ) throws(JackError) {
    let functions = library.functions
    do throws(JackError) {
      let rate = Int(functions.jack_get_sample_rate(handle))
      guard rate == options.sampleRate.hertz else { throw .rate(server: rate, project: options.sampleRate.hertz) }
      masterPorts = try ["out_1", "out_2"].map { name throws(JackError) in
        try Self.register(name, JACK_DEFAULT_AUDIO_TYPE, library, handle)
      }
      let click = options.hasClickPort ? try Self.register("click", JACK_DEFAULT_AUDIO_TYPE, library, handle) : nil
      status = JackStatus(library, masterPorts: masterPorts)
      process = JackProcess(
        client: handle, engine: engine, status: status, master: (masterPorts[0], masterPorts[1]), click: click,
        followsTransport: options.followsTransport)
    } catch {
      _ = functions.jack_client_close(handle)
      throw error
    }
    self.library = library
    self.handle = handle
    self.table = table
    if let table { for row in 0..<SoundingTable.rowCount { table.clear(row) } }
    self.engine = engine
    name = functions.jack_get_client_name(handle).map { String(cString: $0) } ?? options.name
    setBufferSize(Int(functions.jack_get_buffer_size(handle)))
    status.sampleRate.store(options.sampleRate.hertz, ordering: .relaxed)
    setCallbacks(followsTransport: options.followsTransport)
  }

  deinit { if !isClosed { Self.close(handle, library.functions, isActive: isActive) } }

  /// Starts the callbacks.
  /// - Throws: `JackError.lost`.
  public func activate() throws(JackError) {
    guard library.functions.jack_activate(handle) == 0 else { throw .lost }
    isActive = true
  }

  /// Closes the client, also if the server is gone. No callback runs afterwards.
  /// - Parameter seconds: timeout for the server.
  /// - Returns: false after the timeout. Client and engine then stay allocated until the process ends, since
  ///   callbacks may still run: the engine must not be shut down.
  @discardableResult public func close(atMost seconds: Double = 3) -> Bool {
    guard !isClosed else { return true }
    isClosed = true
    let isDone = Monitor(false)
    // Used by the other thread only.
    nonisolated(unsafe) let handle = handle
    let (functions, isActive) = (library.functions, isActive)
    Thread {
      Self.close(handle, functions, isActive: isActive)
      isDone.update { $0 = true }
    }.start()
    guard isDone.wait(atMost: seconds, for: { $0 ? true : nil }) == true else {
      _ = Unmanaged.passRetained(self)
      return false
    }
    process.releaseTables()
    return true
  }

  private static func close(_ handle: OpaquePointer, _ functions: cjack, isActive: Bool) {
    if isActive { _ = functions.jack_deactivate(handle) }
    _ = functions.jack_client_close(handle)
  }

  /// Sets the frames per cycle.
  func setBufferSize(_ frameCount: Int) {
    status.bufferSize.store(frameCount, ordering: .relaxed)
    engine.announceBlocks(frameCount: frameCount)
  }

  /// Whether JACK's thread has real-time priority.
  public var isRealtime: Bool { library.functions.jack_is_realtime(handle) != 0 }

  static func open(_ library: JackLibrary, _ options: Options) throws(JackError) -> OpaquePointer {
    var status = jack_status_t(rawValue: 0)
    // JACK refuses a name that is too long without giving a reason.
    let longest = Int(library.functions.jack_client_name_size()) - 1
    var name = options.name
    while name.utf8.count > longest { name.removeLast() }
    if let client = cjack_client_open(name, options.server, &status) { return client }
    if status.rawValue & JackServerFailed.rawValue != 0 { throw .noServer(name: options.server) }
    throw .refused(reason: reason(status))
  }

  private static func reason(_ status: jack_status_t) -> String {
    let known = [
      (JackVersionError, "its version does not match the library's"),
      (JackShmFailure, "its shared memory cannot be accessed"),
      (JackServerError, "the connection to it failed"), (JackInitFailure, "it could not initialise the client"),
      (JackInvalidOption, "it does not know an option"),
    ]
    let reasons = known.filter { status.rawValue & $0.0.rawValue != 0 }.map(\.1)
    return reasons.isEmpty ? "it gave no reason" : reasons.joined(separator: ", ")
  }
}
