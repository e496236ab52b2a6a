import CJack
import DAWEngine
import Foundation

extension JackClient {
  /// An input: a port of ours, and the port that it is connected to.
  public struct Input: Hashable, Sendable {
    /// Without the client's name; a number is added where another port has it.
    public var name: String
    /// The full name of an output of another client; `nil` if the user connects it.
    public var source: String?
    /// The track to whose MIDI output what arrives is passed on; `nil` for none.
    public var monitor: Int64?
    /// The track in whose strip sound that arrives may be heard; `nil` for none.
    public var track: Int64?

    public init(name: String, source: String? = nil, monitor: Int64? = nil, track: Int64? = nil) {
      self.name = name
      self.source = source
      self.monitor = monitor
      self.track = track
    }
  }

  /// Control thread: makes these the client's inputs. What comes in goes to `ring`, whose channels are the audio inputs
  /// in order, and to `messages`, whose inputs are those of MIDI. An input that stays, by name and source, keeps its
  /// port, with what the user has connected it to.
  /// - Throws: `JackError.port`; the inputs are as they were.
  public func setInputs(
    _ inputs: [Input], ring: CaptureRing, midi midiInputs: [Input] = [], messages: MIDICapture? = nil
  ) throws(JackError) {
    var left = inputPorts
    var wanted: [InputPort] = []
    var made: [OpaquePointer] = []
    do throws(JackError) {
      for (input, isMIDI) in inputs.map({ ($0, false) }) + midiInputs.map({ ($0, true) }) {
        if let place = left.firstIndex(where: { $0.serves(input, isMIDI: isMIDI) }) {
          wanted.append(InputPort(input: input, isMIDI: isMIDI, port: left.remove(at: place).port))
        } else {
          let port = try register(input, isMIDI ? JACK_DEFAULT_MIDI_TYPE : JACK_DEFAULT_AUDIO_TYPE)
          made.append(port)
          wanted.append(InputPort(input: input, isMIDI: isMIDI, port: port))
        }
      }
    } catch {
      for port in made { _ = library.functions.jack_port_unregister(handle, port) }
      throw error
    }
    inputPorts = wanted
    let ports = wanted.map(\.port)
    // First, since the server says once what latency they have when they are connected.
    status.setInputs(ports)
    // Connected before they are read, so that what is heard goes on without a break.
    if isActive { connectPorts() }
    retiringInputs += left.map(\.port)
    setMonitors(
      Dictionary(
        inputPorts.compactMap { port in port.input.monitor.map { ($0, port.port) } }, uniquingKeysWith: { $1 }))
    publish(
      JackInputs(
        Array(ports.prefix(inputs.count)), of: inputs.map(\.track), ring: ring,
        midi: Array(ports.dropFirst(inputs.count)), messages: messages))
  }

  /// Control thread: connects the inputs whose sources are there and that are not connected to them. To be called from
  /// time to time: a port that went away and came back is connected again.
  public func connectInputs() {
    removeRetiredInputs()
    connectPorts()
  }

  private func connectPorts() {
    for port in inputPorts {
      guard let source = port.input.source, let name = library.functions.jack_port_name(port.port) else { continue }
      // Fails if there is no such port, or if it has been connected in the meantime; neither matters here.
      if !connections(of: port.port).contains(source) { _ = library.functions.jack_connect(handle, source, name) }
    }
  }

  /// The sources of inputs that are not there, each once.
  public var missingSources: [String] {
    var missing: [String] = []
    for port in inputPorts {
      guard let source = port.input.source, !missing.contains(source) else { continue }
      if !connections(of: port.port).contains(source) { missing.append(source) }
    }
    return missing
  }

  /// Any thread: frames from the outside world to each input, in order, those of MIDI last.
  public var captureLatencies: [Int] { status.inputLatencies }

  /// The full names of all outputs that carry sound.
  public func audioSources() -> [String] {
    library.ports(handle, JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput.rawValue)
  }

  /// The full names of all outputs that carry MIDI.
  public func midiSources() -> [String] {
    library.ports(handle, JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput.rawValue)
  }

  private func register(_ input: Input, _ type: String) throws(JackError) -> OpaquePointer {
    let base = portName(input.name)
    let flags = UInt(JackPortIsInput.rawValue)
    for number in 1...99 {
      let name = number == 1 ? base : "\(base) \(number)"
      if let port = library.functions.jack_port_register(handle, name, type, flags, 0) {
        return port
      }
    }
    throw .port(name: base)
  }

  private func publish(_ inputs: JackInputs) {
    publishedInputs += 1
    let untaken = process.inputs.publish(Unmanaged.passRetained(inputs).toOpaque())
    releaseInputs(untaken)
    releaseInputs(process.inputs.collect())
  }

  /// The ports that are no longer inputs, once the audio thread does not use them.
  private func removeRetiredInputs() {
    releaseInputs(process.inputs.collect())
    // All but the newest have been given back.
    guard !retiringInputs.isEmpty, releasedInputs == publishedInputs - 1 else { return }
    for port in retiringInputs { _ = library.functions.jack_port_unregister(handle, port) }
    retiringInputs = []
  }

  private func releaseInputs(_ inputs: UnsafeMutableRawPointer?) {
    guard let inputs else { return }
    Unmanaged<JackInputs>.fromOpaque(inputs).release()
    releasedInputs += 1
  }
}

/// An input, and its port.
struct InputPort {
  var input: JackClient.Input
  var isMIDI: Bool
  var port: OpaquePointer

  /// Whether the port can be that of an input, as it is named and connected.
  func serves(_ other: JackClient.Input, isMIDI: Bool) -> Bool {
    self.isMIDI == isMIDI && input.name == other.name && input.source == other.source
  }
}
