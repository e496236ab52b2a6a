import DAWModel
import DAWStore
import DAWTime

/// A region as JSON. Of the integers only those of its own clocks are there.
@dynamicMemberLookup
public struct RegionDocument {
  /// Without its times and its content, when it was read.
  public var row: Region
  public var regionType: RegionType?
  public var timeBase: TimeBase?
  public var start = WrittenTime(seconds: 0)
  public var length = WrittenTime(seconds: 1)
  /// The path of one of the project's `audioFiles`; `nil` in a MIDI region.
  public var audioFile: String?
  /// Seconds from the file's start; `nil` in a MIDI region.
  public var audioOffset: Double?
  public var audioOffsetFlicks: Int64?
  public var channels: ChannelSelection?
  /// `nil` in a MIDI region.
  public var isReversed: Bool?
  /// The id of one of the track's takes; `nil` if it is a part of none.
  public var take: String?
  /// `nil` if there is none, as `fadeOut`.
  public var fadeIn: FadeDocument?
  public var fadeOut: FadeDocument?
  /// The notes of a MIDI region.
  public var notes: RegionContents<NoteDocument>?
  /// The events of a MIDI region.
  public var events: RegionContents<EventDocument>?
  /// `nil` if there are none.
  public var comments: [CommentDocument]?

  public subscript<Value>(dynamicMember path: KeyPath<Region, Value>) -> Value { row[keyPath: path] }

  /// Seconds on the timeline.
  public var startTime: Double { start.seconds ?? 0 }
  /// Seconds.
  public var duration: Double { length.seconds ?? 0 }
}

/// A region's notes or events. There may be millions, so they are read when they are needed.
public enum RegionContents<Item> {
  /// Only their number.
  case counted(Int)
  case listed([Item])
  /// They are still in the project.
  case stored(() throws -> [Item])
  /// They are still in the JSON.
  case unread(offset: Int64)

  /// 0 if they are not here.
  public var count: Int {
    switch self {
    case .counted(let count): count
    case .listed(let items): items.count
    case .stored, .unread: 0
    }
  }

  /// Whether they are here.
  public var isListed: Bool { if case .listed = self { true } else { false } }

  /// Removes some of those that are here.
  public mutating func remove(where isRemoved: (Item) -> Bool) {
    if case .listed(let items) = self { self = .listed(items.filter { !isRemoved($0) }) }
  }

  /// Empty if they are not here.
  public var items: [Item] { if case .listed(let items) = self { items } else { [] } }
}

extension RegionContents: JSONWritable where Item: JSONWritable {
  package func write(to writer: inout JSONWriter) throws {
    switch self {
    case .listed(let items): try writer.array(items)
    case .stored(let fetch): try writer.array(fetch())
    case .counted, .unread: writer.null()
    }
  }
}

extension RegionDocument: JSONRecord {
  package static var blank: RegionDocument { RegionDocument(row: .init(blank: RegionID(rawValue: 0))) }

  package static let members = JSONMembers<RegionDocument>(
    JSONMember.start(\.start) + JSONMember.length(\.length) + contents("notes", count: "noteCount", \.notes)
      + contents("events", count: "eventCount", \.events) + [
        JSONMember(id: \.row.id),
        JSONMember("name", \.row.name),
        JSONMember("regionType", \.regionType),
        JSONMember("timeBase", \.timeBase),
        JSONMember("audioFile", \.audioFile),
        JSONMember("audioOffset", \.audioOffset),
        JSONMember(ifPresent: "audioOffsetFlicks", \.audioOffsetFlicks),
        JSONMember("channels", \.channels),
        JSONMember("color", \.row.color),
        JSONMember("gain", \.row.gain),
        JSONMember("isMuted", \.row.isMuted),
        JSONMember("take", \.take),
        JSONMember("isInUse", \.row.isInUse),
        JSONMember(ifPresent: "isReversed", \.isReversed),
        JSONMember(ifPresent: "fadeIn", \.fadeIn),
        JSONMember(ifPresent: "fadeOut", \.fadeOut),
        JSONMember(ifPresent: "comments", \.comments),
      ])

  /// Refuses notes and events whose number alone is there.
  package func complete() throws {
    if case .counted(let count) = notes { throw JSONError.Problem.onlyCounted("notes", count) }
    if case .counted(let count) = events { throw JSONError.Problem.onlyCounted("events", count) }
  }

  /// A list, and the number that stands in its place where it is not asked for.
  private static func contents<Item: JSONRecord>(
    _ name: String, count: String, _ path: any WritableKeyPath<RegionDocument, RegionContents<Item>?> & Sendable
  ) -> [JSONMember<RegionDocument>] {
    [
      JSONMember(name) { region -> RegionContents<Item>? in
        if case .counted = region[keyPath: path] { nil } else { region[keyPath: path] }
      } read: { region, reader in
        region[keyPath: path] = .unread(offset: try reader.skipArray())
      },
      JSONMember(count) { region -> Int? in
        if case .counted(let count) = region[keyPath: path] { count } else { nil }
      } read: { region, reader in
        let count = Int(try reader.integer())
        // The list may come before or behind it.
        if count > 0, region[keyPath: path] == nil { region[keyPath: path] = .counted(count) }
      },
    ]
  }
}

extension RegionDocument {
  public init(
    _ region: Region, in map: TempoMap, audioFile: String?, _ view: ProjectView, _ detail: ProjectDocument.Detail
  ) throws {
    row = region
    regionType = region.regionType
    timeBase = region.start.timeBase
    start = WrittenTime(region.start, in: map)
    length = WrittenTime(region.duration, seconds: region.endFlicks(in: map) - region.startFlicks(in: map))
    self.audioFile = audioFile
    audioOffset = region.audio?.offset.seconds
    audioOffsetFlicks = region.audio?.offset.flicks
    channels = region.audio?.channels
    isReversed = region.audio?.isReversed
    take = region.take?.uuidString
    fadeIn = FadeDocument(region.fadeIn)
    fadeOut = FadeDocument(region.fadeOut)
    guard region.regionType == .midi else { return }
    let base = map.ticks(at: region.start)
    let fetchNotes = { try view.notes(in: region.id).map { NoteDocument($0, regionStart: base, in: map) } }
    let fetchEvents = { try view.events(in: region.id).map { EventDocument($0, regionStart: base, in: map) } }
    switch detail {
    case .counts:
      notes = .counted(try view.noteCount(region.id))
      events = .counted(try view.eventCount(region.id))
    case .all:
      notes = .listed(try fetchNotes())
      events = .listed(try fetchEvents())
    case .fetched:
      notes = .stored(fetchNotes)
      events = .stored(fetchEvents)
    }
  }

  /// The region that was read.
  /// - Parameter file: finds one of the project's audio files.
  /// - Throws: `RuleViolation` beyond the timeline's end, and what `file` throws.
  func region(in map: TempoMap, file: (String) throws -> AudioFileID) throws -> Region {
    var region = row
    let type = regionType ?? (audioFile == nil ? .midi : .audio)
    region.start = try start.position(timeBase ?? (type == .midi ? .musical : .absolute), in: map)
    switch type {
    case .midi:
      guard case .musical(let length) = try length.length(from: .musical(map.ticks(at: region.start)), in: map) else {
        break
      }
      region.content = .midi(length)
    case .audio:
      let start = TimelinePosition.absolute(map.flicks(at: region.start))
      guard case .absolute(let length) = try length.length(from: start, in: map) else { break }
      let offset = try audioOffsetFlicks.map(FlickCount.init(flicks:)) ?? FlickCount(written: audioOffset ?? 0)
      region.content = .audio(
        AudioSpan(
          file: try file(audioFile ?? ""), offset: offset, duration: length, channels: channels ?? .all,
          isReversed: isReversed ?? false))
    }
    region.fadeIn = try fadeIn?.fade(in: map) ?? .none
    region.fadeOut = try fadeOut?.fade(in: map) ?? .none
    return region
  }
}
