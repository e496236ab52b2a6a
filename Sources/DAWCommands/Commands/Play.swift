import ArgumentParser
import DAWPlay
import DAWProject

struct Play: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play the project through JACK, while it is being edited.",
    discussion: """
      Opens the project as a client of a running JACK server and plays it. What any process commits to the project \
      meanwhile is heard at once, without a gap. On PipeWire: 'pw-jack daw play'.

        daw play
        daw play --from 9.1.0 --to 17.1.0
        daw play --loop 5.1.0..9.1.0 --click
        daw play --name drums --connect effects:in_1 --connect effects:in_2
        daw play --transport jack --timebase
        daw play --midi jack --external
        daw play --json

      On a terminal: the space bar stops and starts, the arrows left and right go a bar back and forth, down and up eight, \
      Home and End go to the start and to the end of the last region, L ends the loop or begins it again, q ends, ? lists \
      the keys. Ctrl-Z silences the player and leaves it for the shell, until 'fg'. From elsewhere: 'daw transport'. Without \
      --to it rolls on behind the song's end.

      The ports are out_1 and out_2, with --direct-outs TRACK_1 and TRACK_2 of each track, and with --click or --count-in \
      click. A server at another sample rate than the project's is refused. Recordings at another rate are converted \
      meanwhile, and silent until they are.

      With --json each event is a line of its own: opened, transport, position (each second), edited (with the \
      milliseconds from the edit until it left the ports), replaced, problem, recovered, xruns, late, \
      bufferSize, latency, freewheel, connections, serverLost, reconnected, resumed, ended. Within a second after their \
      reader has gone away, as 'head' does, the player fades out and ends, with status 141.
      """)

  @OptionGroup var range: PlayRangeOptions
  @OptionGroup var client: PlayClientOptions
  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    session.finishLeftRecordings()
    var request = PlayRequest()
    range.apply(to: &request, playhead: Playhead(of: session))
    client.apply(to: &request)
    return try session.run(request, project.output)
  }

  func validate() throws { try client.validate(with: range) }
}

extension Session {
  /// Plays, and shows what happens, until the user or another process ends it.
  func run(_ request: PlayRequest, _ output: OutputOptions) throws -> CommandResult {
    let display: any PlayDisplay =
      output.json ? PlayJSONLines() : PlayLines(isQuiet: output.quiet, isToRecord: request.record != nil)
    if let warning = try warningOfRegionsBeyondFiles() { display.show(.problem(warning)) }
    // A player that was started for its events would sound for ever without their reader. A recording must not be lost.
    let endsWithReader = output.json && request.record == nil
    let end = try Interruption.catching {
      let keys = output.json || output.quiet ? nil : TerminalKeys(showHelp: display.showKeys)
      defer { keys?.restore() }
      defer { display.finish() }
      let suspension = PlayerSuspension(isRequested: { Suspension.isRequested }) {
        display.finish()
        keys?.pause()
        Suspension.stop()
      }
      return try Suspension.catching {
        try play(
          request, input: keys,
          isInterrupted: { Interruption.wasRequested || endsWithReader && Console.isReaderGone },
          suspension: suspension, report: display.show)
      }
    }
    return CommandResult(text: "", json: JSONObject([:]), exitStatus: exitStatus(of: end), isPrinted: true)
  }

  private func exitStatus(of end: PlayEnd) -> Int32 {
    guard end == .interrupted else { return ExitStatus.done }
    return Interruption.wasRequested ? ExitStatus.of(.interrupted) : ExitStatus.readerGone
  }
}
