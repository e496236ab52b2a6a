import DAWModel

extension RandomEdits {
  /// Gives a track another output; one in a few closes a cycle.
  mutating func connect(_ track: inout Track, in project: Project) {
    let buses = project.tracksInOrder.filter { $0.trackType == .bus || chance(0.03) }.map(\.id)
    track.outputBus = chance(0.2) ? nil : pick(buses)
    track.isOutputConnected = track.outputBus == nil ? chance(0.7) : !chance(0.05)
  }

  mutating func send(_ project: Project) -> Edit {
    let known = project.sends.values.sorted { $0.id < $1.id }
    if chance(0.1), let send = pick(known) { return .remove(send.id) }
    let buses = project.tracksInOrder.filter { $0.trackType == .bus || chance(0.03) }.map(\.id)
    let sources = project.tracksInOrder.filter { $0.trackType != .master || chance(0.1) }.map(\.id)
    var send = Send(
      id: newID(), from: pick(sources) ?? TrackID(rawValue: 3), to: pick(buses) ?? TrackID(rawValue: 3), level: level(),
      isPreFader: chance(0.3), isMuted: chance(0.2))
    if chance(0.3) { send.pan = Pan(position: Double(number(-12...12)) / (chance(0.05) ? 4 : 12)) }
    guard chance(0.3), let old = pick(known) else { return .add(send) }
    send.id = old.id
    if chance(0.6) { (send.track, send.bus) = (old.track, old.bus) }
    return .set(send)
  }

  /// Adds, changes or removes a group or a member of one.
  mutating func group(_ project: Project) -> Edit {
    let groups = project.groups.values.sorted { $0.id < $1.id }
    if chance(0.4), let group = pick(groups) {
      if chance(0.15), let member = pick(project.groupMembers.keys.sorted()) { return .remove(member) }
      let tracks = project.tracksInOrder.filter { $0.trackType != .master || chance(0.1) }.map(\.id)
      return .add(GroupMember(id: newID(), of: group.id, track: pick(tracks) ?? TrackID(rawValue: 3)))
    }
    if chance(0.1), let group = pick(groups) { return .remove(group.id) }
    let group = TrackGroup(
      id: newID(), name: name(), volume: level(), isMuted: chance(0.2), isSolo: chance(0.2))
    guard chance(0.3), var changed = pick(groups) else { return .add(group) }
    (changed.volume, changed.isMuted) = (group.volume, group.isMuted)
    if chance(0.5) { changed.name = group.name }
    return .set(changed)
  }
}
