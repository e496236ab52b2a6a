import ArgumentParser
import DAWErrors
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

struct AddTempo: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-tempo",
    abstract: "Change the tempo from a position on.",
    discussion: """
      Notes, MIDI regions and whatever else is kept in bars and beats keep them; audio stays at its second, or goes with \
      the beat, by its time base. With --ramp the tempo goes evenly from here to the next change, with --ramp-to to a \
      tempo that begins at --until.

        daw add-tempo 140 --at 5.1.0
        daw add-tempo 120 --at 5.1.0 --ramp-to 90 --until 9.1.0
        daw add-tempo 120 --at @verse --ramp
      """)

  @Argument(help: "Quarter notes per minute: 5 to 999.", transform: Tempo.init(typed:))
  var tempo: Tempo

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where it begins, after the start of the timeline.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition

  @Flag(help: "Go evenly, per tick, to the tempo of the next change.")
  var ramp = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Go evenly, per tick, to this tempo, which begins at --until.", valueName: "tempo"),
    transform: Tempo.init(typed:))
  var rampTo: Tempo?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where --ramp-to arrives.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var until: TypedPosition?

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let timeline = try context.timeline()
    let start = try at.ticks(in: timeline)
    let end = try until?.ticks(in: timeline)
    let next = try view.tempoChange(after: start)
    if let end { try refuseRamp(from: start, to: end, next, in: timeline) }
    let mark = try context.editor.addTempo(tempo, at: start, isRamp: ramp || rampTo != nil)
    let target = try end.flatMap { end in
      try rampTo.map { try context.editor.addTempo($0, at: end, isRamp: false) }
    }
    let map = try view.tempoMap()
    let arrival = target.map {
      ", going to \(Wording.number($0.tempo.bpm)) BPM at \(Wording.place($0.position, in: map))"
    }
    return EditOutcome(
      summary: "Added a tempo of \(Wording.number(tempo.bpm)) BPM at \(Wording.place(mark.position, in: map))"
        + (arrival ?? "") + ".", made: [mark, target].compactMap { $0?.id.uuidString },
      warnings: ramp && next == nil ? [Wording.rampWithoutEnd] : [],
      json: JSONObject([
        "tempo": TempoMapDocument.Tempo(mark, in: map), "target": target.map { TempoMapDocument.Tempo($0, in: map) },
      ]))
  }

  /// Refuses a ramp that does not go forwards, or that another change of tempo would cut short.
  private func refuseRamp(
    from start: TickPosition, to end: TickPosition, _ next: TempoChange?, in timeline: Timeline
  ) throws {
    guard end > start else {
      throw Failure(
        .invalid, code: "invalidRange", "The ramp does not end after its start. Nothing was changed.",
        hint: "Give --until a later position than --at.")
    }
    guard let next, next.position <= end else { return }
    let place = timeline.tempoMap.barBeatTick(at: next.position)
    throw Failure(
      .invalid, code: "invalidRange",
      "The tempo changes at \(place) already, before the ramp would arrive. Nothing was changed.",
      hint: "'daw remove-tempo \(place)' removes that change; with --ramp the tempo goes to it.")
  }

  func validate() throws {
    guard (rampTo == nil) == (until == nil) else {
      throw ValidationError("'--ramp-to' and '--until' go together: --ramp-to 90 --until 9.1.0.")
    }
    if ramp, rampTo != nil { throw Exclusion.error("'--ramp' goes to the next change, and '--ramp-to' makes one.") }
  }
}

struct SetTempo: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-tempo",
    abstract: "Alter a change of tempo.",
    discussion: """
      A change is named by its position or its id. At the start is the project's own tempo.

        daw set-tempo 5.1.0 --bpm 132
        daw set-tempo @start --ramp
        daw set-tempo 5.1.0 --at 7.1.0 --no-ramp
      """)

  @Argument(
    help: ArgumentHelp("Where the tempo changes, or its id.", valueName: "position"), transform: TypedMark.init(typed:))
  var place: TypedMark

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Quarter notes per minute: 5 to 999.", valueName: "tempo"),
    transform: Tempo.init(typed:))
  var bpm: Tempo?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Its new position.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition?

  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive,
    help: "Go evenly, per tick, to the tempo of the next change.")
  var ramp: Bool?

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let timeline = try context.timeline()
    let mark = try place.tempo(in: context.editor, timeline)
    var change = Change<TempoChange>()
    change.set(\.tempo, to: bpm)
    change.set(\.isRamp, to: ramp)
    change.set(\.position, to: try at?.ticks(in: timeline, from: .musical(mark?.position ?? .zero)))
    try context.editor.setTempo(mark, change)
    let position = change[\.position] ?? mark?.position ?? .zero
    let isLast = try view.tempoChange(after: position) == nil
    return EditOutcome(
      summary:
        "Changed the tempo at \(Wording.place(position, in: try view.tempoMap())).",
      warnings: ramp == true && isLast ? [Wording.rampWithoutEnd] : [],
      json: JSONObject(["tempoMap": try context.tempoMapDocument()]))
  }

  func validate() throws {
    if bpm == nil, at == nil, ramp == nil { throw ValidationError("Say what to change: --bpm, --at or --ramp.") }
  }
}

struct RemoveTempo: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-tempo",
    abstract: "Remove changes of tempo, so that the one before goes on.",
    discussion: """
        daw remove-tempo 5.1.0
      """)

  @Argument(
    help: ArgumentHelp("Where the tempo changes, or its id.", valueName: "position"), transform: TypedMark.init(typed:))
  var places: [TypedMark]

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let marks = try places.map { place in
      guard let mark = try place.tempo(in: context.editor, timeline) else {
        throw RuleViolation(
          .tempoPosition, value: "removing the first tempo", accepted: "A project begins with a tempo: set it instead.")
      }
      return mark
    }.uniqued
    try context.editor.removeTempos(marks)
    return EditOutcome(
      summary: "Removed \(counted(marks.count, "change")) of tempo.",
      json: JSONObject(["removed": marks.map(\.id.uuidString), "tempoMap": try context.tempoMapDocument()]))
  }
}

struct ListTempos: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-tempos",
    abstract: "List where the tempo changes, from the start.",
    discussion: """
        daw list-tempos --json
      """)

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let (map, document) = try session.read { (try $0.tempoMap(), try TempoMapDocument($0)) }
    let shortIDs = ShortIDs(document.tempos.compactMap(\.id))
    var table = TextTable(.plain, .plain, .plain, .id)
    for tempo in document.tempos {
      table.add([
        "\(Wording.place(tempo.startTicks, in: map))", "\(Wording.number(tempo.tempo.bpm)) BPM",
        tempo.isRamp ? "ramp" : "", TextTable.Cell(tempo.id.map { shortIDs[$0] } ?? "", .dim),
      ])
    }
    return CommandResult(
      lines: table.lines(), made: document.tempos.compactMap { $0.id?.uuidString }, json: document.tempos)
  }
}
