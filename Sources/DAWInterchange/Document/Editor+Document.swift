import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation

extension Editor {
  /// Adds everything that a document has, but for notes and events, to an empty project.
  /// - Parameter recordings: the folders of recordings that the project has.
  /// - Returns: the lists of notes and events that are to be added, and the media that were not found as they were
  ///   recorded, in sentences.
  /// - Throws: `Failure`, and what edits throw.
  func add(
    _ document: ProjectDocument, media: MediaFolder, recordings: Set<String>
  ) throws -> (contents: UnreadContents, missing: [String]) {
    var missing: [String] = []
    let fonts = try add(document.soundFonts, \.id, \.location, from: media, recordings, missing: &missing)
    let files = try add(document.audioFiles, \.id, \.location, from: media, recordings, missing: &missing)
    let file = { try self.known($0, among: files, "audio file") }
    try addTimeline(of: document)
    var contents = UnreadContents(map: try tempoMap())
    var key: OrderKey?
    var tracks: [(id: TrackID, document: TrackDocument)] = []
    for (trackIndex, track) in document.tracks.enumerated() {
      let row = try add(track, after: &key, fonts)
      tracks.append((row, track))
      let documents = track.regions ?? []
      var regions = try documents.map { document in
        try document.region(in: contents.map, file: file)
      }
      let takes = try add(track.takes ?? [], to: row)
      for (index, document) in documents.enumerated() {
        regions[index].track = row
        regions[index].take = try document.take.map { try known($0, in: takes, "take") }
      }
      regions = try add(regions, \.id)
      try add(track.comments, track: row, in: contents.map, file: file)
      try add(track.lanes, of: .track(row), in: contents.map)
      for (index, document) in documents.enumerated() {
        try add(document.comments, region: regions[index].id, in: contents.map, file: file)
        contents.add(document, of: regions[index], "tracks[\(trackIndex)].regions[\(index)]")
      }
    }
    try addRouting(of: document, tracks, in: contents.map)
    try addEffects(of: tracks, in: contents.map)
    try add(document.comments, in: contents.map, file: file)
    try add(document.recordingNotes.map(\.row), \.id)
    try add(document.transcriptTexts.map(\.row), \.id)
    note("Made the project from JSON")
    return (contents, missing)
  }

  /// Adds the rows of the timeline, tempo and meter first, since all other positions depend on them.
  private func addTimeline(of document: ProjectDocument) throws {
    try add(document.tempoMap.tempos.dropFirst().map(\.row), \.id)
    try add(document.tempoMap.meters.dropFirst().map(\.row), \.id)
    try add(document.keySignatures.map(\.row), \.id)
    let map = try tempoMap()
    try add(document.markers.map { try $0.marker(in: map) }, \.id)
  }

  /// - Parameter key: of the track before; `nil` for the first.
  private func add(
    _ document: TrackDocument, after key: inout OrderKey?, _ fonts: [String: [SoundFontID]]
  ) throws -> TrackID {
    var track = document.row
    if track.trackType != .audio { track.channelCount = track.channelCount ?? 2 }
    if track.trackType == .master {
      track.orderKey = .master
      track.id = try view.master().id
      try apply(.set(track))
    } else {
      track.orderKey = .between(key, nil)
      key = track.orderKey
      track = try add([track], \.id)[0]
    }
    if var instrument = document.instrument?.row {
      instrument.id = InstrumentID(of: track.id)
      instrument.soundFont = try document.instrument?.soundFont.map { try known($0, among: fonts, "SoundFont") }
      try apply(.add(instrument))
    } else if track.trackType == .midi {
      try apply(.add(Instrument(of: track.id)))
    }
    return track.id
  }

  /// - Returns: their ids, by those in the JSON.
  private func add(_ takes: [TakeDocument], to track: TrackID) throws -> [String: TakeID] {
    var rows = takes.map(\.row)
    for index in rows.indices { rows[index].track = track }
    let ids = try add(rows, \.id).map(\.id)
    return Dictionary(zip(takes.map(\.writtenID), ids)) { first, _ in first }
  }

  /// Adds rows. Those without an id get new ones.
  @discardableResult
  func add<Row: Entity>(_ rows: [Row], _ id: WritableKeyPath<Row, Identifier<Row>>) throws -> [Row] {
    guard !rows.isEmpty else { return rows }
    var rows = rows
    if rows.contains(where: { $0.id.rawValue == 0 }) {
      let highest = rows.map(\.id).max() ?? Identifier(rawValue: 0)
      var next = max(try newID(of: Row.self), highest.advanced(by: 1))
      for index in rows.indices where rows[index].id.rawValue == 0 {
        rows[index][keyPath: id] = next
        next = next.advanced(by: 1)
      }
    }
    // One by one if they are few: rules that compare rows see only those that are there.
    if Row.self is any Content.Type || Row.self == Region.self {
      try apply(.add(rows))
    } else {
      for row in rows { try apply(.add(row)) }
    }
    return rows
  }

  /// Adds media, copied from the JSON's folder if their bytes are those recorded.
  /// - Returns: their ids, by the paths in the JSON.
  private func add<Row: Medium>(
    _ media: [Row], _ id: WritableKeyPath<Row, Identifier<Row>>, _ location: WritableKeyPath<Row, MediaLocation>,
    from folder: MediaFolder, _ recordings: Set<String>, missing: inout [String]
  ) throws -> [String: [Identifier<Row>]] {
    var ids: [String: [Identifier<Row>]] = [:]
    for var medium in media {
      let path = medium.location.path
      let (found, problem) =
        isThere(medium.location, in: recordings)
        ? (medium.location, nil) : try bringIn(medium.location, from: folder)
      medium[keyPath: location] = found
      if let problem { missing.append(problem) }
      ids[path, default: []].append(try add([medium], id)[0].id)
    }
    return ids
  }

  /// The medium at a path, by which the JSON refers to it.
  private func known<ID>(_ path: String, among media: [String: [ID]], _ noun: String) throws -> ID {
    let ids = media[path] ?? []
    guard ids.count < 2 else {
      throw Failure(
        .invalid, code: "invalidJSON",
        "The JSON lists \(ids.count) \(noun)s at '\(path)', and refers to one of them by that path alone. Nothing was made.",
        hint: "Give each a path of its own there, and in what refers to it; the SHA-256 tells which file is which.")
    }
    return try known(path, in: ids.first.map { [path: $0] } ?? [:], noun)
  }

  private func known<ID>(_ path: String, in table: [String: ID], _ noun: String) throws -> ID {
    guard let id = table[path] else {
      throw Failure.notInJSON(noun, path)
    }
    return id
  }

  /// Whether a take was copied with its recording.
  private func isThere(_ location: MediaLocation, in recordings: Set<String>) -> Bool {
    !location.isLinked && recordings.contains(Path.folder(of: location.path))
      && folder.state(of: location, isThorough: true) == .asRecorded
  }

  /// Copies a media file from the JSON's folder, if its bytes are those recorded.
  private func bringIn(_ location: MediaLocation, from media: MediaFolder) throws -> (MediaLocation, String?) {
    guard !location.isLinked else {
      let state = folder.state(of: location, isThorough: true)
      return (
        location, state == .asRecorded ? nil : "'\(location.path)' is linked, and is not there as it was recorded"
      )
    }
    let (source, isThere) = try media.find(location.path)
    guard isThere else { return (location, "'\(source)' is missing") }
    let bytes: IncomingMedia.Bytes
    do {
      bytes = try incoming.copy(of: source)
    } catch let error as AudioFileError {
      return (location, "'\(error.path)', of the take '\(source)', is missing or not as it was recorded")
    }
    guard bytes.digest.sha256 == location.sha256, let copy = bytes.copy else {
      return (location, "'\(source)' is not the file that was recorded (SHA-256 \(location.sha256))")
    }
    let path = try incoming.keep(copy: copy, as: (location.path as NSString).lastPathComponent)
    var brought = location
    brought.path = path
    brought.byteCount = bytes.digest.byteCount
    return (brought, nil)
  }
}

extension Failure {
  /// The JSON refers to what it does not have.
  /// - Parameter name: or its path, or id.
  static func notInJSON(_ noun: String, _ name: String) -> Failure {
    Failure(
      .invalid, code: "invalidJSON", "The JSON refers to the \(noun) '\(name)', which it does not list.",
      hint: "List it there, or take out what refers to it. Nothing was made.")
  }
}
