import DAWErrors
import DAWModel
import DAWStore

extension Editor {
  /// Adds a group of tracks; refuses a name that is in use.
  /// - Parameter tracks: names or ids.
  public func addGroup(
    named name: String, _ change: Change<TrackGroup> = Change(), tracks: [String] = []
  ) throws -> TrackGroup {
    var group = TrackGroup(id: try newID(), name: try Name(ofItem: name))
    change.apply(to: &group)
    try apply(.add(group))
    try add(tracks, to: group)
    note("Added group '\(group.name)'")
    return group
  }

  /// - Parameters:
  ///   - added: the tracks that join it.
  ///   - removed: the tracks that leave it.
  public func setGroup(
    _ reference: String, _ change: Change<TrackGroup>, adding added: [String] = [], removing removed: [String] = []
  ) throws -> TrackGroup {
    let old = try view.group(calledBy: reference)
    let group = change.applied(to: old)
    if group != old { try apply(.set(group)) }
    try remove(removed, from: group)
    try add(added, to: group)
    note("Changed group '\(old.name)'")
    return group
  }

  /// Removes a group; its tracks stay.
  public func removeGroup(_ reference: String) throws -> TrackGroup {
    let group = try view.group(calledBy: reference)
    try apply(.remove(group.id))
    note("Removed group '\(group.name)'")
    return group
  }

  private func add(_ tracks: [String], to group: TrackGroup) throws {
    for reference in tracks {
      let track = try view.track(calledBy: reference)
      try apply(.add(GroupMember(id: try newID(), of: group.id, track: track.id)))
    }
  }

  private func remove(_ tracks: [String], from group: TrackGroup) throws {
    for reference in tracks {
      let track = try view.track(calledBy: reference)
      let member = try view.rows(GroupMember.self, where: "track", is: track.id).first { $0.group == group.id }
      guard let member else {
        throw Failure(
          .noInput, code: "memberNotFound",
          "Track '\(track.name)' is not in group '\(group.name)'. Nothing was changed.",
          hint: "'daw list-groups' shows which tracks are.")
      }
      try apply(.remove(member.id))
    }
  }
}

extension ProjectView {
  /// The group with a name or an id; case does not matter.
  /// - Throws: `Failure` with similar names, or with the candidates.
  public func group(calledBy reference: String) throws -> TrackGroup {
    let named = try rows(TrackGroup.self, where: "nameKey", is: Name.key(of: reference)).first
    let id = try IDReference(reference, isName: named != nil)
    if id?.forced == nil, let named { return named }
    let found = try id.map { try rows(TrackGroup.self, withIDReference: $0.digits) } ?? []
    guard let group = found.first else {
      throw referenceNotFound("group", reference, among: try all(TrackGroup.self).map(\.name.text))
    }
    guard found.count == 1 else {
      throw ambiguousReference("group", reference, found.map { "'\($0.name)' (id \($0.id))" })
    }
    return group
  }
}
