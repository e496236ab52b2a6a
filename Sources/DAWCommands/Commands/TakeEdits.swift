import ArgumentParser
import DAWInterchange
import DAWMedia
import DAWModel
import DAWProject
import DAWRender
import DAWTime

struct UseTake: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "use-take",
    abstract: "Choose the take that is heard, all over or in a range.",
    discussion: """
      Regions of other takes of its track that overlap it are not heard then; regions of no take stay as they are. With \
      --from and --to only that part of the timeline changes: regions are divided there, and audio is crossfaded over \
      3 ms where one take follows another. What goes on in one take again is joined again.

        daw use-take 'Vox/Take 2'
        daw use-take 'Vox/Take 1' --from 9.1.0 --to 13.1.0
      """)

  @Argument(help: "The take: TRACK/NAME, a name that only one take has, or an id.")
  var take: String

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where to begin using it.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var from: TypedPosition?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where to end using it.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var to: TypedPosition?

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    // Refuses an end before the beginning.
    _ = try TimelineRange(from, to, in: timeline)
    let used = try context.editor.useTake(take, from: from?.flicks(in: timeline), to: to?.flicks(in: timeline))
    let view = context.editor.view
    let entries = try view.entries(of: used.regions)
    let map = timeline.tempoMap
    let place = [
      try from.map { "from \(map.barBeatTick(at: try $0.ticks(in: timeline)))" },
      try to.map { "to \(map.barBeatTick(at: try $0.ticks(in: timeline)))" },
    ].compactMap(\.self).joined(separator: " ")
    return EditOutcome(
      summary: "Take '\(used.name)' is used\(place.isEmpty ? "" : " " + place).", ifUnchanged: "It was in use already.",
      preview: entries.map { "\($0.track)/\($0.region.name): \($0.region.isInUse ? "in use" : "not in use")" },
      json: JSONObject([
        "take": used.take.id.uuidString, "regions": entries, "removedRegions": used.removed.map(\.uuidString),
      ]))
  }
}

struct NewTake: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "new-take",
    abstract: "Make a take without recording it.",
    discussion: """
      With --copy it gets copies of the track's regions in use, and is used instead of them, so that they can be changed \
      and the others chosen again. Regions of no take become a take of their own then.

        daw new-take Vox --copy --name Edited
        daw new-take Keys
      """)

  @Argument(help: "The track: a name, or an id.")
  var track: String

  @Option(help: "What it shall be called (default: as the track, with a number).")
  var name: String?

  @Flag(help: "Put copies of the regions in use into it, and use it.")
  var copy = false

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let made = try context.editor.newTake(on: track, named: name, copies: copy)
    let view = context.editor.view
    let count = made.regions.count
    let regions = count == 0 ? "" : " with \(count == 1 ? "a copy" : "copies") of \(counted(count, "region"))"
    let former = made.formerName.map { ", and '\($0)' of what was in use" } ?? ""
    return EditOutcome(
      summary: "Made take '\(made.name)'\(regions)\(former).", made: [made.take.id.uuidString],
      json: JSONObject([
        "take": made.take.id.uuidString, "former": made.former?.id.uuidString,
        "regions": try view.entries(of: made.regions),
      ]))
  }
}

struct JoinTake: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "join-take",
    abstract: "Write the whole sound of a recorded take as one file.",
    discussion: """
      All that was recorded, from its first frame to its last, whatever its regions show; gaps are silence. Gains, fades \
      and effects are left out. Without --quality the file has the bits that were recorded. It appears only when it is complete.

        daw join-take 'Vox/Take 2' -o take.wav
        daw join-take 'Vox/Take 2' -o take.flac --bits 16 --overwrite
        daw join-take 'Vox/Take 2' -o take.ogg --quality low
      """)

  @Argument(help: "The take: TRACK/NAME, a name that only one take has, or an id.")
  var take: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file())
  var output: String

  @Option(
    help:
      "wav, rf64, flac, aiff, ogg (Vorbis), opus, mp3 or m4a (AAC, by ffmpeg); else by the file's ending, else wav.",
    completion: .list(BounceFormat.containers))
  var format: String?

  @Option(
    help: "Bits of a sample: 16, 24, 32, or 32f and 64f for floating point. (default: as recorded)",
    completion: .list(["16", "24", "32", "32f", "64f"]))
  var bits: String?

  @Option(
    help: ArgumentHelp(
      "To take less room: lossless (FLAC), or one channel of Ogg Vorbis, or of M4A where the file ends so: low (16000 Hz, "
        + "32 kbit/s), medium (22050 Hz, 64 kbit/s) or high (44100 Hz, 128 kbit/s).", valueName: "quality"),
    completion: .list(["lossless"] + LossyQuality.allCases.map(\.rawValue)))
  var quality: String?

  @Flag(help: "Replace the file where it exists; never a project's file, nor a medium.")
  var overwrite = false

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let progress = ProgressBar(label: "Joining", isShown: !project.output.json && !project.output.quiet)
    defer { progress.clear() }
    var request = JoinTakeRequest(path: output)
    request.container = try format.map(BounceFormat.container)
    request.encoding = try bits.map(BounceFormat.encoding)
    request.overwrites = overwrite
    if quality?.lowercased() == "lossless" {
      request.usualContainer = .flac
    } else if let quality = try quality.map(BounceFormat.quality) {
      (request.quality, request.usualContainer) = (quality, .vorbis)
    }
    let joined = try Interruption.catching {
      try session.joinTake(take, request) { done, total in
        progress.show(done, of: total)
        return !Interruption.wasRequested
      }
    }
    let seconds = Double(joined.frames.frames) / Double(joined.format.sampleRate.hertz)
    let warnings =
      joined.clippedSampleCount == 0
      ? []
      : [
        "The format cut off \(counted(Int(joined.clippedSampleCount), "sample")) beyond full scale: "
          + "--bits 32f keeps them."
      ]
    return CommandResult(
      lines: ["Wrote \(joined.path): \(Wording.duration(seconds)), \(joined.format)."], made: [joined.path],
      json: JSONObject([
        "take": joined.take.id.uuidString, "path": joined.path, "format": "\(joined.format)",
        "frames": joined.frames.frames, "sampleRate": joined.format.sampleRate.hertz,
        "channelCount": joined.format.channelCount, "clippedSampleCount": joined.clippedSampleCount,
        "warnings": warnings,
      ]), warnings: warnings)
  }

  func validate() throws {
    try BounceFormat.readable {
      _ = try format.map(BounceFormat.container)
      _ = try bits.map(BounceFormat.encoding)
      if quality?.lowercased() != "lossless" { _ = try quality.map(BounceFormat.quality) }
    }
    if output.isEmpty { throw ValidationError("The name of the file is empty.") }
    if output == "-" {
      throw ValidationError("The sound of a take goes to a file, not to standard output. A file of that name is './-'.")
    }
  }
}
