import DAWEngine
import DAWModel

/// A project's mixer: its strips, the connections between them, and which of these mutes and solos leave open.
///
/// With S the soloed strips, by themselves or by a group; F the solo-safe ones; D all that S and F lead to; and U the
/// soloed buses and all that leads to one: under a solo a connection s → t is open if s ∈ S ∪ F ∪ D or t ∈ U, and if
/// s ∈ S or s is not muted. Without a solo it is open if s is not muted. A muted send is closed. What leads where does
/// not depend on mutes. The master is silenced by its own mute alone. A strip whose mute is moved by a lane is not
/// muted: the lane is a factor of its gains, unless the strip is in S.
/// - SeeAlso: `Documentation/Decisions/0020-buses-sends-groups-solo.md`
public struct Routing: Sendable {
  /// In order of id; one of them is the master.
  let strips: [Track]
  let master: Int
  let isMasterOpen: Bool
  let connections: [MixerConnection]
  /// For each bus and the master, indices into `connections` in the order in which they are added: outputs by the id of
  /// their source, then sends by id.
  let incoming: [[Int]]
  /// For each strip, indices into `connections`: the output, then sends by id.
  let outgoing: [[Int]]
  /// For each strip, its volume times those of its groups and the mutes that move.
  let faders: [MixGain]
  /// For each strip, the mutes that move; none if it is soloed.
  let gates: [[MovingLane]]
  /// For each strip, whether neither a mute nor a solo closes all that starts there.
  let isSending: [Bool]
  /// For each strip, whether it is soloed or not muted.
  let isPassed: [Bool]
  /// For each strip, whether it reaches the master.
  let reachesMaster: [Bool]
  /// The lanes that are read.
  let lanes: ReadLanes
  /// For each strip, those that its effects listen to: neither are these muted nor the effects off.
  private let keys: [[Int]]
  private let indices: [TrackID: Int]

  /// - Parameters:
  ///   - soloed: overrides the project's solos, those of groups included.
  ///   - stem: closes all connections into the master but this strip's.
  public init(_ project: Project, soloed: Set<TrackID>? = nil, stem: TrackID? = nil) {
    lanes = ReadLanes(project)
    let setup = MixerSetup(lanes)
    let strips = setup.strips
    self.strips = strips
    master = setup.master
    indices = setup.indices
    (incoming, outgoing) = (setup.incoming, setup.outgoing)
    isMasterOpen = !setup.isMuted[setup.master]

    let isSoloed = soloed.map { soloed in strips.map { soloed.contains($0.id) } } ?? setup.isSoloed
    let hasSolo = soloed != nil || isSoloed.contains(true)
    let isPassed = isSoloed.indices.map { isSoloed[$0] || !setup.isMuted[$0] }
    self.isPassed = isPassed
    var keys: [[Int]] = strips.map { _ in [] }
    for effect in project.effects.values where !effect.isOff {
      guard let strip = setup.indices[effect.track], let key = effect.key.flatMap({ setup.indices[$0] }),
        isPassed[key]
      else { continue }
      keys[strip].append(key)
    }
    self.keys = keys
    let sources = setup.connections.map(\.source)
    let targets = setup.connections.map(\.target)
    let leading = strips.indices.filter { isSoloed[$0] || strips[$0].isSoloSafe }
    let isLed = reached(from: leading, setup.outgoing, targets)
    let soloedBuses = strips.indices.filter { isSoloed[$0] && strips[$0].trackType == .bus }
    let leadsToSolo = reached(from: soloedBuses, setup.incoming, sources)
    isSending = strips.indices.map { isPassed[$0] && (!hasSolo || isLed[$0] || leadsToSolo[$0]) }
    // A mute is without effect on a soloed strip.
    let gates: [[MovingLane]] = strips.indices.map { isSoloed[$0] ? [] : setup.gates[$0] }
    self.gates = gates
    faders = strips.indices.map { setup.faders[$0].times(gates[$0]) }
    var connections = setup.connections
    for index in connections.indices {
      let connection = connections[index]
      let isOpen =
        isPassed[connection.source] && (!hasSolo || isLed[connection.source] || leadsToSolo[connection.target])
        && (stem == nil || connection.target != setup.master || strips[connection.source].id == stem)
      connections[index].gain = isOpen ? connection.gain.times(gates[connection.source]) : .closed
    }
    self.connections = connections
    let audible = setup.incoming.map { $0.filter { connections[$0].isAudible } }
    reachesMaster = reached(from: isMasterOpen ? [setup.master] : [], audible, sources)
  }

  /// A track's place in `strips`.
  func index(of track: TrackID) -> Int? { indices[track] }

  /// Whether a track reaches the output.
  public func isHeard(_ track: TrackID) -> Bool { indices[track].map { reachesMaster[$0] } ?? false }

  /// The tracks that reach the output, or that an effect that does listens to.
  /// - Parameter withDirectOuts: whether each strip with an open output has one of its own beside it.
  public func neededTracks(withDirectOuts: Bool = false) -> Set<TrackID> {
    let outs = withDirectOuts ? strips.indices.filter(hasOpenOutput) : []
    return Set(zip(strips, isNeeded(for: outs)).filter(\.1).map(\.0.id))
  }

  /// For each strip, whether it is needed for the output, or for one of `outs`.
  func isNeeded(for outs: [Int]) -> [Bool] {
    var isNeeded = outs.isEmpty ? reachesMaster : isUpstream(of: [master] + outs)
    var ends = [master] + outs
    while true {
      let missing = isNeeded.indices.filter { isNeeded[$0] || $0 == master }.flatMap { keys[$0] }
        .filter { !isNeeded[$0] }
      guard !missing.isEmpty else { return isNeeded }
      ends += missing
      isNeeded = isUpstream(of: ends)
    }
  }

  /// Whether a track or bus is audible directly in the master: together these are the mix.
  public func feedsMaster(_ track: TrackID) -> Bool {
    guard isMasterOpen, let index = indices[track] else { return false }
    return outgoing[index].contains { connections[$0].target == master && connections[$0].isAudible }
  }

  /// Whether a strip's output is audible where it leads; of a strip without one, whether it would be.
  func hasOpenOutput(_ strip: Int) -> Bool {
    guard strip != master, isMasterOpen else { return false }
    guard let first = outgoing[strip].first, connections[first].kind == .output else {
      return isSending[strip] && faders[strip].isAudible
    }
    return connections[first].isAudible
  }

  /// Whether a track's MIDI port sends: depends on mutes and solos, not on levels or the master's mute.
  func sends(_ track: TrackID) -> Bool { indices[track].map { isSending[$0] } ?? false }

  /// For each strip, whether one of `ends` is it or is reached from it by what is audible.
  func isUpstream(of ends: [Int]) -> [Bool] {
    reached(from: ends, incoming.map { $0.filter { connections[$0].isAudible } }, connections.map(\.source))
  }
}

/// A way between two strips, with all it multiplies by but the pan.
struct MixerConnection: Sendable {
  /// Index into `Routing.strips`.
  var source: Int
  var target: Int
  var kind: Connection.Kind
  /// The source's fader, unless it is a pre-fader send, times a send's level and the mutes that move. 0 if it is
  /// closed.
  var gain: MixGain
  /// Unless `panLane` moves it.
  var pan: Pan
  var panLane: MovingLane?
  /// Of `gain`, what is not the source's fader; and the pan that is not the source's.
  var level: MixGain
  var ownPan: Pan?
  var ownPanLane: MovingLane?
  /// Whether it leads from before the fader.
  var isPreFader: Bool

  var isAudible: Bool { gain.isAudible }
}

/// Which strips are reached: breadth first, those it starts from included.
/// - Parameters:
///   - ways: for each strip, indices into `ends`.
///   - ends: for each connection, the strip at its far end.
private func reached(from first: [Int], _ ways: [[Int]], _ ends: [Int]) -> [Bool] {
  var isReached = [Bool](repeating: false, count: ways.count)
  var queue: [Int] = []
  func reach(_ strip: Int) {
    guard !isReached[strip] else { return }
    isReached[strip] = true
    queue.append(strip)
  }
  for strip in first { reach(strip) }
  var next = 0
  while next < queue.count {
    for way in ways[queue[next]] { reach(ends[way]) }
    next += 1
  }
  return isReached
}
