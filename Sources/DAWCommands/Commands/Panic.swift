import ArgumentParser
import DAWPlay

struct Panic: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "panic",
    abstract: "Silence MIDI ports.",
    discussion: """
      Sends every channel of every MIDI port, or of those named, all sound off, pedals up and all notes off, \
      and then a note-off for each note, for instruments that ignore those messages. 'daw play' does not need it: it ends \
      its own notes, also when it is killed.

        daw panic
        daw panic --to "FLUID Synth:0" --controllers-only
      """)

  @Option(help: ArgumentHelp("Only this port; may be repeated.", valueName: "client:port"))
  var to: [String] = []

  @Flag(help: "Send no note-offs, which take 2 s over a MIDI cable.")
  var controllersOnly = false

  @OptionGroup var output: OutputOptions

  func perform() throws -> CommandResult {
    let ports = try SequencerCommands.panic(to, sendsEveryNote: !controllersOnly)
    let text = ports.isEmpty ? "There is no MIDI port to silence." : "Silenced \(ports.joined(separator: ", "))."
    return CommandResult(text: text, json: JSONObject(["ports": ports]))
  }
}
