import ArgumentParser
import DAWErrors
import DAWInterchange
import DAWModel
import DAWPlay
import DAWProject
import DAWTime
import Foundation

struct Transport: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "transport",
    abstract: "Start, stop or move the player of a project.",
    discussion: """
      Talks to the 'daw play' or 'daw record' that plays the project, from any terminal or script of the same user.

        daw transport stop
        daw transport locate 17.1.0
        daw transport locate +1.0.0
        daw transport locate @playhead-5s
        daw transport start
        daw transport loop 5.1.0..9.1.0
        daw transport loop off
        daw transport record off
        daw transport record cancel
        daw transport keep 30s
        daw transport punch 9.1.0..17.1.0
        daw transport status --json
        daw transport quit

      'record off' ends the recording under way, and its takes are put into the project; 'record cancel' ends it without \
      the pass that runs. 'keep' makes a take of what came in last, where 'daw record --remember' remembers it: at the \
      places where it was played, or, where the transport stood, so that it ends at the playhead.
      """)

  enum Action: String, ExpressibleByArgument, CaseIterable {
    case start, stop, locate, status, loop, record, keep, punch, quit
  }

  @Argument(help: ArgumentHelp("start, stop, locate, status, loop, record, keep, punch or quit.", valueName: "action"))
  var action: Action

  @Argument(
    help: ArgumentHelp(
      "For locate a position; for loop and punch two, as in 5.1.0..9.1.0, or off; for record on, off or cancel; for keep a duration.",
      valueName: "position"))
  var place: String?

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let asked = try session.read { view in try command(in: session.timeline(of: view)) }
    let status = try session.sendToPlayer(asked)
    return CommandResult(text: status.text(after: action, asked), json: StatusEntry(status: status))
  }

  private func locate(in timeline: Timeline) throws -> PlayerCommand {
    let typed = place ?? ""
    // What has a sign is a distance from the playhead.
    let position =
      TypedShift.hasSign(typed)
      ? try TypedPosition(typed: typed).flicks(in: timeline, from: timeline.playhead())
      : try TypedPosition(typed: typed).flicks(in: timeline)
    return .locate(flicks: position.flicks)
  }

  private func command(in timeline: Timeline) throws -> PlayerCommand {
    switch action {
    case .start: return .start
    case .stop: return .stop
    case .status: return .status
    case .quit: return .quit
    case .locate: return try locate(in: timeline)
    case .loop where place == "off": return .endLoop
    case .loop:
      let loop = try TypedRange(typed: place ?? "")
      return .loop(
        startFlicks: try loop.start.flicks(in: timeline).flicks, endFlicks: try loop.end.flicks(in: timeline).flicks)
    case .record: return place == "cancel" ? .cancelRecording : .record(place == "on")
    case .keep: return .keep(seconds: try keptSeconds(in: timeline))
    case .punch where place == "off": return .endPunch
    case .punch:
      let range = try TypedRange(typed: place ?? "")
      return .punch(
        startFlicks: try range.start.flicks(in: timeline).flicks, endFlicks: try range.end.flicks(in: timeline).flicks)
    }
  }

  private func keptSeconds(in timeline: Timeline) throws -> Double {
    let seconds = try TypedDistance(typed: place ?? "").flicks(in: timeline, from: .zero).seconds
    let accepted = RecordRequest.acceptedRememberSeconds
    guard accepted.contains(seconds) else {
      throw Failure(
        .invalid, code: "rememberedLength",
        "From 1 s to 10 min can be kept, not \(Wording.time(seconds)). Nothing was changed.",
        hint: "'daw transport keep 30s' keeps the last half a minute.")
    }
    return seconds
  }

  func validate() throws {
    // What cannot be read is noticed before anything is opened.
    do { try readPlace() } catch let error as Unreadable { throw ValidationError("Not accepted: \(error)") }
  }

  /// - Throws: `ValidationError`, `Unreadable`.
  private func readPlace() throws {
    switch action {
    case .locate where place == nil:
      throw ValidationError("'locate' needs a position, such as 17.1.0 or 12.5s; to go back, '@playhead-5s'.")
    case .loop where place == nil: throw ValidationError("'loop' needs two positions, such as 5.1.0..9.1.0, or 'off'.")
    case .start, .stop, .status, .quit:
      if let place { throw ValidationError("'\(action.rawValue)' takes no place: '\(place)'.") }
    case .locate: _ = try TypedPosition(typed: place ?? "")
    case .punch where place == nil:
      throw ValidationError("'punch' needs two positions, such as 5.1.0..9.1.0, or 'off'.")
    case .loop, .punch: if place != "off" { _ = try TypedRange(typed: place ?? "") }
    case .record where !["on", "off", "cancel"].contains(place):
      throw ValidationError("'record' needs 'on', 'off' or 'cancel'.")
    case .record: break
    case .keep where place == nil: throw ValidationError("'keep' needs a duration, such as 30s.")
    case .keep: _ = try TypedDistance(typed: place ?? "")
    }
  }
}

/// A status as JSON: its peaks are linear, and beside each stands its level.
private struct StatusEntry: Encodable {
  var status: PlayerStatus

  private enum CodingKeys: String, CodingKey { case peakLeftLevel, peakRightLevel }

  func encode(to encoder: any Encoder) throws {
    try status.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.level(status.peakLeft), forKey: .peakLeftLevel)
    try container.encode(Self.level(status.peakRight), forKey: .peakRightLevel)
  }

  private static func level(_ peak: Float) -> Level {
    peak > 0 ? Level(decibels: 20 * log10(Double(peak))) : .silence
  }
}

extension PlayerStatus {
  /// For a person.
  fileprivate func text(after action: Transport.Action, _ asked: PlayerCommand) -> String {
    guard action != .quit else { return "The player ends." }
    if case .keep(let seconds) = asked, let recording, !recording.takes.isEmpty {
      return Self.text(keeping: recording.takes, recording.takeSeconds ?? seconds, of: seconds)
    }
    // Without a server nothing rolls.
    let word = isConnected || state == .stopped ? stateWord : "Waiting"
    var words = ["\(word) at \(Wording.time(seconds)) (\(position))"]
    if !isConnected { words.append("without a JACK server") }
    if let loop {
      words.append(
        "loop \(Wording.time(FlickPosition(flicks: loop.startFlicks).seconds)) to "
          + Wording.time(FlickPosition(flicks: loop.endFlicks).seconds))
    }
    if let recording, recording.isOn { words.append("recording is on") }
    guard action == .status else { return words.joined(separator: ", ") + "." }
    if isConnected { words.append("\(clientName) at \(sampleRate) Hz, \(bufferSize) frames") }
    words.append("revision \(revision)")
    words.append(counted(xruns, "xrun"))
    words += silences
    return words.joined(separator: ", ") + "."
  }
}

extension PlayerStatus {
  /// - Parameters:
  ///   - seconds: that were kept.
  ///   - asked: seconds.
  private static func text(keeping takes: [String], _ seconds: Double, of asked: Double) -> String {
    let names = takes.map { "'\($0)'" }.joined(separator: ", ")
    // A frame of it may be rounded off.
    guard seconds < asked - 0.001 else { return "Kept \(Wording.time(seconds)) as \(names)." }
    return "Kept \(Wording.time(seconds)) of \(Wording.time(asked)) as \(names): the rest is not remembered, or was "
      + "played at no place of the timeline."
  }

  /// From the start of the timeline.
  var seconds: Double { FlickPosition(flicks: flicks).seconds }

  /// "3 frames late", "1 medium silent".
  var silences: [String] {
    (lateFrames > 0 ? ["\(counted(Int(lateFrames), "frame")) late"] : [])
      + (silentMedia > 0 ? ["\(counted(silentMedia, "medium", plural: "media")) silent"] : [])
  }

  var stateWord: String {
    switch state {
    case .stopped: "Stopped"
    case .starting: "Starting"
    case .rolling: "Rolling"
    }
  }
}

extension StatusEntry: JSONEncoded {}
