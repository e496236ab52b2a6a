import ArgumentParser
import DAWProject
import Foundation

struct ListPresets: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-presets",
    abstract: "List the sounds of a SoundFont by bank and program.",
    discussion: """
      Bank 128 holds the drum kits.

        daw list-presets TimGM6mb
        daw list-presets ~/fonts/piano.sf2 --bank 0
      """)

  @Argument(
    help: ArgumentHelp("A file, or the name of one that the project has or that is installed.", valueName: "soundfont"),
    completion: .file())
  var soundFont: String

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only this bank.", valueName: "n"), transform: Int.init(typed:))
  var bank: Int?

  @OptionGroup var project: ProjectOptions

  var output: OutputOptions { project.output }

  func perform() throws -> CommandResult {
    let path = EditContext.path(soundFont, in: FileManager.default.currentDirectoryPath)
    let session = try project.openIfAny()
    defer { session?.close() }
    let presets = try Session.presets(of: SoundFontChoice(name: soundFont, path: path), in: session)
      .filter { bank == nil || $0.bank == bank }
    var table = TextTable()
    for preset in presets { table.add(["\(preset.bank)", "\(preset.program)", preset.name]) }
    return CommandResult(
      lines: presets.isEmpty ? ["No such presets."] : table.lines, made: presets.map { "\($0.bank):\($0.program)" },
      json: presets)
  }
}
