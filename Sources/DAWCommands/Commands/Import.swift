import ArgumentParser
import DAWErrors
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime
import Glibc

struct Import: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Bring in audio files and Standard MIDI Files.",
    discussion: """
      An audio file gets a track of its own, named after it; a name that is taken gets a number. With --track all go on \
      one track, one behind the other. Of a file with more than two channels, --channels chooses those that are heard; \
      brought in again, with others, it is kept once.

      A MIDI file gets a track for each of its tracks, or of its channels where all are on one. With --track all of it \
      goes on that track. Its tempo, meters and key signatures are taken where the project has no region yet and its own \
      are those of a new project, or with --tempo-map.

      If no track has the name that --track gives, it is made, with a warning.

        daw import stems/*.wav
        daw import choir.flac --at 9.1.0
        daw import take1.wav take2.wav --track Voice
        daw import surround.wav --channels 1,2 --track Front
        daw import song.mid
        daw import broken.mid --lenient --dry-run
      """)

  @Argument(
    help: "Audio files, of any format that libsndfile or ffmpeg reads, and MIDI files of format 0, 1 or 2.",
    completion: .file())
  var files: [String]

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where they begin; else at the start.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition?

  @Option(help: "Put them on this track, rather than on one for each; it is made where there is none.")
  var track: String?

  @Flag(help: "Leave audio files where they are, rather than copying them into the project.")
  var link = false

  @OptionGroup var channels: ChannelOptions

  @Flag(help: "Take a MIDI file's tempo, meters and key signatures in place of the project's, from where it begins.")
  var tempoMap = false

  @Flag(help: "Take what can be read of a broken MIDI file, and say what cannot.")
  var lenient = false

  @OptionGroup var edit: EditOptions

  static func mayBringInFiles(_ words: [String]) -> Bool { true }

  var incomingFiles: [IncomingFile] {
    files.filter { !isMIDIFile($0) }.map { IncomingFile(path: $0, isLinked: link) }
  }

  func perform(in context: EditContext) throws -> EditOutcome {
    let editor = context.editor
    let timeline = try context.timeline()
    var placement = RegionPlacement()
    placement.start = try at?.position(in: timeline)
    placement.channels = channels.channel
    try refuseUselessOptions(in: context)
    let start = try at?.ticks(in: timeline)
    var added: [AddedAudioRegion] = []
    var songs: [ImportedMIDIFile] = []
    for file in files {
      if isMIDIFile(context.path(file)) {
        songs.append(try importMIDI(context.path(file), at: start, with: editor))
        continue
      }
      let next =
        if let track {
          try editor.importAudio(file: context.path(file), isLinked: link, to: track, placement)
        } else {
          try editor.importAudio(file: context.path(file), isLinked: link, placement)
        }
      added.append(next)
      if track != nil { placement.start = .absolute(next.region.endFlicks(in: try editor.view.tempoMap())) }
    }
    let regions = added.map(\.region) + songs.flatMap(\.regions)
    return EditOutcome(
      summary: try summary(added, songs, in: editor), made: regions.map(\.id.uuidString),
      warnings: added.flatMap(\.imported.warnings) + songs.flatMap(\.warnings),
      ifUnchanged: "Nothing was changed.",
      json: JSONObject([
        "regions": try regions.map { try editor.view.entry(of: $0) }, "midiFiles": songs.map(MIDIFileEntry.init),
      ]))
  }

  /// Refuses options that are for none of the files: `--channels`, too, since MIDI files have channels of another kind.
  private func refuseUselessOptions(in context: EditContext) throws {
    let paths = files.map(context.path)
    let (hasMIDI, hasAudio) = (paths.contains(where: isMIDIFile), !paths.allSatisfy(isMIDIFile))
    if !hasAudio, channels.channel != nil {
      throw Failure(
        .usage, code: "audioOnlyOption",
        "'--channels' chooses among the channels of audio files, and there is none here. Nothing was changed.",
        hint: "All of a MIDI file comes in, a track for each of its tracks or channels.")
    }
    if !hasAudio, link {
      throw Failure(
        .usage, code: "audioOnlyOption",
        "'--link' leaves audio files where they are, and there is none here. Nothing was changed.",
        hint: "Of a MIDI file the project has all that it says; the file itself is not needed then.")
    }
    // What is not there is named as that.
    if !hasMIDI, tempoMap || lenient, paths.allSatisfy({ access($0, F_OK) == 0 }) {
      throw Failure(
        .usage, code: "midiOnlyOption",
        "'\(tempoMap ? "--tempo-map" : "--lenient")' is for MIDI files, and there is none here. Nothing was changed.",
        hint: "A file is one by what it begins with, or by its ending: .mid, .midi, .kar or .rmi.")
    }
  }

  private func importMIDI(
    _ path: String, at start: TickPosition?, with editor: Editor
  ) throws -> ImportedMIDIFile {
    var request = MIDIImportRequest(path: path)
    request.start = start ?? .zero
    request.track = track
    request.takesTempoMap = tempoMap
    request.isLenient = lenient
    return try editor.importMIDIFile(request)
  }

  private func summary(_ added: [AddedAudioRegion], _ songs: [ImportedMIDIFile], in editor: Editor) throws -> String {
    let tracks =
      try added.map(\.track.name.text)
      + songs.flatMap(\.regions).compactMap {
        try editor.view.track($0.track)?.name.text
      }
    let distinct = tracks.uniqued
    let shown = distinct.prefix(8).map { "'\($0)'" } + (distinct.count > 8 ? ["\(distinct.count - 8) more"] : [])
    var text = "Brought in \(counted(files.count, "file")), on \(shown.joined(separator: ", "))."
    if distinct.isEmpty { text = "Brought in \(counted(files.count, "file")): nothing that makes a region." }
    for song in songs {
      text +=
        " \(counted(song.noteCount, "note")), \(counted(song.eventCount, "event")), "
        + "\(counted(song.markerCount, "marker"))\(song.hasTempoMap ? ", tempo and meter" : "")."
    }
    return text
  }
}

/// What a MIDI file brought, as JSON.
private struct MIDIFileEntry: JSONEncoded {
  var path: String
  var format: Int
  var division: String
  var tracks: [String]
  var noteCount: Int
  var eventCount: Int
  var markerCount: Int
  var hasTempoMap: Bool

  init(_ song: ImportedMIDIFile) {
    path = song.path
    format = song.format
    division = song.division
    tracks = song.tracks.map(\.id.uuidString)
    noteCount = song.noteCount
    eventCount = song.eventCount
    markerCount = song.markerCount
    hasTempoMap = song.hasTempoMap
  }
}
