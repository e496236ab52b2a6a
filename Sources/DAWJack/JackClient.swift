import CJack
import DAWEngine
import DAWTime
import Foundation
import Synchronization

/// A client of a JACK server that plays an engine. Made, changed and closed on one control thread.
public final class JackClient: @unchecked Sendable {
  // Unchecked, because the handles of JACK's C interface are not Sendable; their functions may be called by any thread.
  let library: JackLibrary
  let handle: OpaquePointer
  let process: JackProcess
  public let status: JackStatus
  /// As the server has it: not always what was asked for.
  public let name: String
  let masterPorts: [OpaquePointer]
  private let engine: LiveEngine
  /// By track; `JackClient+Ports.swift` keeps them.
  var directOutPorts: [Int64: PortPair] = [:]
  var midiPorts: [Int64: JackMIDIPort] = [:]
  /// MIDI ports whose tracks are gone, for as long as what sounded there is being ended, and then until nobody has them.
  var endingMIDI: [JackMIDIPort] = []
  var endedMIDI: [JackMIDIPort] = []
  /// What sounds on the MIDI ports, for the watchdog; `nil` where there is none.
  let table: SoundingTable?
  /// Whether the table has to be told where ports are heard; and the count of changes that it has been told of.
  var hasNewPorts = true
  var toldChangeCount = 0
  var endMIDI = ContinuousClock.now
  /// Ports that are to go when the audio thread has let go of them.
  var leaving: [OpaquePointer] = []
  /// What the ports of tracks that are gone were connected with.
  var earlierConnections: [TrackPort: [String]] = [:]
  /// Names that ports were given which made way for others.
  var spareNameCount = 0
  var published = TrackPorts()
  /// Tables that were published, and that have come back.
  var publishedCount = 0
  var returnedCount = 0
  private var isActive = false
  private var isClosed = false

  public struct Options: Sendable {
    /// What the client would like to be called.
    public var name: String
    /// `nil`: the usual one.
    public var server: String?
    public var sampleRate: SampleRate
    /// Whether the transport of all of JACK's clients is followed, rather than the engine's own.
    public var followsTransport: Bool
    /// Whether there is a port for the metronome.
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

  /// Opens a client with its master ports. Nothing is played before `activate()`.
  /// - Parameter table: where what sounds on its MIDI ports is noted, for a watchdog; of no other client that is open.
  /// - Throws: `JackError`.
  public convenience init(
    _ options: Options, engine: LiveEngine, table: SoundingTable? = nil
  ) throws(JackError) {
    let library = try JackLibrary.shared()
    try self.init(options, engine: engine, table: table, library: library, handle: try Self.open(library, options))
  }

  /// - Parameter handle: of a client of `library`; it is closed by this one.
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

  /// Lets the server call us from now on.
  /// - Throws: `JackError.lost`.
  public func activate() throws(JackError) {
    guard library.functions.jack_activate(handle) == 0 else { throw .lost }
    isActive = true
  }

  /// Ends the client: no callback runs then, and none will. Also of a server that is gone.
  /// - Parameter seconds: that are waited for the server, at most.
  /// - Returns: false where it did not answer in that time. The client and its engine then stay as they are until the process
  ///   ends, since callbacks may still come: the engine must not be shut down.
  @discardableResult public func close(atMost seconds: Double = 3) -> Bool {
    guard !isClosed else { return true }
    isClosed = true
    let isDone = Monitor(false)
    // The handle goes to another thread, and only there.
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

  /// Frames in a cycle from now on.
  func setBufferSize(_ frameCount: Int) {
    status.bufferSize.store(frameCount, ordering: .relaxed)
    engine.announceBlocks(frameCount: frameCount)
  }

  /// Whether cycles are called with real-time priority.
  public var isRealtime: Bool { library.functions.jack_is_realtime(handle) != 0 }

  private static func open(_ library: JackLibrary, _ options: Options) throws(JackError) -> OpaquePointer {
    var status = jack_status_t(rawValue: 0)
    // A name that is too long would be refused without a reason.
    let longest = Int(library.functions.jack_client_name_size()) - 1
    var name = options.name
    while name.utf8.count > longest { name.removeLast() }
    if let client = cjack_client_open(name, options.server, &status) { return client }
    if status.rawValue & JackServerFailed.rawValue != 0 { throw .noServer(name: options.server) }
    throw .refused(reason: reason(status))
  }

  private static func reason(_ status: jack_status_t) -> String {
    let known = [
      (JackVersionError, "its version does not fit our library"),
      (JackShmFailure, "its shared memory cannot be reached"),
      (JackServerError, "the connection to it failed"), (JackInitFailure, "it could not set us up"),
      (JackInvalidOption, "it takes no such option"),
    ]
    let reasons = known.filter { status.rawValue & $0.0.rawValue != 0 }.map(\.1)
    return reasons.isEmpty ? "it gave no reason" : reasons.joined(separator: ", ")
  }
}
