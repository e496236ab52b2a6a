import ArgumentParser
import DAWErrors
import DAWPlay
import DAWProject
import Foundation

struct MIDITest: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "midi-test",
    abstract: "Measure how exactly MIDI is sent.",
    discussion: """
      Sends notes by a queue of the ALSA sequencer and compares when they come back with when they were due, as 'daw \
      play' sends them. Without --through they come straight back, which measures this machine; with a cable from an \
      interface's output to its input, or a port such as 'Midi Through:0', what is in between as well.

        daw midi-test
        daw midi-test --through "Midi Through:0" --count 2000 --json
      """)

  @Option(help: ArgumentHelp("A port that gives back what it is sent.", valueName: "client:port"))
  var through: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How many notes.", valueName: "n"), transform: Int.init(typed:))
  var count = 500

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Milliseconds from one to the next.", valueName: "ms"),
    transform: Int.init(typed:))
  var interval = 10

  @OptionGroup var output: OutputOptions

  func perform() throws -> CommandResult {
    let report = try Interruption.catching {
      try SequencerCommands.measure(
        through: through, count: count, interval: UInt64(interval) * 1_000,
        isInterrupted: { Interruption.wasRequested })
    }
    guard report.receivedCount > 0 else {
      throw Failure(
        .unavailable, code: "noMIDIReturn",
        "None of \(counted(report.sentCount, "note")) came back\(through.map { " from '\($0)'" } ?? "").",
        hint: "Connect the output to the input, and try 'daw midi-test --through \"Midi Through:0\"'.")
    }
    let status = Interruption.wasRequested ? ExitStatus.of(.interrupted) : ExitStatus.done
    return CommandResult(lines: report.lines, json: report, exitStatus: status)
  }

  func validate() throws {
    guard 1...1_000_000 ~= count else { throw ValidationError("'--count' is 1 to 1000000.") }
    guard 1...1_000 ~= interval else { throw ValidationError("'--interval' is 1 to 1000 milliseconds.") }
  }
}

extension TimingReport {
  fileprivate var lines: [String] {
    let lost = receivedCount < sentCount ? ", \(sentCount - receivedCount) did not come back" : ""
    func line(_ name: String, _ values: [String: Double]) -> String {
      let cells = Self.percentileNames.compactMap { key in values[key].map { String(format: "%@ %.0f", key, $0) } }
      return "\(name) \(cells.joined(separator: "  ")) µs"
    }
    return [
      "\(receivedCount) of \(counted(sentCount, "note"))\(lost).", line("later than due: ", offset),
      line("off the median: ", jitter),
      "The queue's clock drifts by \(String(format: "%+.1f", drift)) millionths.",
    ]
  }
}
