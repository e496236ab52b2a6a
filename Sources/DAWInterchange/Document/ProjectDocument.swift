import DAWModel
import DAWProject
import DAWStore
import DAWTime

/// A project as JSON: what `daw show --json` prints and `daw new --from` reads. Its keys are never renamed.
///
/// Times are given twice: in seconds for people, and as exact integers, which take precedence when both are read.
@dynamicMemberLookup
public struct ProjectDocument {
  public static let currentFormat = 1

  public var formatVersion = currentFormat
  public var revision: Int64 = 0
  public var id: ProjectID
  /// `nil` if the JSON has none.
  public var createdDate: Timestamp?
  /// ISO 8601 in UTC.
  public var modifiedDate = ""
  public var settings = ProjectSettings()
  public var tempoMap = TempoMapDocument()
  /// In order of position, as the markers are.
  public var keySignatures: [KeySignatureDocument] = []
  public var markers: [MarkerDocument] = []
  /// About the project itself, and about recordings.
  public var comments: [CommentDocument] = []
  public var audioFiles: [AudioFile] = []
  public var soundFonts: [SoundFont] = []
  /// In their order, the master last.
  public var tracks: [TrackDocument] = []
  public var groups: [GroupDocument] = []
  /// In order of their ids.
  public var recordingNotes: [RecordingNoteDocument] = []
  /// In order of their ids.
  public var transcriptTexts: [TranscriptTextDocument] = []
  /// Facts, in no history; `nil` unless they were asked for.
  public var recordings: [RecordingDocument]?
  /// Facts likewise.
  public var transcripts: [TranscriptDocument]?

  public subscript<Value>(dynamicMember path: KeyPath<ProjectSettings, Value>) -> Value { settings[keyPath: path] }
}

extension ProjectDocument: JSONRecord {
  package static var blank: ProjectDocument { ProjectDocument(id: .random()) }

  package static let members: JSONMembers<ProjectDocument> = [
    JSONMember("formatVersion", \.formatVersion),
    JSONMember(derived: "revision", \.revision),
    JSONMember("id", value: \.id) { document, reader in
      if reader.ignoresIDs { return _ = try reader.string() }
      document.id = try ProjectID(from: &reader)
    },
    JSONMember("name", \.settings.name),
    JSONMember("createdDate", value: \.createdDate) { document, reader in
      // An empty one is taken for none.
      if try !reader.skipEmptyString() { document.createdDate = try Timestamp(from: &reader) }
    },
    JSONMember(derived: "modifiedDate", \.modifiedDate),
    JSONMember("tempo", \.settings.tempo),
    JSONMember("timeSignature", \.settings.timeSignature),
    JSONMember("sampleRate", \.settings.sampleRate),
    JSONMember("panLaw", \.settings.panLaw),
    JSONMember("retention", \.settings.retention),
    JSONMember("tempoMap", \.tempoMap),
    JSONMember("keySignatures", \.keySignatures),
    JSONMember("markers", \.markers),
    JSONMember("comments", \.comments),
    JSONMember("audioFiles", \.audioFiles),
    JSONMember("soundFonts", \.soundFonts),
    JSONMember("tracks", \.tracks),
    JSONMember("groups", \.groups),
    JSONMember("recordingNotes", \.recordingNotes),
    JSONMember("transcriptTexts", \.transcriptTexts),
    JSONMember(ifPresent: "recordings", \.recordings),
    JSONMember(ifPresent: "transcripts", \.transcripts),
  ]

  /// - Throws: `JSONError.Problem` for a second master, and for a tempo map that contradicts the settings.
  package mutating func complete() throws {
    guard tracks.count(where: { $0.trackType == .master }) <= 1 else {
      throw JSONError.Problem.value("There is more than one master track.")
    }
    let (tempo, meter) = (tempoMap.tempos.first, tempoMap.meters.first)
    guard tempo.map({ $0.position == .zero && $0.tempo == settings.tempo }) ?? true,
      meter.map({ $0.bar == 1 && $0.timeSignature == settings.timeSignature }) ?? true
    else {
      throw JSONError.Problem.value(
        "The 'tempoMap' does not say the same as 'tempo' and 'timeSignature'. Leave it out to go by those.")
    }
    settings.isTempoRamp = tempo?.isRamp ?? false
  }
}

extension ProjectDocument {
  /// How much of a MIDI region's notes and events a document has.
  public enum Detail {
    /// Their numbers.
    case counts
    /// All of them.
    case all
    /// All of them, fetched when they are written: the document is valid only as long as the view.
    case fetched
  }

  public init(_ view: ProjectView, _ detail: Detail) throws {
    let header = try view.header()
    let map = try view.tempoMap()
    self.init(
      revision: header.revision, id: header.id, createdDate: header.createdDate,
      modifiedDate: header.modifiedDate.iso8601, settings: header.settings)
    tempoMap = try TempoMapDocument(view)
    keySignatures = try view.keySignatures().map { KeySignatureDocument($0, in: map) }
    markers = try view.markers().map { MarkerDocument($0, in: map) }
    audioFiles = try view.audioFiles()
    soundFonts = try view.soundFonts()
    let files = Dictionary(uniqueKeysWithValues: audioFiles.map { ($0.id, $0.location.path) })
    let threads = try CommentDocument.Threads(view, in: map, files: files)
    comments = threads.about() ?? []
    let fonts = Dictionary(uniqueKeysWithValues: soundFonts.map { ($0.id, $0.location.path) })
    let regions = Dictionary(grouping: try view.regions(), by: \.track)
    let instruments = Dictionary(uniqueKeysWithValues: try view.all(Instrument.self).map { ($0.track, $0) })
    let rows = try view.tracks()
    let lanes = try ProjectLanes(view.all(), view, in: map, includesPoints: detail != .counts)
    let routing = try ProjectRouting(view, rows, lanes)
    groups = routing.groups
    let effects = try ProjectEffects(view, rows, lanes)
    recordingNotes = try view.all().map { RecordingNoteDocument(row: $0) }
    transcriptTexts = try view.all().map { TranscriptTextDocument(row: $0) }
    let takes = Dictionary(grouping: try view.all(Take.self), by: \.track)
    tracks = try rows.enumerated().map { index, track in
      var document = TrackDocument(track, index: index, instruments[track.id]) { fonts[$0] }
      document.add(routing.of(track.id))
      document.effects = effects.of(track.id)
      document.comments = threads.about(track: track.id)
      document.lanes = lanes.of(.track(track.id))
      document.takes = takes[track.id]?.map { TakeDocument(row: $0) }
      document.regions = try regions[track.id, default: []].map { region in
        var document = try RegionDocument(
          region, in: map, audioFile: region.audio.flatMap { files[$0.file] }, view, detail)
        document.comments = threads.about(region: region.id)
        return document
      }
      return document
    }
  }
}

extension Session {
  /// The whole project as `daw show --json` prints it.
  /// - Throws: `Failure`.
  public func projectDocument(includesNotes: Bool) throws -> ProjectDocument {
    try read { try ProjectDocument($0, includesNotes ? .all : .counts) }
  }

  /// Writes the whole project, notes included, as JSON, in memory that does not depend on their number.
  /// - Parameters:
  ///   - includesFacts: with what is known about recordings, and transcripts.
  ///   - write: is given the text in order.
  /// - Throws: `Failure`, and what `write` throws.
  public func writeDocument(includesFacts: Bool = false, _ write: @escaping (String) throws -> Void) throws {
    try read { view in
      var document = try ProjectDocument(view, .fetched)
      if includesFacts { try document.addFacts(view) }
      try JSONWriter.write(document, to: write)
    }
  }
}
