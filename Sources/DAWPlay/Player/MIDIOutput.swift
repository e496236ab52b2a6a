import DAWEngine
import DAWErrors
import DAWJack
import DAWModel
import DAWSequencer
import Foundation

/// The ALSA sequencer's side of a player, and the process that silences it when this one is killed.
final class MIDIOutput: Sendable {
  private let output: SequencerOutput

  /// - Throws: `SequencerError`; nothing is left open.
  init(clientName: String) throws(SequencerError) {
    let watchdog: Watchdog
    do { watchdog = try MIDIWatchdog.ofSequencer() } catch { throw .failed(error.attempt, error.reason) }
    do throws(SequencerError) {
      output = try SequencerOutput(clientName: clientName, watchdog: watchdog)
    } catch {
      watchdog.dismiss()
      throw error
    }
  }

  func publish(_ ports: [PlannedPort], planNumber: UInt64) { output.publish(ports, planNumber: planNumber) }

  func start(following clock: JackClock) { output.start(following: clock) }

  /// Silences all that sounds.
  func stop() { output.stop() }

  var status: SequencerStatus { output.status }

  /// Whether this machine has the ALSA sequencer.
  static var isThere: Bool { SequencerOutput.isAvailable }
}

/// What this program does instead of anything else where it is called with `word`: it waits for a player's end, and
/// silences what the player has left sounding.
public enum MIDIWatchdog {
  public static let word = "midi-watchdog"
  private static let sequencer = "alsa"
  private static let jack = "jack"

  static func ofSequencer() throws(WatchdogError) -> Watchdog { try Watchdog(arguments: [word, sequencer]) }

  /// - Parameter server: `nil`: the usual one.
  static func ofJack(server: String?) throws(WatchdogError) -> Watchdog {
    try Watchdog(arguments: [word, jack] + (server.map { [$0] } ?? []))
  }

  /// - Parameter words: what stands behind `word`.
  /// - Returns: false where these are not the words of a watchdog.
  public static func run(_ words: [String]) -> Bool {
    switch words.first {
    case sequencer where words.count == 1:
      if let table = Watchdog.takeOver() { SequencerSilence.send(table) }
    case jack where words.count <= 2:
      if let table = Watchdog.takeOver() { JackSilence.send(table, server: words.dropFirst().first) }
    default: return false
    }
    return true
  }
}

extension Failure {
  /// What a player that cannot use the sequencer reports.
  init(playing error: SequencerError) {
    self.init(
      .unavailable, code: "sequencerUnavailable", error.message,
      hint: "\(error.hint.map { $0 + " " } ?? "")'--midi none' plays without it.")
  }
}

extension PlayRequest {
  /// The ports of a plan, with the destinations that were asked for.
  /// - Throws: `Failure` for a track that is not there.
  func connected(_ ports: [PlannedPort]) throws -> [PlannedPort] {
    var ports = ports
    for (track, destination) in midiConnections {
      let key = Name.key(of: track)
      guard let index = ports.firstIndex(where: { Name.key(of: $0.name) == key }) else {
        throw Failure(
          .noInput, code: "trackNotFound", "There is no MIDI track '\(track)' to connect.",
          hint: "'daw list-tracks --type midi' lists them.")
      }
      ports[index].destination = destination
    }
    return ports
  }
}

extension PlayerStatus.MIDI {
  init(_ status: SequencerStatus) {
    self.init()
    sent = status.sentCount
    late = status.lateCount
    offset = status.offset
    jitter = status.jitter
    missingDestinations = status.missingDestinations.sorted()
    problem = status.problem.map { "\($0)" }
    failures = status.failures.map { Failure(name: $0.name, reason: "\($0.error)", hint: $0.error.hint ?? "") }
  }
}
