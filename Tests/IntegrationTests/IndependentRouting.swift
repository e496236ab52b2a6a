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
  private let lanes: IndependentLanes
  private let strips: [String: IndependentSong.Strip]
  private let soloed: Set<String>
  /// By track: 0 where it is muted, by itself or by a group, else 1.
  private var gates: [String: Course] = [:]
  /// By track: its volume, those of its groups, and the mutes.
  private var volumes: [String: Course] = [:]

  init(_ song: IndependentSong, _ lanes: IndependentLanes) {
    self.song = song
    self.lanes = lanes
    master = song.tracks[song.tracks.count - 1]
    strips = Dictionary(uniqueKeysWithValues: song.tracks.map { ($0.name, $0) })
    let groups = song.groups.map { group in
      (
        names: Set(group.members.map(\.track)), volume: lanes.level("volume", group.lanes, or: group.volume),
        gate: lanes.gate(group.lanes, or: group.isMuted)
      )
    }
    soloed = Set(
      song.tracks.filter { $0.isSolo && $0.trackType != "master" }.map(\.name)
        + song.groups.filter(\.isSolo).flatMap { $0.members.map(\.track) })
    for track in song.tracks {
      let own = groups.filter { $0.names.contains(track.name) }
      let mute = own.reduce(lanes.gate(track.lanes, or: track.isMuted)) { $0 * $1.gate }
      let gate = soloed.contains(track.name) ? Course(1) : mute
      gates[track.name] = gate
      volumes[track.name] =
        own.reduce(lanes.level("volume", track.lanes, or: track.volume)) { $0 * $1.volume } * gate
    }
    for track in song.tracks where track.trackType != "master" {
      if track.isOutputConnected {
        connections.append(Connection(source: track.name, target: track.outputBus ?? master.name, send: nil))
      }
      connections += track.sends.map { Connection(source: track.name, target: $0.bus, send: $0) }
    }
  }

  /// Each behind all that feeds it, and that its effects listen to.
  var tracksInOrder: [IndependentSong.Strip] {
    var (done, waiting): ([IndependentSong.Strip], [IndependentSong.Strip]) = ([], song.tracks)
    var names: Set<String> = []
    while !waiting.isEmpty {
      let ready = waiting.filter { track in
        connections.allSatisfy { $0.target != track.name || names.contains($0.source) }
          && track.effects.allSatisfy { effect in effect.key.map(names.contains) ?? true }
      }
      // A cycle, which no project has.
      guard !ready.isEmpty else { break }
      done += ready
      names.formUnion(ready.map(\.name))
      waiting.removeAll { names.contains($0.name) }
    }
    return done
  }

  // MARK: Solo

  private func leads(_ source: String, to target: String) -> Bool {
    connections.contains { $0.source == source && ($0.target == target || leads($0.target, to: target)) }
  }

  /// Whether no solo closes it.
  func isOpen(_ connection: Connection) -> Bool {
    guard !soloed.isEmpty else { return true }
    let (source, target) = (connection.source, connection.target)
    let goingOn = song.tracks.filter { soloed.contains($0.name) || $0.isSoloSafe }.map(\.name)
    let soloedBuses = soloed.filter { strips[$0]?.trackType == "bus" }
    return goingOn.contains { $0 == source || leads($0, to: source) }
      || soloedBuses.contains { $0 == target || leads(target, to: $0) }
  }

  // MARK: Gains

  func gate(of track: String) -> Course { gates[track] ?? Course(1) }

  func fader(of track: IndependentSong.Strip, isMono: Bool) -> SideGains {
    pan(track.lanes, or: track.pan, isMono: isMono) * (volumes[track.name] ?? Course(1))
  }

  /// - Parameter isMono: the source, behind its effects.
  func gains(of connection: Connection, isMono: Bool) -> SideGains {
    guard let source = strips[connection.source] else { return SideGains(left: Course(0), right: Course(0)) }
    let pan = ownPan(of: connection, isMono: isMono) ?? pan(source.lanes, or: source.pan, isMono: isMono)
    let isPreFader = connection.send?.isPreFader == true
    return pan * (level(of: connection) * ((isPreFader ? gates : volumes)[source.name] ?? Course(1)))
  }

  /// Of a way from behind the source's fader, where there are effects.
  func gains(behindEffectsOf connection: Connection) -> SideGains {
    let level = level(of: connection)
    return ownPan(of: connection, isMono: false).map { $0 * level } ?? SideGains(left: level, right: level)
  }

  private func level(of connection: Connection) -> Course {
    guard let send = connection.send else { return Course(1) }
    return lanes.level("level", send.lanes, or: send.level) * lanes.gate(send.lanes, or: send.isMuted)
  }

  /// A send's, if it has one.
  private func ownPan(of connection: Connection, isMono: Bool) -> SideGains? {
    guard let send = connection.send, send.pan != nil || lanes.course("pan", send.lanes, in: .plain) != nil else {
      return nil
    }
    return pan(send.lanes, or: send.pan ?? 0, isMono: isMono)
  }

  private func pan(_ owner: [IndependentSong.Lane]?, or pan: Double, isMono: Bool) -> SideGains {
    let set = sides(atPan: pan, isMono: isMono)
    let left = lanes.course("pan", owner, in: .pan { sides(atPan: $0, isMono: isMono).0 })
    let right = lanes.course("pan", owner, in: .pan { sides(atPan: $0, isMono: isMono).1 })
    return SideGains(left: left ?? Course(set.0), right: right ?? Course(set.1))
  }

  /// The gains of the left and the right side.
  func sides(atPan pan: Double, isMono: Bool) -> (Double, Double) {
    let balance = (min(1, 1 - pan), min(1, 1 + pan))
    guard isMono else { return balance }
    let angle = Double.pi / 4 * (1 + pan)
    let power = (max(0, Foundation.cos(angle)), Foundation.sin(angle))
    let line = ((1 - pan) / 2, (1 + pan) / 2)
    switch song.panLaw {
    case "constantPowerMinus3dB": return power
    case "linearMinus6dB": return line
    case "compromiseMinus4_5dB": return ((power.0 * line.0).squareRoot(), (power.1 * line.1).squareRoot())
    default: return balance
    }
  }
}
