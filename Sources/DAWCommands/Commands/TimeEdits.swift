import ArgumentParser
import DAWErrors
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

struct InsertTime: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "insert-time",
    abstract: "Put time into the song, and move what comes after.",
    discussion: """
      Regions that cross the position are split there; the tempo, meter and key before it hold in the new time. With \
      --track only these tracks move, without tempo map, meters, keys and markers.

        daw insert-time --at 9.1.0 --length 4.0.0
        daw insert-time --at 12.5s --length 2s --track Voice --track Drums
      """)

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where the new time begins.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How much: 4.0.0, 8b, 2s.", valueName: "distance"),
    transform: TypedDistance.init(typed:))
  var length: TypedDistance

  @OptionGroup var tracks: TimeEditOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let edited = try context.editor.insertTime(
      length.expression(in: timeline), at: at.ticks(in: timeline), tracks: tracks.track)
    return try edited.outcome(
      "Inserted \(edited.seconds(in: context)) at \(edited.place(in: timeline))", timeline, in: context)
  }
}

struct DeleteTime: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete-time",
    abstract: "Take time out of the song with what lies in it, and move up what comes after.",
    discussion: """
      Regions that cross an end of the range are split there, and those that lie in it are removed. With --track only \
      these tracks move, without tempo map, meters, keys and markers.

        daw delete-time --from 9.1.0 --to 13.1.0
        daw delete-time --from @Voice/Cough.start --to @Voice/Cough.end --track Voice
      """)

  @OptionGroup var range: TimeRangeOptions
  @OptionGroup var tracks: TimeEditOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let range = try range.ticks(in: timeline)
    let seconds = timeline.tempoMap.flicks(at: range.upperBound) - timeline.tempoMap.flicks(at: range.lowerBound)
    let edited = try context.editor.deleteTime(range, tracks: tracks.track)
    return try edited.outcome(
      "Deleted \(Wording.time(seconds.seconds)) from \(edited.place(in: timeline))", timeline, in: context)
  }
}

struct CopyTime: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy-time",
    abstract: "Put a part of the song in again elsewhere, and move what comes after: a chorus once more.",
    discussion: """
      Copies all that lies in the range, cut at its ends, with its tempos, meters, keys and markers; with --track only \
      what lies on these tracks.

        daw copy-time --from 9.1.0 --to 17.1.0 --at 25.1.0
        daw copy-time --from @chorus --to @verse --at @end --count 2
      """)

  @OptionGroup var range: TimeRangeOptions

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where the first copy begins.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many copies; each begins where the one before ends.", valueName: "n"),
    transform: Int.init(typed:))
  var count = 1

  @OptionGroup var tracks: TimeEditOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let range = try range.ticks(in: timeline)
    let edited = try context.editor.copyTime(
      range, to: at.ticks(in: timeline), count: count, tracks: tracks.track)
    let times = count == 1 ? "" : " \(count) times"
    return try edited.outcome(
      "Copied \(Wording.place(range.lowerBound, in: timeline.tempoMap)) to "
        + "\(Wording.place(range.upperBound, in: timeline.tempoMap))\(times) at \(edited.place(in: timeline))",
      timeline, in: context)
  }

  func validate() throws {
    guard (1...10_000).contains(count) else { throw ValidationError("'--count' is a whole number, 1 … 10000.") }
  }
}

/// The range of an edit of time.
struct TimeRangeOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where it begins.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var from: TypedPosition

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where it ends.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var to: TypedPosition

  /// - Throws: `Failure` for a position that is not on the timeline, or an end at or before the beginning.
  func ticks(in timeline: Timeline) throws -> Range<TickPosition> {
    let range = try TimelineRange(from, to, in: timeline)
    guard let start = range.from, let end = range.to, start < end else {
      throw Failure(
        .invalid, code: "invalidRange", "The range ends where it begins. Nothing was changed.",
        hint: "Give --to a later position than --from.")
    }
    return start..<end
  }
}

/// What an edit of time concerns.
struct TimeEditOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only this track, without tempo map, meters, keys and markers; may be repeated. (default: everything)",
      valueName: "track"))
  var track: [String] = []
}

extension TimeEdited {
  func place(in timeline: Timeline) -> String { "\(Wording.place(start, in: timeline.tempoMap))" }

  func seconds(in context: EditContext) throws -> String {
    let map = try context.editor.view.tempoMap()
    return Wording.time((map.flicks(at: start + length) - map.flicks(at: start)).seconds)
  }

  /// - Parameters:
  ///   - what: what was done, without a full stop.
  ///   - timeline: as it was before.
  func outcome(_ what: String, _ timeline: Timeline, in context: EditContext) throws -> EditOutcome {
    let regions = [
      (counts.copiedRegions, "copied"), (counts.movedRegions, "moved"), (counts.cutRegions, "cut"),
      (counts.removedRegions, "removed"),
    ].filter { $0.0 > 0 }
    var parts = regions.enumerated().map { index, part in
      index == 0 ? "\(counted(part.0, "region")) \(part.1)" : "\(part.0) \(part.1)"
    }
    if counts.marks > 0 { parts.append("\(counted(counts.marks, "mark")) changed") }
    if counts.points > 0 { parts.append("\(counted(counts.points, "point")) of lanes changed") }
    let summary = parts.isEmpty ? "\(what): nothing lies there." : "\(what): \(parts.joined(separator: ", "))."
    let map = try context.editor.view.tempoMap()
    return EditOutcome(
      summary: summary, warnings: try warnings(timeline, in: context), ifUnchanged: "Nothing to change.",
      json: JSONObject([
        "time": JSONObject([
          "startTicks": start.ticks, "startTime": map.flicks(at: start).seconds, "lengthTicks": length.ticks,
        ]),
        "regions": JSONObject([
          "moved": counts.movedRegions, "cut": counts.cutRegions, "removed": counts.removedRegions,
          "copied": counts.copiedRegions,
        ]), "marks": counts.marks, "points": counts.points,
      ]))
  }

  /// Warnings about the first few of the fades and crossfades that the edit has cut, and about a key that holds on.
  private func warnings(_ timeline: Timeline, in context: EditContext) throws -> [String] {
    let view = context.editor.view
    func list(_ cuts: [TimeEdit.Cut]) throws -> String {
      let shown = 3
      var parts = try cuts.prefix(shown).map { cut -> String in
        var names = try cut.regions.prefix(shown).compactMap { id -> String? in
          guard let region = try view.region(id), let track = try view.track(region.track) else { return nil }
          return "'\(track.name.text)/\(region.name)'"
        }
        if cut.regions.count > shown { names.append("\(cut.regions.count - shown) more") }
        return "\(names.joined(separator: " and ")) at \(Wording.place(cut.position, in: timeline.tempoMap))"
      }
      if cuts.count > shown { parts.append("and \(cuts.count - shown) more") }
      return parts.joined(separator: ", ")
    }
    var warnings: [String] = []
    if !cuts.fades.isEmpty {
      let places = try list(cuts.fades)
      warnings.append("Cut inside a fade, in place of which the edge has another from silence: \(places).")
    }
    if !cuts.crossfades.isEmpty {
      let places = try list(cuts.crossfades)
      warnings.append("Cut inside a crossfade, in place of which both sides have others: \(places).")
    }
    if let lastingKey {
      let place = Wording.place(lastingKey.position, in: try view.tempoMap())
      warnings.append(
        "The key \(lastingKey.key) holds on at \(place), where there was none: it ends only where another begins, "
          + "such as one of 'daw add-key'.")
    }
    return warnings
  }
}
