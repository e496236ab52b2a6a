import DAWErrors
import DAWModel
import DAWProject
import DAWStore
import DAWTime

/// A send as JSON, within its track.
@dynamicMemberLookup
public struct SendDocument {
  public var row: Send
  /// The name of the bus.
  public var bus = ""
  /// `nil` if there are none.
  public var lanes: [LaneDocument]?

  public subscript<Value>(dynamicMember path: KeyPath<Send, Value>) -> Value { row[keyPath: path] }
}

extension SendDocument: JSONRecord {
  package static var blank: SendDocument { SendDocument(row: Send(blank: SendID(rawValue: 0))) }

  package static let members: JSONMembers<SendDocument> = [
    JSONMember(id: \.row.id),
    JSONMember("bus", \.bus, isRequired: true),
    JSONMember("level", \.row.level),
    JSONMember("pan", \.row.pan),
    JSONMember("isPreFader", \.row.isPreFader),
    JSONMember("isMuted", \.row.isMuted),
    JSONMember(ifPresent: "lanes", \.lanes),
  ]
}

/// A group of tracks as JSON.
@dynamicMemberLookup
public struct GroupDocument {
  public var row: TrackGroup
  /// In the order in which they joined.
  public var members: [MemberDocument] = []
  /// `nil` if there are none.
  public var lanes: [LaneDocument]?

  public subscript<Value>(dynamicMember path: KeyPath<TrackGroup, Value>) -> Value { row[keyPath: path] }
}

extension GroupDocument: JSONRecord {
  package static var blank: GroupDocument { GroupDocument(row: TrackGroup(blank: TrackGroupID(rawValue: 0))) }

  package static let members: JSONMembers<GroupDocument> = [
    JSONMember(id: \.row.id),
    JSONMember("name", \.row.name, isRequired: true),
    JSONMember("volume", \.row.volume),
    JSONMember("isMuted", \.row.isMuted),
    JSONMember("isSolo", \.row.isSolo),
    JSONMember("members", \.members),
    JSONMember(ifPresent: "lanes", \.lanes),
  ]
}

/// A track in a group, as JSON.
public struct MemberDocument {
  public var row: GroupMember
  /// The name of the track.
  public var track = ""
}

extension MemberDocument: JSONRecord {
  package static var blank: MemberDocument { MemberDocument(row: GroupMember(blank: GroupMemberID(rawValue: 0))) }

  package static let members: JSONMembers<MemberDocument> = [
    JSONMember(id: \.row.id),
    JSONMember("track", \.track, isRequired: true),
  ]
}

// MARK: Writing

/// A track's connections, by the names of their other ends.
struct TrackRouting {
  var outputBus: String?
  var sends: [SendDocument] = []
  /// The names of its groups.
  var groups: [String] = []
}

extension TrackDocument {
  mutating func add(_ routing: TrackRouting) {
    (outputBus, sends, groups) = (routing.outputBus, routing.sends, routing.groups)
  }
}

/// The connections of all tracks.
struct ProjectRouting {
  private(set) var groups: [GroupDocument] = []
  private var byTrack: [TrackID: TrackRouting] = [:]

  /// - Parameter lanes: of sends and groups; `nil` leaves them out.
  init(_ view: ProjectView, _ tracks: [Track], _ lanes: ProjectLanes? = nil) throws {
    let names = Dictionary(uniqueKeysWithValues: tracks.map { ($0.id, $0.name.text) })
    for track in tracks {
      if let bus = track.outputBus { byTrack[track.id, default: TrackRouting()].outputBus = names[bus] }
    }
    for send in try view.all(Send.self) {
      byTrack[send.track, default: TrackRouting()].sends.append(
        SendDocument(row: send, bus: names[send.bus] ?? "", lanes: lanes?.of(.send(send.id))))
    }
    let members = Dictionary(grouping: try view.all(GroupMember.self), by: \.group)
    groups = try view.all(TrackGroup.self).map { group in
      GroupDocument(
        row: group,
        members: (members[group.id] ?? []).map { member in
          byTrack[member.track, default: TrackRouting()].groups.append(group.name.text)
          return MemberDocument(row: member, track: names[member.track] ?? "")
        }, lanes: lanes?.of(.group(group.id)))
    }
  }

  func of(_ track: TrackID) -> TrackRouting { byTrack[track] ?? TrackRouting() }
}

extension ProjectView {
  /// The connections of one track.
  func routing(of track: Track) throws -> TrackRouting {
    func name(_ id: TrackID) throws -> String { try self.track(id)?.name.text ?? "" }
    let groups = try rows(GroupMember.self, where: "track", is: track.id).map(\.group).sorted()
    return TrackRouting(
      outputBus: try track.outputBus.map(name),
      sends: try rows(Send.self, where: "track", is: track.id).map { SendDocument(row: $0, bus: try name($0.bus)) },
      groups: try groups.compactMap { id in
        try rows(TrackGroup.self, where: "id", is: id).first?.name.text
      })
  }

  public func document(of group: TrackGroup) throws -> GroupDocument {
    let members = try rows(GroupMember.self, where: "trackGroup", is: group.id)
    return GroupDocument(
      row: group, members: try members.map { MemberDocument(row: $0, track: try track($0.track)?.name.text ?? "") })
  }

  /// In order of their making, as in the project's JSON.
  public func groupDocuments() throws -> [GroupDocument] { try ProjectRouting(self, tracks()).groups }
}

// MARK: Reading

extension Editor {
  /// Adds outputs, sends and groups with their lanes, when all tracks are there: they refer to tracks by name.
  func addRouting(
    of document: ProjectDocument, _ tracks: [(id: TrackID, document: TrackDocument)], in map: TempoMap
  ) throws {
    var ids = Dictionary(tracks.map { ($0.document.name.key, $0.id) }) { first, _ in first }
    // A document without a master has that of every project.
    let master = try view.master()
    ids[master.name.key] = ids[master.name.key] ?? master.id
    func id(_ name: String) throws -> TrackID {
      guard let id = ids[Name.key(of: name)] else {
        throw Failure.notInJSON("track", name)
      }
      return id
    }
    for (track, document) in tracks {
      guard let bus = document.outputBus, var row = try view.track(track) else { continue }
      row.outputBus = try id(bus)
      try apply(.set(row))
    }
    for (track, document) in tracks {
      let sends = try add(
        document.sends.map { send in
          var row = send.row
          (row.track, row.bus) = (track, try id(send.bus))
          return row
        }, \.id)
      for (send, document) in zip(sends, document.sends) { try add(document.lanes, of: .send(send.id), in: map) }
    }
    for group in document.groups {
      let row = try add([group.row], \.id)[0]
      try add(group.lanes, of: .group(row.id), in: map)
      try add(
        group.members.map { member in
          var member = (row: member.row, track: member.track)
          (member.row.group, member.row.track) = (row.id, try id(member.track))
          return member.row
        }, \.id)
    }
  }
}
