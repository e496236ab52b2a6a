import ArgumentParser
import DAWModel
import DAWProject
import DAWTime

/// Where notes are moved or copied to.
struct NoteDestinationOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where the first of them shall begin: 9.1.0.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How far from where they are: 4b, 1.0.0, -0.1.0.", valueName: "distance"),
    transform: TypedShift.init(typed:))
  var by: TypedShift?

  @Option(help: ArgumentHelp("The region that they shall be in; else each stays in its own.", valueName: "region"))
  var into: String?

  /// The rhythm stays: all notes go as many ticks as the first of them.
  func destination(of chosen: [ChosenNotes], in context: EditContext) throws -> NoteDestination {
    let view = context.editor.view
    let timeline = try context.timeline()
    let first = chosen.flatMap { notes in notes.notes.prefix(1).map { notes.start + $0.start } }.min() ?? .zero
    var destination = NoteDestination(shift: try shift(from: first, in: timeline))
    if let into {
      let region = try view.region(calledBy: into)
      destination.region = region.id
      destination.regionStart = timeline.tempoMap.ticks(at: region.start)
    }
    return destination
  }

  private func shift(from first: TickPosition, in timeline: Timeline) throws -> TickCount {
    if let at { return try at.ticks(in: timeline, from: .musical(first)) - first }
    return try by?.ticks(in: timeline, from: first) ?? .zero
  }

  func validate() throws {
    guard at != nil || by != nil || into != nil else { throw ValidationError("Say where to: --at, --by or --into.") }
    guard at == nil || by == nil else { throw Exclusion.error("'--at' and '--by' exclude each other.") }
  }
}
