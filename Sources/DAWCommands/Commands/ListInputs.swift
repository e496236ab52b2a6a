import ArgumentParser
import DAWInterchange
import DAWPlay
import DAWProject

struct ListInputs: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-inputs",
    abstract: "List the ports that tracks can record from.",
    discussion: """
      Asks a running JACK server for its ports, the hardware's first, each with its latency and with the tracks of the \
      project that record from it; and the ALSA sequencer for its MIDI ports, where there is one.

        daw list-inputs
        daw set-track Vox --arm --input system:capture_1
      """)

  @Option(help: ArgumentHelp("The JACK server. (default: JACK_DEFAULT_SERVER, or the usual one)", valueName: "name"))
  var server: String?

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let inputs = try session.inputs(server: server)
    var table = TextTable(.path, .plain, .text, .text)
    for input in inputs {
      let tracks = input.tracks.map { "'\($0)'" }.joined(separator: ", ")
      let kind = "\(input.kind.rawValue)\(input.system == .alsa ? " (ALSA)" : "")"
      table.add([
        "\(input.name)", "\(kind)", "\(input.latency == 0 ? "" : "\(counted(input.latency, "frame")) late")",
        "\(tracks.isEmpty ? "" : "on \(tracks)")",
      ])
    }
    return CommandResult(
      lines: inputs.isEmpty ? ["There is no port to record from."] : table.lines(), made: inputs.map(\.name),
      json: inputs)
  }
}

extension InputEntry: JSONEncoded {}
