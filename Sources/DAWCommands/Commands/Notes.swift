import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

struct AddNote: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-note",
    abstract: "Add a note to a MIDI region.",
    discussion: """
      Positions are distances from the region's start.

        daw add-note Keys/Verse C4
        daw add-note Keys/Verse F#3 --at 1.2.0 --length 0.1.0 --velocity 100
      """)

  @Argument(help: "The region: TRACK/NAME, a name that only one region has, or an id.")
  var region: String

  @Argument(help: "0 to 127, or a name such as C4 (60, middle C), F#3, Bb-1.", transform: Pitch.init(typed:))
  var pitch: Pitch

  @OptionGroup var settings: NoteOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let region = try view.region(calledBy: region)
    let clock = NoteClock(region, try context.timeline())
    let start = try settings.at?.start(in: clock) ?? .zero
    let draft = NoteDraft(
      pitch: pitch.number, velocity: settings.velocity ?? 80, start: start,
      duration: try clock.duration(settings.length ?? .quarter, from: start),
      channel: settings.channel?.index ?? 0, releaseVelocity: settings.releaseVelocity)
    let entries = try view.entries(of: try context.editor.addNotes(to: region, [draft]))
    let ids = entries.map(\.note.id.uuidString)
    return EditOutcome(
      summary: "Added note \(Pitch.name(of: pitch.number)) to region '\(region.name)' (id \(ids.joined())).",
      made: ids, json: JSONObject(["note": entries.first]))
  }
}

extension AddNote: PlainlyTyped {
  static let plainArguments: [PlainAssignment<Self>] = [
    { $0.region = $1 }, { $0.pitch = try Pitch(typed: $1) },
  ]

  static let plainOptions: [String: PlainAssignment<Self>] = [
    "--at": { $0.settings.at = try TypedRegionPlace(typed: $1) },
    "--length": { $0.settings.length = try TypedDistance(typed: $1) },
    "--velocity": { $0.settings.velocity = try Int(typed: $1) },
    "--channel": { $0.settings.channel = try Channel(typed: $1) },
    "--release-velocity": { $0.settings.releaseVelocity = try Int(typed: $1) },
  ]
}

struct AddNotes: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-notes",
    abstract: "Add many notes to a MIDI region at once.",
    discussion: """
      Reads CSV with a header, or JSON lines. The columns pitch, start, length, velocity and channel take what 'add-note' \
      takes; startTime and duration take bare seconds, startTicks and durationTicks bare ticks. Columns may be left out. \
      In JSON lines the keys are those of 'daw show --json --notes', and channels count from 0; an id there is not kept, \
      since the notes are new.

        daw add-notes Keys/Verse notes.csv
        printf 'pitch,start\\nC4,0b\\nE4,1b\\n' | daw add-notes Keys/Verse
      """)

  @OptionGroup var list: ItemListOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let input = try list.read(in: context)
    let list = try NoteList(input.bytes, name: input.name)
    let added = try context.editor.addNotes(to: input.region, list.drafts(input.clock), listedOn: list.lineNumbers)
    return try input.outcome("note", added.map { $0.id.uuidString }, in: context)
  }
}

struct SetNote: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-note",
    abstract: "Change notes.",
    discussion: """
        daw set-note 64617703-0000-8000-8000-0a1b2c3d4e5f --velocity 100
        daw set-note 64617703-0000-8000-8000-0a1b2c3d4e5f --at -10ms
      """)

  @Argument(help: "The notes: their ids, or the ends of these that 'daw list-notes' shows.")
  var notes: [String]

  @Option(
    parsing: .unconditional, help: ArgumentHelp("0 to 127, or a name such as C4.", valueName: "pitch"),
    transform: Pitch.init(typed:))
  var pitch: Pitch?

  @OptionGroup var settings: NoteOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let timeline = try context.timeline()
    let changed = try notes.completed(among: view.noteIDs).flatMap { reference in
      let note = try view.note(calledBy: reference)
      var change = settings.change
      change.set(\.pitch, to: pitch?.number)
      if settings.at != nil || settings.length != nil, let region = try view.region(note.region) {
        let clock = NoteClock(region, timeline)
        let start = try settings.at?.start(in: clock, from: note.start)
        change.set(\.start, to: start)
        change.set(\.duration, to: try settings.length.map { try clock.duration($0, from: start ?? note.start) })
      }
      return try context.editor.setNotes([reference], change)
    }
    return EditOutcome(
      summary: "Changed \(counted(changed.count, "note")).",
      json: JSONObject(["notes": try view.entries(of: changed)]))
  }

  func validate() throws {
    if settings.isEmpty, pitch == nil {
      throw ValidationError("Say what to change: --pitch, --at, --length, --velocity, --channel or --release-velocity.")
    }
  }
}

struct RemoveNote: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-note",
    abstract: "Remove notes.",
    discussion: """
        daw remove-note 64617703-0000-8000-8000-0a1b2c3d4e5f
        daw remove-note $(daw list-notes --region Keys/Verse --pitch C4 -q)
      """)

  @Argument(help: "The notes: their ids, or the ends of these that 'daw list-notes' shows.")
  var notes: [String]

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let removed = try context.editor.removeNotes(notes)
    return EditOutcome(
      summary: "Removed \(counted(removed.count, "note")).", json: JSONObject(["removed": removed.map(\.id.uuidString)])
    )
  }
}

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

  @OptionGroup var range: ListRangeOptions
  @OptionGroup var match: NoteMatchOptions

  @OptionGroup var most: LimitOptions

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let (entries, shortIDs) = try session.read { view in
      let timeline = try session.timeline(of: view)
      let ticks = try range.ticks(in: timeline)
      try match.refuseImpossible()
      let entries = try view.noteEntries(
        region: region, track: track, from: ticks.from, to: ticks.to,
        isStarting: range.starts, pitches: match.pitch?.numbers, velocities: match.velocity?.numbers,
        channels: match.channel?.indices, limit: most.limit)
      // Only text has short ids, and looking for them reads the ids of all notes.
      let isText = project.output.form == .text
      return (entries, isText ? try ShortIDs(entries.map(\.note.id), among: view.noteIDs()) : ShortIDs())
    }
    var table = TextTable(.plain, .plain, .plain, .plain, .plain, .text, .id)
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
