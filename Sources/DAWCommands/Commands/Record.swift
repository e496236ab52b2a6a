import ArgumentParser
import DAWInterchange
import DAWPlay
import DAWProject

struct Record: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Play the project and record its armed tracks.",
    discussion: """
      Plays as 'daw play' does, with all of its options, and records the tracks that are armed from JACK's ports. What \
      comes in is written at once, in files of half a minute, and outlives whatever kills this process; every frame \
      that is missing is in a gap with a name. When the transport stops, the takes are put into the project, in one \
      edit.

        daw set-track Vox --arm --input system:capture_1
        daw record
        daw record --from 5.1.0 --preroll 2.0.0
        daw record --punch 9.1.0..17.1.0 --to 19.1.0 --over replace
        daw record --loop 5.1.0..9.1.0 --title 'Verse'
        daw record --stopped --bits 32f --spill /mnt/other
        daw record --dry-run

      With a loop each pass is a take; the last full one sounds, the others are kept. What comes in is put where the \
      player heard what it played to, by the latencies that the server reports both ways; '--align captured' leaves out \
      those of the way out. 'daw transport record off' and 'on' end and begin a recording while it rolls. A loop that is \
      recorded has 100 ms at least.

      The folder of '--spill' has to be there, on another disk than the project's.

      With --json each event is a line of its own: those of 'play', and recordingBegan, gap, recordingSpills, \
      recordingResumed, recorded. A reader that goes away does not end a recording.
      """)

  @OptionGroup var range: PlayRangeOptions
  @OptionGroup var client: PlayClientOptions
  @OptionGroup var record: RecordOptions
  @OptionGroup var project: ProjectOptions

  var output: OutputOptions { project.output }

  func perform() throws -> CommandResult {
    let session = try project.openForEditing()
    defer { session.close() }
    session.finishLeftRecordings()
    let playhead = Playhead(of: session)
    var request = PlayRequest()
    range.apply(to: &request, playhead: playhead)
    client.apply(to: &request)
    let asked = try session.read { try record.request(playhead: playhead, in: session.timeline(of: $0)) }
    request.record = asked
    return record.dryRun ? check(try session.checkRecording(asked, request)) : try session.run(request, output)
  }

  private func check(_ readiness: RecordingReadiness) -> CommandResult {
    var lines = readiness.tracks.map {
      "'\($0.name)' from \($0.sources.map { $0 ?? "no port" }.joined(separator: ", "))."
    }
    let room = readiness.seconds.map { "the disk room for \(Wording.time($0))" } ?? "and MIDI takes next to no room"
    lines.append("The server has \(readiness.sampleRate) Hz as the project, \(room).")
    return CommandResult(lines: lines, made: [], json: readiness, warnings: readiness.warnings)
  }

  func validate() throws { try client.validate(with: range) }
}

extension RecordingReadiness: JSONEncoded {}
