import DAWEngine
import DAWModel
import DAWTime

/// A project's strips with their groups, and all connections between them.
struct MixerSetup {
  /// In order of id.
  private(set) var strips: [Track]
  let master: Int
  let indices: [TrackID: Int]
  /// By the strip's own mute or a group's.
  private(set) var isMuted: [Bool]
  private(set) var isSoloed: [Bool]
  /// Volume × volumes of the groups in order of their ids, linear.
  private(set) var faders: [Double]
  /// With the gains of open ones; a muted send has none.
  private(set) var connections: [MixerConnection] = []
  private(set) var incoming: [[Int]]
  private(set) var outgoing: [[Int]]

  init(_ project: Project) {
    var strips = project.tracks.values.sorted { $0.id < $1.id }
    if !strips.contains(where: { $0.trackType == .master }) {
      strips.insert(Track(id: TrackID(rawValue: 0), orderKey: .master, trackType: .master), at: 0)
    }
    self.strips = strips
    master = strips.firstIndex { $0.trackType == .master } ?? 0
    indices = Dictionary(strips.enumerated().map { ($1.id, $0) }) { first, _ in first }
    isMuted = strips.map(\.isMuted)
    isSoloed = strips.map { $0.isSolo && $0.trackType != .master }
    faders = strips.map { ReproducibleMath.gain(decibels: $0.volume.decibels) }
    incoming = Array(repeating: [], count: strips.count)
    outgoing = incoming
    addGroups(of: project)
    addConnections(of: project)
  }

  private mutating func addGroups(of project: Project) {
    let gains = project.groups.mapValues { ReproducibleMath.gain(decibels: $0.volume.decibels) }
    for member in project.groupMembers.values.sorted(by: { ($0.group, $0.id) < ($1.group, $1.id) }) {
      guard let strip = indices[member.track], strip != master, let group = project.groups[member.group],
        let gain = gains[member.group]
      else { continue }
      faders[strip] *= gain
      if group.isMuted { isMuted[strip] = true }
      if group.isSolo { isSoloed[strip] = true }
    }
  }

  private mutating func addConnections(of project: Project) {
    for (strip, track) in strips.enumerated() where strip != master && track.isOutputConnected {
      guard let target = track.outputBus.map({ indices[$0] }) ?? master else { continue }
      connect(
        MixerConnection(source: strip, target: target, kind: .output, gain: faders[strip], pan: track.pan, level: 1,
          isPreFader: false))
    }
    for send in project.sends.values.sorted(by: { $0.id < $1.id }) {
      guard let source = indices[send.track], source != master, let target = indices[send.bus], target != master
      else { continue }
      let level = send.isMuted ? 0 : ReproducibleMath.gain(decibels: send.level.decibels)
      connect(
        MixerConnection(
          source: source, target: target, kind: .send(send.id.rawValue),
          gain: send.isPreFader ? level : faders[source] * level, pan: send.pan ?? strips[source].pan,
          level: level, ownPan: send.pan, isPreFader: send.isPreFader))
    }
  }

  private mutating func connect(_ connection: MixerConnection) {
    guard connection.target == master || strips[connection.target].trackType == .bus else { return }
    outgoing[connection.source].append(connections.count)
    incoming[connection.target].append(connections.count)
    connections.append(connection)
  }
}
