import ArgumentParser
import DAWErrors
import DAWProject
import Foundation

struct ListPresets: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-presets",
    abstract: "List the sounds of a SoundFont by bank and program.",
    discussion: """
      Bank 128 holds the drum kits. Without a name it is the SoundFont that a new MIDI track would have: that of the \
      project's other tracks, or the system's default.

        daw list-presets
        daw list-presets TimGM6mb
        daw list-presets ~/fonts/piano.sf2 --bank 0
      """)

  @Argument(
    help: ArgumentHelp("A file, or the name of one that the project has or that is installed.", valueName: "soundfont"),
    completion: .file())
  var soundFont: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only this bank.", valueName: "n"), transform: Int.init(typed:))
  var bank: Int?

  @OptionGroup var project: ProjectOptions

  var output: OutputOptions { project.output }

  func perform() throws -> CommandResult {
    let session = try project.openIfAny()
    defer { session?.close() }
    let choice = try choice(in: session)
    let presets = try Session.presets(of: choice, in: session)
      .filter { bank == nil || $0.bank == bank }
    var table = TextTable(.number, .number, .text)
    for preset in presets { table.add(["\(preset.bank)", "\(preset.program)", "\(preset.name)"]) }
    return CommandResult(
      lines: (soundFont == nil ? ["\(choice.name):"] : []) + (presets.isEmpty ? ["No such presets."] : table.lines()),
      made: presets.map { "\($0.bank):\($0.program)" }, json: presets)
  }

  /// The SoundFont that is named, or the default one.
  private func choice(in session: Session?) throws -> SoundFontChoice {
    if let soundFont {
      return SoundFontChoice(
        name: soundFont, path: EditContext.path(soundFont, in: FileManager.default.currentDirectoryPath))
    }
    let fonts = try SoundFontEntry.all(session)
    guard let font = fonts.first(where: { !$0.tracks.isEmpty }) ?? fonts.first(where: \.isInstalled) else {
      throw Failure(
        .noInput, code: "soundFontNotFound", "This machine has no SoundFont.",
        hint: "Debian has them in timgm6mb-soundfont and fluid-soundfont-gm.")
    }
    return SoundFontChoice(name: font.name, path: session?.folder.absolute(font.path) ?? font.path)
  }
}
