import ArgumentParser
import DAWInterchange
import DAWModel
import DAWPlay
import DAWProject
import DAWRender
import Foundation

struct Levels: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "levels",
    abstract: "Measure each strip: its peaks, its loudness, and what its compressors take away.",
    discussion: """
      Renders the mix as 'daw bounce' does, without a file, and measures what each track, bus and the master gives to \
      its output, behind its fader, pan and effects: the sample peak (dBFS), the true peak (dBTP) and the integrated \
      loudness (LUFS). Below a strip stand its compressors, gates and limiters, with what each took away at most and \
      on average, over all frames of the range. What rings on behind the range is not measured.

        daw levels
        daw levels Vocal Drums Master --from 9.1.0 --to 17.1.0
        daw levels --json
      """)

  @Argument(
    help: ArgumentHelp(
      "Only these tracks, buses or the master: names or ids. All are rendered all the same.", valueName: "track"))
  var tracks: [String] = []

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where to begin. (default: 0s)", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var from: TypedPosition?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where to end. (default: the end of the last region)", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var to: TypedPosition?

  @Flag(help: "Let the instrument of a MIDI track that has a MIDI output play too.")
  var external = false

  @Option(
    help: ArgumentHelp(
      """
      Measure all the same where a medium is missing, with silence in its place, or changed, as it is now; may be \
      repeated.
      """, valueName: "name"),
    completion: .list(Self.allowed.map(\.rawValue)), transform: Self.problem)
  var allow: [BounceProblem] = []

  @OptionGroup var rendering: EngineRunOptions
  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let progress = ProgressBar(label: "Measuring", isShown: !project.output.json && !project.output.quiet)
    defer { progress.clear() }
    let playhead = Playhead(of: session)
    var request = BounceRequest()
    if let from { request.from = { try from.flicks(in: $0.with(playhead: playhead.position)) } }
    if let to { request.to = { try to.flicks(in: $0.with(playhead: playhead.position)) } }
    request.playsExternalTracks = external
    request.allowed = Set(allow)
    rendering.apply(to: &request)
    let report = try Interruption.catching {
      try session.levels(of: request, tracks: tracks) { done, total in
        progress.show(done, of: total)
        return !Interruption.wasRequested
      }
    }
    return CommandResult(
      lines: report.lines, made: report.strips.map(\.track.id.uuidString), json: report.json, warnings: report.warnings)
  }

  /// The problems that keep levels from being measured unless they are allowed. A range without length has none.
  private static let allowed: [BounceProblem] = [.missing, .changed]

  private static func problem(_ text: String) throws -> BounceProblem {
    guard let problem = allowed.first(where: { $0.rawValue == text.lowercased() }) else {
      throw Unreadable(text, "what can be allowed is \(allowed.map(\.rawValue).joined(separator: " or ")).")
    }
    return problem
  }
}

extension LevelsReport {
  fileprivate var lines: [StyledLine] {
    var table = TextTable(.text, .number, .number, .number)
    for strip in strips {
      let name = TextTable.Cell(strip.track.name.text, .colored(strip.track.color))
      if strip.isSilent {
        table.add([name, "silent", "", ""])
      } else {
        let loudness = strip.integratedLoudness.map { String(format: "%.1f LUFS", $0) } ?? "< -70 LUFS"
        table.add([
          name, "\(String(format: "%.1f dBFS", strip.peakLevel))",
          "\(String(format: "%.1f dBTP", strip.truePeakLevel))", "\(loudness)",
        ])
      }
      for effect in strip.effects {
        guard let most = effect.most, let mean = effect.mean else { continue }
        let text = String(format: "%.1f dB at most, %.1f dB on average", most, mean)
        table.add(["  \(effect.effect.name)", TextTable.Cell(text, overflows: true), "", ""])
      }
    }
    return table.lines()
  }

  fileprivate var json: JSONObject {
    JSONObject([
      "startTime": start.seconds, "startFlicks": start.flicks, "frames": frameCount, "duration": duration,
      "sampleRate": sampleRate.hertz, "revision": revision, "strips": strips.map(\.json), "warnings": warnings,
    ])
  }
}

extension StripLevels {
  fileprivate var json: JSONObject {
    JSONObject([
      "track": track.id, "name": track.name.text, "trackType": track.trackType.rawValue, "isSilent": isSilent,
      "peak": Level(decibels: peakLevel), "truePeak": Level(decibels: truePeakLevel),
      "loudness": Level(decibels: integratedLoudness ?? -.infinity),
      "effects": effects.map { effect in
        JSONObject([
          "id": effect.effect.id.uuidString, "kind": effect.effect.kind.rawValue, "name": effect.effect.name,
          "mostReduction": effect.most, "meanReduction": effect.mean,
        ])
      },
    ])
  }
}
