import ArgumentParser
import DAWInterchange
import DAWProject

struct ListNotes: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-notes",
    abstract: "List notes in order of their position on the timeline.",
    discussion: """
        daw list-notes --region Keys/Verse
        daw list-notes --from 3.1.0 --to 5.1.0 --pitch C4..B4
        daw list-notes --track Keys --limit 100 --json
      """)

  @Option(help: "Only those of this region.")
  var region: String?

  @Option(help: "Only those of this track.")
  var track: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only what ends after this position.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var from: TypedPosition?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only what begins before this position.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var to: TypedPosition?

  @Flag(help: "Only what begins in the range, not what merely sounds in it.")
  var starts = false

  @OptionGroup var match: NoteMatchOptions

  @OptionGroup var most: LimitOptions

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let (entries, shortIDs) = try session.read { view in
      let timeline = try Timeline(view)
      let range = try TimelineRange(from, to, in: timeline)
      try match.refuseImpossible()
      let entries = try view.noteEntries(
        region: region, track: track, from: range.from, to: range.to,
        isStarting: starts, pitches: match.pitch?.numbers, velocities: match.velocity?.numbers,
        channels: match.channel?.indices, limit: most.limit)
      // Only text has short ids, and looking for them reads the ids of all notes.
      let isText = project.output.form == .text
      return (entries, isText ? try ShortIDs(entries.map(\.note.id), among: view.noteIDs()) : ShortIDs())
    }
    var table = TextTable(.plain, .plain, .plain, .plain, .plain, .text)
    for entry in entries {
      table.add([
        "\(Wording.time(entry.timelineTime))", "\(Pitch.name(of: entry.note.pitch))",
        "for \(Wording.time(entry.note.duration))",
        "velocity \(entry.note.velocity)", "channel \(entry.note.channel + 1)", "\(entry.track)/\(entry.region)",
        TextTable.Cell(shortIDs[entry.note.id], .dim),
      ])
    }
    return CommandResult(
      lines: entries.isEmpty ? ["No such notes."] : table.lines(), made: entries.map(\.note.id.uuidString),
      json: entries)
  }
}
