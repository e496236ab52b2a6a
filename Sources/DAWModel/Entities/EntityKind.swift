/// Which entity a row is of. The raw value stands in the UUID of an identifier and never changes. 22 stands in those of
/// a recording's passes and 25 in those of jobs, which are no entities; a recording has the number of its note, whose
/// id it shares, and a transcript that of its text.
public enum EntityKind: UInt8, CaseIterable, Sendable {
  case track = 1
  case region = 2
  case note = 3
  case audioFile = 4
  case soundFont = 5
  case event = 6
  case tempoChange = 7
  case meterChange = 8
  case keySignature = 9
  case marker = 10
  case instrument = 11
  case comment = 12
  case send = 13
  case trackGroup = 14
  case groupMember = 15
  case lane = 16
  case lanePoint = 17
  case effect = 18
  case effectSetting = 19
  case take = 20
  case recordingNote = 21
  case transcriptText = 24

  public var entity: any Entity.Type {
    switch self {
    case .track: Track.self
    case .region: Region.self
    case .note: MIDINote.self
    case .audioFile: AudioFile.self
    case .soundFont: SoundFont.self
    case .event: RegionEvent.self
    case .tempoChange: TempoChange.self
    case .meterChange: MeterChange.self
    case .keySignature: KeySignature.self
    case .marker: Marker.self
    case .instrument: Instrument.self
    case .comment: Comment.self
    case .send: Send.self
    case .trackGroup: TrackGroup.self
    case .groupMember: GroupMember.self
    case .lane: Lane.self
    case .lanePoint: LanePoint.self
    case .effect: Effect.self
    case .effectSetting: EffectSetting.self
    case .take: Take.self
    case .recordingNote: RecordingNote.self
    case .transcriptText: TranscriptText.self
    }
  }

  /// The kinds whose removal removes rows of this one: itself, its parents, and theirs.
  public var removers: Set<EntityKind> { Self.allRemovers[self] ?? [] }

  private static let allRemovers = Dictionary(
    uniqueKeysWithValues: allCases.map { kind in
      var found: Set = [kind]
      var open = [kind]
      while let next = open.popLast() {
        open += next.entity.parents.map(\.kind).filter { found.insert($0).inserted }
      }
      return (kind, found)
    })
}

/// Rows of one entity, which is known only at run time.
public struct Rows: Equatable, Sendable {
  public let kind: EntityKind
  let array: any EntityArray

  public init<E: Entity>(_ rows: [E]) {
    kind = E.kind
    array = rows
  }

  /// `nil` if they are of another entity.
  public func of<E: Entity>(_ entity: E.Type) -> [E]? { kind == E.kind ? array as? [E] : nil }

  public static func == (a: Rows, b: Rows) -> Bool {
    func areEqual<E: Entity>(_ entity: E.Type) -> Bool { a.of(entity) == b.of(entity) }
    return a.kind == b.kind && areEqual(a.kind.entity)
  }
}

/// An array of rows whose entity is known only at run time.
protocol EntityArray: Sendable {
  associatedtype Row: Entity
  var rows: [Row] { get }
}

extension Array: EntityArray where Element: Entity {
  var rows: [Element] { self }
}
