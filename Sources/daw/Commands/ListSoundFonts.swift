import ArgumentParser
import DAWSession

struct ListSoundFonts: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-soundfonts",
    abstract: "List the SoundFonts that are installed on this machine, the default first.",
    discussion: """
        daw list-soundfonts
        daw set-track Keys --soundfont TimGM6mb
      """)

  @OptionGroup var output: OutputOptions

  func perform() throws -> CommandResult {
    let fonts = InstalledSoundFont.all()
    var table = TextTable()
    for font in fonts { table.add([font.name, Wording.size(font.byteCount), font.path]) }
    return CommandResult(
      text: fonts.isEmpty
        ? "None is installed: Debian has them in timgm6mb-soundfont and fluid-soundfont-gm." : table.text,
      made: fonts.map(\.path), json: fonts)
  }
}
