import DAWMedia
import DAWPlay
import DAWProject
import DAWTime
import Foundation

/// Shows a player's events.
protocol PlayDisplay {
  func show(_ event: PlayEvent)
  /// Before anything else is printed, or the process is stopped.
  func finish()
  /// Says what the keys do.
  func showKeys()
}

extension PlayDisplay {
  func showKeys() {}
}

/// Prints each event as a line of text. On a terminal a last line, redrawn in place, shows the player's state.
final class PlayLines: PlayDisplay {
  private let isQuiet: Bool
  /// Whether it is to be said that nothing was recorded.
  private var missesRecording: Bool
  private let isOnTerminal = isatty(STDOUT_FILENO) == 1 && Terminal.understandsEscapes
  private var drawn = ""
  private var lastDrawn = ContinuousClock.now - .seconds(1)
  /// Linear level of the meter. It falls slowly, so that peaks can be read.
  private var level: Float = 0

  /// `nil` where no line is redrawn.
  private let libraryOutput: LibraryOutput?

  init(isQuiet: Bool, isToRecord: Bool) {
    self.isQuiet = isQuiet
    missesRecording = isToRecord
    libraryOutput = isOnTerminal && !isQuiet ? LibraryOutput() : nil
  }

  func show(_ event: PlayEvent) {
    writeLibraryOutput()
    switch event {
    case .position(let status): draw(status)
    case .problem(let failure):
      erase()
      Console.writeError(lines: failure.lines)
    default:
      var lines = event.lines
      switch event {
      // Also what is not in the project for now was recorded.
      case .recorded, .recordingBegan: missesRecording = false
      default: break
      }
      if case .ended = event, missesRecording { lines.append("Nothing was recorded.") }
      if isQuiet {
        if case .recorded(let takes) = event { try? Console.write(lines: [StyledLine(takes.recording)]) }
        return
      }
      guard !lines.isEmpty else { return }
      erase()
      try? Console.write(lines: lines)
    }
  }

  func finish() { erase() }

  func showKeys() {
    erase()
    try? Console.write(lines: TerminalKeys.descriptions)
  }

  /// Writes what libraries had to say, above the line that is redrawn.
  private func writeLibraryOutput() {
    let lines = libraryOutput?.takeLines() ?? []
    guard !lines.isEmpty else { return }
    erase()
    Console.writeError(lines: lines)
  }

  private func draw(_ status: PlayerStatus) {
    guard isOnTerminal, !isQuiet, Terminal.isInForeground else { return }
    level = max(level * 0.8, max(status.peakLeft, status.peakRight))
    guard ContinuousClock.now - lastDrawn >= .milliseconds(50) else { return }
    lastDrawn = .now
    let line = Self.line(status, level: level, width: Terminal.currentColumns)
    guard line != drawn else { return }
    drawn = line
    write("\r\(line)\u{1B}[K")
  }

  private func erase() {
    guard !drawn.isEmpty else { return }
    drawn = ""
    write("\r\u{1B}[K")
  }

  /// Writes cursor movements. Errors are ignored: the terminal may be gone.
  private func write(_ text: String) { try? Console.writeExactly(text) }

  /// "▶ 0:12.345  7|2  ▕██████░░░░▏  -6.1 dBFS  2 xruns": as much of it as fits, harmless for a terminal.
  /// - Parameter width: of the terminal, in columns; the last stays free.
  static func line(_ status: PlayerStatus, level: Float, width: Int) -> String {
    let isDrawn = Terminal.drawsUnicode
    let mark =
      switch status.state {
      case .rolling: isDrawn ? "▶" : ">"
      case .starting: Glyph.ellipsis
      case .stopped: isDrawn ? "■" : "."
      }
    let decibels = 20 * log10(Double(max(level, 1e-9)))
    let cells = 20
    let full = min(cells, max(0, Int((decibels + 60) / 60 * Double(cells) + 0.5)))
    let meter = String(repeating: Glyph.full, count: full) + String(repeating: Glyph.empty, count: cells - full)
    let (left, right) = isDrawn ? ("▕", "▏") : ("[", "]")
    let place = status.position.split(separator: ".").prefix(2).joined(separator: "|")
    var words = ["\(mark) \(Wording.time(status.seconds))", place, "\(left)\(meter)\(right)"]
    words.append(decibels < -100 ? "-inf dBFS" : String(format: "%.1f dBFS", decibels))
    words.append(counted(status.xruns, "xrun"))
    if status.loop != nil { words.append("loop") }
    words += status.silences
    if let jitter = status.midi?.jitter, let offset = status.midi?.offset {
      words.append(String(format: "MIDI %+.1f \(isDrawn ? "±" : "+-")%.1f ms", offset / 1_000, jitter / 2_000))
    }
    if status.isFreewheeling { words.append("freewheel") }
    if let recording = status.recording {
      if recording.folder != nil { words.append("\(isDrawn ? "●" : "*") \(Wording.time(recording.seconds))") }
      if recording.gapFrames > 0 { words.append("\(counted(Int(recording.gapFrames), "frame")) lost") }
      words += recording.inputs.map { input in
        let peak = 20 * log10(Double(max(input.peak, 1e-9)))
        return "\(input.name) " + (peak < -100 ? "-inf" : String(format: "%.0f", peak))
      }
    }
    if !status.isConnected { words.append("no server") }
    return TerminalText.line(words.joined(separator: "  ")).shortened(to: max(1, width - 1))
  }
}

extension PlayEvent {
  /// None where there is nothing to say to a person.
  fileprivate var lines: [String] {
    switch self {
    case .opened(let opening): ["Playing as '\(opening.clientName)' \(opening.connections)"] + opening.problems
    case .reconnected(let opening):
      ["The JACK server is back: playing as '\(opening.clientName)' \(opening.connections)"] + opening.problems
    case .resumed(let opening): ["Playing again as '\(opening.clientName)' \(opening.connections)"]
    default: text.map { [$0] } ?? []
    }
  }

  private var text: String? {
    switch self {
    case .opened, .reconnected, .resumed: nil
    case .transport(let status): "\(status.stateWord) at \(Wording.time(status.seconds)) (\(status.position))."
    case .position, .problem: nil
    case .edited(let edit):
      "Revision \(edit.revision) is heard: \(edit.summary) (\(edit.author))"
        + (edit.count > 1 ? ", and \(counted(edit.count - 1, "edit")) before it." : ".")
    case .replaced(let revision): "The project's file is another one now; revision \(revision) is heard."
    case .fileRecovered(let path): "'\(path)' can be read again and is heard."
    case .recovered: "The problem is solved; the newest edit is heard."
    case .xruns(let count): "The server was late: \(counted(count, "xrun")) so far."
    case .late(let frames): "The disk or an instrument was late: \(Self.frames(Int(frames))) silent so far."
    case .bufferSize(let frames): "The server's cycles have \(frames) frames now."
    case .latency(let frames): "Playback latency is \(counted(frames, "frame")) now."
    case .freewheel(let isOn): isOn ? "The server freewheels." : "The server goes by the clock again."
    case .connections(let isHeard): isHeard ? "The master is connected." : "The master is connected to nothing."
    case .serverLost(let isTriedAgain): isTriedAgain ? "The JACK server went away; waiting until one is back." : nil
    case .recordingBegan(let folder, let tracks):
      "Recording \(tracks.map { "'\($0)'" }.joined(separator: ", ")) to '\(folder)'."
    case .gap(let cause, let frames): cause.text(frames: frames)
    case .recordingResumed(let track): "'\(track)' is being recorded again."
    case .recordingSpills(let track, let folder):
      "The project's disk has no room: '\(track)' is being recorded into '\(folder)' now."
    case .recorded(let takes): takes.text
    case .ended(let end):
      switch end {
      case .quit: "Ended."
      case .reachedEnd: "Ended at the place that --to names."
      case .interrupted: "Interrupted."
      }
    }
  }
}

extension PlayEvent {
  /// "1 frame was", "2 frames were".
  fileprivate static func frames(_ count: Int) -> String {
    "\(counted(count, "frame")) \(count == 1 ? "was" : "were")"
  }
}

extension PlayOpening {
  fileprivate var connections: String {
    var words = ["at \(sampleRate) Hz, \(bufferSize) frames a cycle"]
    words.append(
      connectedPorts.isEmpty ? "connected to nothing" : "connected to \(connectedPorts.joined(separator: " and "))")
    return "\(words.joined(separator: ", "))."
  }

  fileprivate var problems: [String] {
    [isRealtime ? nil : "The server runs without real-time priority.", memoryProblem].compactMap { $0 }
  }
}

extension GapCause {
  /// For a person, when it happens.
  fileprivate func text(frames: Int) -> String {
    let lost = "\(PlayEvent.frames(frames)) lost"
    return switch self {
    case .xrun: "\(lost): the server did not call."
    case .overrun: "\(lost): the disk did not keep up for ten seconds."
    case .diskFull: "\(lost): the disk is full."
    case .ioError: "\(lost): the disk failed."
    case .serverLost: "\(lost): there was no server."
    case .lostEvents: "MIDI events were lost in \(counted(frames, "frame"))."
    }
  }
}

extension RecordedTakes {
  /// A loop makes a thousand in half an hour.
  private static let namedTakes = 8

  var text: String {
    guard !isCancelled else {
      return "Cancelled '\(folder)', \(Wording.time(seconds)): it is in the trash, and "
        + "'daw restore-recording id:\(recording)' brings it back."
    }
    var text = "Recorded \(Wording.time(seconds)) in '\(folder)'"
    if !takes.isEmpty {
      let named = takes.prefix(Self.namedTakes)
      let rest = takes.count > named.count ? " and \(takes.count - named.count) more" : ""
      let names = named.map { "'\($0.name)'" + ($0.isInUse ? "" : " (not in use)") + $0.newTrackText }
      text += ": \(takes.count == 1 ? "take" : "takes") \(names.joined(separator: ", "))\(rest)"
    }
    let frames = gapFrames == 1 ? "1 frame is" : "\(gapFrames) frames are"
    text += gapCount > 0 ? "; \(frames) missing in \(counted(gapCount, "gap"))." : ", no gap."
    return ([text] + missingText + problems).joined(separator: " ")
  }

  /// "1 file is missing: 'Audio/Recordings/Verse/Vox.0002.wav'."
  private var missingText: [String] {
    guard !missing.isEmpty else { return [] }
    let names = missing.prefix(3).map { "'\($0)'" }.joined(separator: ", ") + (missing.count > 3 ? " …" : "")
    return ["\(counted(missing.count, "file")) \(missing.count == 1 ? "is" : "are") missing: \(names)."]
  }
}

extension RecordedTakes.Take {
  fileprivate var newTrackText: String {
    formerTrack.map { " on the new track '\(track)', since '\($0)' is gone or cannot play it" } ?? ""
  }
}
