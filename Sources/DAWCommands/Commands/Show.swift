import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

struct Show: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the whole project as a tree, or a part of it.",
    discussion: """
      Copies of a region that lie end to end are one line; 'daw list-regions' lists each. With --json it prints every \
      stored field; 'daw new --from' makes a project of that again, with --recordings also what is known about \
      recordings, and transcripts.

        daw show
        daw show --track Keys --from 9.1.0 --to 17.1.0 --notes
        daw show --json --notes > song.json
        daw show --json --notes --recordings > all.json
      """)

  @Flag(help: "List every note, rather than counting them; with --json also events and points.")
  var notes = false

  @Flag(help: "With --json of the whole project: also recordings and transcripts.")
  var recordings = false

  @Option(help: "Only this track; may be repeated.")
  var track: [String] = []

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only what ends after this position.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var from: TypedPosition?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only what begins before this position.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var to: TypedPosition?

  @OptionGroup var project: ProjectOptions

  private var isWhole: Bool { track.isEmpty && from == nil && to == nil }

  func validate() throws {
    if recordings, !project.output.json || !isWhole {
      throw ValidationError("'--recordings' goes with --json, and without --track, --from and --to.")
    }
  }

  func perform(on session: Session) throws -> CommandResult {
    if notes, project.output.json, isWhole {
      try session.writeDocument(includesFacts: recordings, Console.write(json:))
      return CommandResult(text: "", json: JSONObject([:]), isPrinted: true)
    }
    let (part, map) = try session.read { view in
      var document = try ProjectDocument(view, notes ? .all : .counts)
      if recordings { try document.addFacts(view) }
      let timeline = try session.timeline(of: view)
      if !track.isEmpty {
        let chosen = Set(try track.map { try view.track(calledBy: $0).id })
        document.tracks.removeAll { track in !chosen.contains(track.row.id) }
      }
      _ = try TimelineRange(from, to, in: timeline)
      document.keep(from: try from?.flicks(in: timeline).seconds, to: try to?.flicks(in: timeline).seconds)
      return (document, timeline.tempoMap)
    }
    guard !project.output.json else { return CommandResult(lines: [String](), made: [part.id.uuidString], json: part) }
    let presets = session.presetNames(ofSoundFonts: part.tracks.compactMap(\.instrument?.soundFont))
    return CommandResult(
      lines: ProjectTree(document: part, folder: session.folder, map: map, presets: presets).lines,
      made: [part.id.uuidString], json: part)
  }
}

extension ProjectDocument {
  /// Leaves out what does not lie in a range; a tempo and a meter stay, since they hold later too.
  /// - Parameters:
  ///   - from: seconds.
  ///   - to: seconds.
  fileprivate mutating func keep(from: Double?, to: Double?) {
    guard from != nil || to != nil else { return }
    let (from, to) = (from ?? 0, to ?? .infinity)
    func isOutside(_ start: Double, _ duration: Double) -> Bool {
      start >= to || start + duration <= from && (duration > 0 || start < from)
    }
    markers.removeAll { isOutside($0.startTime, $0.length.seconds ?? 0) }
    keySignatures.removeAll { isOutside($0.startTime, 0) }
    for index in tracks.indices {
      tracks[index].regions?.removeAll { isOutside($0.startTime, $0.duration) }
      for region in (tracks[index].regions ?? []).indices {
        let start = tracks[index].regions?[region].startTime ?? 0
        tracks[index].regions?[region].notes?.remove { isOutside(start + $0.startTime, $0.duration) }
        tracks[index].regions?[region].events?.remove { isOutside(start + $0.startTime, 0) }
      }
    }
  }
}
