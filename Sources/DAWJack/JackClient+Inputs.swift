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
    /// Among the inputs of its track, from 0.
    public var number: Int

    public init(name: String, source: String? = nil, monitor: Int64? = nil, track: Int64? = nil, number: Int = 0) {
      self.name = name
      self.source = source
      self.monitor = monitor
      self.track = track
      self.number = number
    }
  }

  /// Control thread: makes these the client's inputs. What comes in goes to `ring`, whose channels are the audio inputs
  /// in order, and to `messages`, whose inputs are those of MIDI. An input that stays, by track and source or by name
  /// and source, keeps its port, with what the user has connected it to; the port is renamed where the input is. One
  /// that comes back, by track and source, is connected to what it was connected to when it went.
  /// - Throws: `JackError.port`; the inputs are as they were.
  public func setInputs(
    _ inputs: [Input], ring: CaptureRing, midi midiInputs: [Input] = [], messages: MIDICapture? = nil
  ) throws(JackError) {
    let asked = inputs.map { (input: $0, isMIDI: false) } + midiInputs.map { (input: $0, isMIDI: true) }
    var left = inputPorts
    let kept = Self.takePorts(for: asked, from: &left)
    let names = asked.map { portName($0.input.name) }
    var renamed = giveUpNames(Set(names), by: left.map(\.port) + retiringInputs + misnamed(kept, names))
    var wanted: [InputPort] = []
    var made: Set<OpaquePointer> = []
    do throws(JackError) {
      for (place, (input, isMIDI)) in asked.enumerated() {
        if let port = kept[place] {
          if let former = renameInput(port, names[place]) { renamed.append((port, former)) }
          wanted.append(InputPort(input: input, isMIDI: isMIDI, port: port))
        } else {
          let port = try register(names[place], isMIDI ? JACK_DEFAULT_MIDI_TYPE : JACK_DEFAULT_AUDIO_TYPE)
          made.insert(port)
          wanted.append(InputPort(input: input, isMIDI: isMIDI, port: port))
        }
      }
    } catch {
      for port in made { _ = library.functions.jack_port_unregister(handle, port) }
      for (port, name) in renamed.reversed() { rename(port, name) }
      throw error
    }
    inputPorts = wanted
    let ports = wanted.map(\.port)
    // First, since the server reports their latency only once, when they are connected.
    status.setInputs(ports)
    for port in left { if let place = port.place { earlierSources[place] = connections(of: port.port) } }
    // Connected before they are read, so that what is heard goes on without a break.
    if isActive {
      for port in wanted where made.contains(port.port) { restoreConnections(port) }
      connectPorts()
    }
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

  private func restoreConnections(_ port: InputPort) {
    guard let place = port.place, let sources = earlierSources.removeValue(forKey: place),
      let name = library.functions.jack_port_name(port.port)
    else { return }
    // A port that does not exist any more is refused, and skipped.
    for source in sources { _ = library.functions.jack_connect(handle, source, name) }
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

  // MARK: Ports

  /// - Parameter base: a number is added where another port has it.
  private func register(_ base: String, _ type: String) throws(JackError) -> OpaquePointer {
    let flags = UInt(JackPortIsInput.rawValue)
    for number in 1...99 {
      let name = Self.numbered(base, number)
      if let port = library.functions.jack_port_register(handle, name, type, flags, 0) {
        return port
      }
    }
    throw .port(name: base)
  }

  private static func numbered(_ base: String, _ number: Int) -> String { number == 1 ? base : "\(base) \(number)" }

  private func shortName(of port: OpaquePointer) -> String? {
    library.functions.jack_port_short_name(port).map { String(cString: $0) }
  }

  /// Takes the ports of inputs that stay.
  /// - Returns: for each input its port; `nil` where it has none.
  private static func takePorts(
    for asked: [(input: Input, isMIDI: Bool)], from ports: inout [InputPort]
  ) -> [OpaquePointer?] {
    var taken = [OpaquePointer?](repeating: nil, count: asked.count)
    // Those of the same tracks first: another track may have got the name of one.
    for isSame in [InputPort.isOfTrack, InputPort.isCalled] {
      for (place, (input, isMIDI)) in asked.enumerated() where taken[place] == nil {
        guard let found = ports.firstIndex(where: { isSame($0)(input, isMIDI) }) else { continue }
        taken[place] = ports.remove(at: found).port
      }
    }
    return taken
  }

  /// The ports whose names are not those of their inputs.
  private func misnamed(_ ports: [OpaquePointer?], _ names: [String]) -> [OpaquePointer] {
    zip(ports, names).compactMap { port, name in port.flatMap { shortName(of: $0) == name ? nil : $0 } }
  }

  /// Names are unique in JACK: ports that go or are renamed give up theirs where another needs it.
  /// - Returns: the names that they had.
  private func giveUpNames(_ wanted: Set<String>, by ports: [OpaquePointer]) -> [(port: OpaquePointer, name: String)] {
    var given: [(port: OpaquePointer, name: String)] = []
    for port in ports {
      guard let name = shortName(of: port), wanted.contains(name) else { continue }
      given.append((port, name))
      rename(port, nextSpareName())
    }
    return given
  }

  /// - Parameter base: a number is added where another port has it.
  /// - Returns: the name that it had; `nil` if it keeps that.
  private func renameInput(_ port: OpaquePointer, _ base: String) -> String? {
    guard let former = shortName(of: port) else { return nil }
    for number in 1...99 {
      let wanted = Self.numbered(base, number)
      if wanted == former { return nil }
      guard !hasPort("\(name):\(wanted)") else { continue }
      rename(port, wanted)
      return former
    }
    return nil
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

  /// What an input is, independent of its name.
  struct Place: Hashable {
    var track: Int64
    var number: Int
    var source: String?
    var isMIDI: Bool
  }

  /// `nil` without a track.
  var place: Place? {
    input.track.map { Place(track: $0, number: input.number, source: input.source, isMIDI: isMIDI) }
  }

  /// Whether the port is that of an input, by its track and how it is connected, whatever it is called.
  func isOfTrack(_ other: JackClient.Input, isMIDI: Bool) -> Bool {
    self.isMIDI == isMIDI && input.source == other.source && input.track != nil && input.track == other.track
      && input.number == other.number
  }

  /// Whether the port can be that of an input, as it is named and connected.
  func isCalled(_ other: JackClient.Input, isMIDI: Bool) -> Bool {
    self.isMIDI == isMIDI && input.name == other.name && input.source == other.source
  }
}
