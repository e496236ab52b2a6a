import DAWEngine
import DAWErrors
import DAWJack
import DAWSequencer
import DAWTime

/// What armed tracks receive from the ALSA sequencer. Used by the player's control thread alone, but for `messages` and
/// `end`.
final class MIDIIn: Sendable {
  private let input: SequencerInput
  private let tracks: Monitor<[ArmedTrack]>
  private let ports: Monitor<[SequencerInput.Port]> = Monitor([])
  /// What the ports are connected to when they are made, besides their sources, by the tracks' numbers.
  private let senders: Monitor<[Int: [SequencerAddress]]> = Monitor([:])

  /// - Parameters:
  ///   - tracks: their inputs are numbered in this order.
  ///   - output: what is passed on goes where the track's port of it is connected.
  /// - Throws: `SequencerError`.
  init(_ tracks: [ArmedTrack], clientName: String, output: MIDIOutput?) throws(SequencerError) {
    self.tracks = Monitor(tracks)
    input = try SequencerInput(clientName: "\(clientName)-in", inputCount: tracks.count)
    update(output)
  }

  func start(following clock: JackClock) { input.start(following: clock) }

  func stop() { input.stop() }

  var messages: MIDICapture { input.messages }

  /// All that arrived before the host frame it returns is in `messages`; for any thread.
  var readEnd: @Sendable () -> HostFrame {
    { [input] in
      let status = input.status
      return status.problem == nil ? status.readTo : .max
    }
  }

  /// Whether it receives for these tracks, as well as it can.
  func serves(_ received: [ArmedTrack]) -> Bool {
    problem == nil && tracks.read { $0.elementsEqual(received) { $0.hasSamePorts(as: $1) } }
  }

  /// Connects the ports to what an earlier one's ports of the same tracks were connected to, as by the user.
  /// - Parameter earlier: it has been stopped, and so knows all its connections; this one has not been started.
  func takeConnections(of earlier: MIDIIn, _ output: MIDIOutput?) {
    let former = earlier.tracks.read { $0 }
    let connections = earlier.input.status.connections
    let numbered = tracks.read { $0 }.enumerated().map { number, track in
      (number, former.firstIndex { $0.hasSamePorts(as: track) }.flatMap { connections[$0] } ?? [])
    }
    senders.update { $0 = Dictionary(uniqueKeysWithValues: numbered) }
    update(output)
  }

  /// The tracks are called or monitored otherwise now.
  /// - Parameter received: those that it serves.
  func set(_ received: [ArmedTrack], _ output: MIDIOutput?) {
    tracks.update { $0 = received }
    update(output)
  }

  /// The output's connections may have changed.
  func update(_ output: MIDIOutput?) {
    let connections = output?.status.connections ?? [:]
    let senders = senders.read { $0 }
    let wanted = tracks.read { $0 }.enumerated().map { number, track in
      SequencerInput.Port(
        number: number, name: track.portNames[0], source: track.sources[0],
        senders: senders[number] ?? [], monitors: track.isMonitored ? connections[track.trackID] ?? [] : [])
    }
    guard wanted != ports.read({ $0 }) else { return }
    ports.update { $0 = wanted }
    input.set(wanted)
  }

  var missingSources: [String] { input.status.missingSources }

  /// Why nothing arrives, or not on some track.
  var problem: SequencerError? {
    let status = input.status
    return status.problem ?? status.failures.min { $0.key < $1.key }?.value
  }
}
