import Foundation

/// Which connections of a song's mixer are open, and their gains, by the rules of the documentation: each question is
/// asked of every pair of strips.
struct IndependentRouting {
  struct Connection {
    /// Names of tracks.
    var source: String
    var target: String
    /// `nil`: the output.
    var send: IndependentSong.Tap?
  }

  let master: IndependentSong.Strip
  private(set) var connections: [Connection] = []
  private let song: IndependentSong
  private let strips: [String: IndependentSong.Strip]

  init(_ song: IndependentSong) {
    self.song = song
    master = song.tracks[song.tracks.count - 1]
    strips = Dictionary(uniqueKeysWithValues: song.tracks.map { ($0.name, $0) })
    for track in song.tracks where track.trackType != "master" {
      if track.isOutputConnected {
        connections.append(Connection(source: track.name, target: track.outputBus ?? master.name, send: nil))
      }
      connections += track.sends.map { Connection(source: track.name, target: $0.bus, send: $0) }
    }
  }

  /// Each behind all that feeds it.
  var tracksInOrder: [IndependentSong.Strip] {
    var done: [IndependentSong.Strip] = []
    while done.count < song.tracks.count {
      let next = song.tracks.filter { track in
        !done.contains { $0.name == track.name }
          && connections.allSatisfy { way in way.target != track.name || done.contains { $0.name == way.source } }
      }
      // A cycle, which no project has.
      guard !next.isEmpty else { break }
      done += next
    }
    return done
  }

  // MARK: Mute and solo

  private func groups(of track: String) -> [IndependentSong.Group] {
    song.groups.filter { $0.members.contains { $0.track == track } }
  }

  private func isMuted(_ track: String) -> Bool {
    strips[track]?.isMuted == true || groups(of: track).contains { $0.isMuted }
  }

  private func isSoloed(_ track: String) -> Bool {
    track != master.name && (strips[track]?.isSolo == true || groups(of: track).contains { $0.isSolo })
  }

  private func leads(_ source: String, to target: String) -> Bool {
    connections.contains { $0.source == source && ($0.target == target || leads($0.target, to: target)) }
  }

  func isOpen(_ connection: Connection) -> Bool {
    let (source, target) = (connection.source, connection.target)
    guard connection.send?.isMuted != true, isSoloed(source) || !isMuted(source) else { return false }
    let names = song.tracks.map(\.name)
    guard names.contains(where: isSoloed) else { return true }
    let goingOn = names.filter { isSoloed($0) || strips[$0]?.isSoloSafe == true }
    let soloedBuses = names.filter { isSoloed($0) && strips[$0]?.trackType == "bus" }
    return goingOn.contains { $0 == source || leads($0, to: source) }
      || soloedBuses.contains { $0 == target || leads(target, to: $0) }
  }

  // MARK: Gains

  func gains(of connection: Connection) -> (left: Double, right: Double) {
    guard let source = strips[connection.source] else { return (0, 0) }
    var gain = connection.send?.level.gain ?? 1
    if connection.send?.isPreFader != true {
      gain *= groups(of: source.name).reduce(source.volume.gain) { $0 * $1.volume.gain }
    }
    let sides = sides(of: source, pan: connection.send?.pan ?? source.pan)
    return (sides.0 * gain, sides.1 * gain)
  }

  private func sides(of track: IndependentSong.Strip, pan: Double) -> (Double, Double) {
    guard track.isMono else { return Self.balance(pan) }
    let angle = Double.pi / 4 * (1 + pan)
    let power = (Foundation.cos(angle), Foundation.sin(angle))
    let line = ((1 - pan) / 2, (1 + pan) / 2)
    switch song.panLaw {
    case "constantPowerMinus3dB": return power
    case "linearMinus6dB": return line
    case "compromiseMinus4_5dB": return ((max(0, power.0) * line.0).squareRoot(), (power.1 * line.1).squareRoot())
    default: return Self.balance(pan)
    }
  }

  static func balance(_ pan: Double) -> (Double, Double) { (min(1, 1 - pan), min(1, 1 + pan)) }
}
