import ArgumentParser
import DAWInterchange
import DAWModel
import DAWPlay
import DAWProject
import DAWRender

struct NormalizeRegion: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "normalize-region",
    abstract: "Set the gain of audio regions so that each reaches a level.",
    discussion: """
      What is measured is the part of its file that a region plays, before its gain and fades: the true peak (dBTP), the \
      integrated loudness (LUFS) or the sample peak (dBFS). Nothing but the gain changes.

        daw normalize-region Voice/Take --to -1dBTP
        daw normalize-region --track Voice --to -18LUFS
        daw normalize-region $(daw list-regions --type audio -q) --to -1dBFS
      """)

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The level: -1dBTP, -18LUFS or -1dBFS.", valueName: "level"),
    transform: NormalizationTarget.init(typed:))
  var to: NormalizationTarget

  @OptionGroup var selection: RegionNameOptions
  @OptionGroup var edit: EditOptions

  func perform() throws -> CommandResult {
    let session = try edit.open()
    defer { session.close() }
    let sounds = try session.measureRegions(selection.choice)
    return try edit.transaction(on: session, bringingIn: []) {
      try outcome(EditContext(editor: $0, folder: "", playhead: Playhead(of: session)), sounds)
    }
  }

  func perform(in context: EditContext) throws -> EditOutcome { try outcome(context, RegionSounds()) }

  private func outcome(_ context: EditContext, _ sounds: RegionSounds) throws -> EditOutcome {
    let report = try context.editor.normalizeRegions(selection.choice, to: to, sounds)
    let gains = report.changed.count == 1 ? report.changed.map { ": \($0.gain)" }.joined() : ""
    return try report.outcome("Normalized \(report.countedRegions)\(gains)", in: context)
  }

  func validate() throws {
    try selection.requireChoice()
    let accepted = if case .loudness = to { -70.0...0 } else { -60.0...0 }
    guard accepted.contains(to.level) else {
      throw ValidationError("'--to' is a level of -70LUFS to 0LUFS, or of -60 to 0 dBTP or dBFS.")
    }
  }
}

struct ReverseRegion: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "reverse-region",
    abstract: "Play the same part of its file backwards.",
    discussion: """
      The region sounds as before from its end to its start, its fades included; done twice it is as it was. Only where \
      it parts regions that a split left, the edges between them get fades of 3 ms, which stay. Its file stays as it is: \
      a reversed copy is kept in Cache/, and made again where it is missing.

        daw reverse-region Drums/Crash
        daw reverse-region --track FX --type audio
      """)

  @OptionGroup var selection: RegionSelectionOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let report = try context.editor.reverseRegions(selection.choice(in: context.timeline()))
    return try report.outcome("Reversed \(report.countedRegions)", in: context)
  }
}

struct ReplaceFile: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "replace-file",
    abstract: "Let a region play another file, at the same place and with the same settings.",
    discussion: """
      The offset stays. Where the new file ends before the region does, the region is shortened, and that is said.

        daw replace-file Voice/Take take-2.wav
        daw replace-file Drums/Loop loop.flac --all-of
      """)

  @Argument(help: "The region: TRACK/NAME, a name that only one region has, or an id.")
  var region: String

  @Argument(help: "The audio file that it shall play.", completion: .file())
  var file: String

  @Flag(help: "Leave the file where it is, rather than copying it into the project.")
  var link = false

  @Flag(help: "Replace it in all regions that play the same file.")
  var allOf = false

  @OptionGroup var channels: ChannelOptions
  @OptionGroup var edit: EditOptions

  static func mayBringInFiles(_ words: [String]) -> Bool { true }

  var incomingFiles: [IncomingFile] { [IncomingFile(path: file, isLinked: link)] }

  func perform(in context: EditContext) throws -> EditOutcome {
    let replaced = try context.editor.replaceFile(
      of: region, with: context.path(file), isLinked: link, channels: channels.channel, isEverywhere: allOf)
    let view = context.editor.view
    let entry = try view.entry(of: replaced.region)
    let summary =
      allOf
      ? "Replaced the file of \(replaced.report.countedRegions)"
      : "Region '\(entry.track)/\(entry.region.name)' plays \(Wording.content(entry.region))"
    var outcome = try replaced.report.outcome(summary, in: context)
    outcome.warnings = replaced.warnings
    if let first = replaced.shortened.first {
      let entry = try view.entry(of: first)
      let which =
        replaced.shortened.count == 1
        ? "ends where the file does: \(Wording.time(entry.region.duration)) long now"
        : "and \(replaced.shortened.count - 1) more end where the file does"
      outcome.warnings.append("'\(entry.track)/\(first.name)' \(which).")
    }
    outcome.json = outcome.json.merging(
      JSONObject(["region": entry, "shortenedRegions": replaced.shortened.map(\.id.uuidString)]))
    return outcome
  }
}
