import ArgumentParser
import DAWProject

struct ListSoundFonts: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-soundfonts",
    abstract: "List the SoundFonts of the project and of this machine.",
    discussion: """
      Those of the project come first, each with the tracks that play with it, and what is wrong with its file. Then \
      those that are installed, the default first. Outside of a project, these are all.

        daw list-soundfonts
        daw set-track Keys --soundfont TimGM6mb
      """)

  @OptionGroup var project: ProjectOptions

  var output: OutputOptions { project.output }

  func perform() throws -> CommandResult {
    let session = try project.openIfAny()
    defer { session?.close() }
    let fonts = try SoundFontEntry.all(session)
    var table = TextTable(.text, .plain, .text, .path)
    for font in fonts {
      table.add([
        "\(font.name)", "\(Wording.size(font.byteCount))", "\(Self.use(of: font))", "\(font.path)",
      ])
    }
    return CommandResult(
      lines: fonts.isEmpty
        ? ["None is installed: Debian has them in timgm6mb-soundfont and fluid-soundfont-gm."] : table.lines(),
      made: fonts.map(\.path), json: fonts)
  }

  /// "copied, on Keys and Bass", "linked, missing, on Keys", "installed".
  private static func use(of font: SoundFontEntry) -> String {
    var words: [String] = []
    if font.isLinked == false { words.append("copied") }
    if font.isInstalled { words.append("installed") } else if font.isLinked == true { words.append("linked") }
    switch font.state {
    case nil, .asRecorded: break
    case .missing: words.append("missing")
    case .changed: words.append("changed")
    case .unreadable: words.append("cannot be read")
    case .damaged: words.append("damaged")
    }
    if font.id != nil {
      words.append(font.tracks.isEmpty ? "on no track" : "on \(font.tracks.map { "'\($0)'" }.joined(separator: ", "))")
    }
    return words.joined(separator: ", ")
  }
}
