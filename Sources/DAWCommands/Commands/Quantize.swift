import ArgumentParser
import DAWModel
import DAWProject
import DAWTime

struct Quantize: EditCommand {
  static let configuration = CommandConfiguration(
    abstract: "Move notes to the lines of a grid.",
    discussion: """
      The grid starts again at every bar line. Each note goes to its nearest line, of two as near to the later one. Swing \
      moves every second line of a bar: it says where in a pair of steps the second one lies, from 50 (straight) by 66.667 \
      (triplets) to 75 (dotted).

        daw quantize --region Keys/Verse --grid 1/16
        daw quantize --track Drums --grid 1/8 --swing 58 --strength 80
        daw quantize --track Keys --from 5.1.0 --to 9.1.0 --grid 1/8t --ends
      """)

  @Option(
    help: ArgumentHelp(
      "A note's value (1/16), of triplets (1/8t) or dotted (1/8d), or bars (bar, 2bars).", valueName: "grid"),
    transform: Grid.Spacing.init(typed:))
  var grid: Grid.Spacing

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How far towards its line a note goes: 0 to 100.", valueName: "percent"),
    transform: Percentage.init(typed:))
  var strength = Percentage(100)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where in a pair of steps the second one lies: 25 to 75.", valueName: "percent"),
    transform: Percentage.init(typed:))
  var swing: Percentage?

  @Flag(help: "Move the notes' ends to the grid too; else their lengths stay.")
  var ends = false

  @OptionGroup var room: RegionRoomOptions
  @OptionGroup var selection: NoteSelectionOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try Timeline(context.editor.view)
    let quantization = Quantization(
      grid: Grid(grid, swing: swing ?? Grid.straight), strength: strength, includesEnds: ends)
    let report = try context.editor.changeNotes(
      selection.choice(in: timeline), "Quantized notes", lengthensRegions: room.lengthen
    ) { chosen in
      chosen.reduce(into: NoteChanges()) { $0 += $1.quantized(quantization, in: timeline.tempoMap) }
    }
    return try report.outcome("Quantized", in: context)
  }

  func validate() throws {
    guard strength <= Percentage(100) else { throw ValidationError("'--strength' is a number from 0 to 100.") }
    guard let swing else { return }
    guard Grid.acceptedSwing.contains(swing) else {
      throw ValidationError("'--swing' is a number from 25 to 75; 50 is straight.")
    }
    if case .bars = grid { throw ValidationError("Bars do not swing: leave '--swing' away, or give a finer '--grid'.") }
  }
}
