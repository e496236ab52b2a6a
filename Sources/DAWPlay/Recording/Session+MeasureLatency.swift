import DAWErrors
import DAWJack
import DAWModel
import DAWProject
import DAWTime

/// How late sound comes back through a cable, and what that means for recording. In frames.
public struct LatencyReport: Encodable, Sendable {
  /// From our output to our input.
  public var roundTrip: Int
  /// What the server says of it.
  public var reported: Int
  /// What `set-track --record-offset` is to be: by so much what is recorded has to be moved, negative for earlier.
  public var recordOffset: Int
  /// Hertz.
  public var sampleRate: Int
  /// The tracks that record from the input, whose offset was set.
  public var tracks: [String]
}

extension Session {
  /// Measures how late what leaves one port comes back at another, and sets the record offset of the tracks that record
  /// from that one.
  /// - Parameters:
  ///   - server: `nil`: the usual one.
  ///   - output: the full name of the port to play to; `input`: of the one to listen to.
  ///   - isStored: whether to set the offsets.
  ///   - isInterrupted: asked many times a second; true ends it.
  /// - Returns: `nil` where it was interrupted.
  /// - Throws: `Failure`; nothing was changed.
  public func measureLatency(
    server: String?, output: String, input: String, isStored: Bool, isInterrupted: () -> Bool
  ) throws -> LatencyReport? {
    let outcome: LatencyTest.Outcome
    do throws(JackError) {
      outcome = try LatencyTest.run(server: server, output: output, input: input, isInterrupted: isInterrupted)
    } catch {
      if case .connection(let port) = error {
        throw Failure(
          .noInput, code: "jackPortNotFound",
          "There is no JACK \(port == output ? "input port '\(port)' to play to" : "output port '\(port)' to listen to").",
          hint: "'jack_lsp' lists the ports.")
      }
      throw Failure(error, server: server, folder: folder.name)
    }
    switch outcome {
    case .interrupted: return nil
    case .nothingReturned:
      throw Failure(
        .unavailable, code: "noReturn", "Nothing of what '\(output)' was sent came back at '\(input)'.",
        hint: "Connect the output to the input with a cable, and turn both up.")
    case .unsteady:
      throw Failure(
        .tryAgain, code: "unsteadyLatency", "What came back was not equally late each time.",
        hint: "Try again while nothing else sounds on the ports, and without xruns.")
    case .measured(let result): return try store(result, of: input, isStored: isStored)
    }
  }

  private func store(_ result: LatencyTest.Result, of input: String, isStored: Bool) throws -> LatencyReport {
    var report = LatencyReport(
      roundTrip: result.roundTrip, reported: result.reported, recordOffset: result.reported - result.roundTrip,
      sampleRate: result.sampleRate.hertz, tracks: [])
    let (rate, tracks) = try read { view in
      (try view.header().settings.sampleRate, try view.tracks().filter { [$0.input1, $0.input2].contains(input) })
    }
    guard isStored, !tracks.isEmpty else { return report }
    guard rate == result.sampleRate else {
      let error = JackError.rate(server: result.sampleRate.hertz, project: rate.hertz)
      throw Failure(error, server: nil, folder: folder.name)
    }
    let offset = FrameCount(frames: Int64(report.recordOffset))
    _ = try edit(.current) { editor in
      for track in tracks where track.recordOffset != offset {
        var change = Change<Track>()
        change.set(\.recordOffset, to: offset)
        _ = try editor.setTrack(track.id.uuidString, change)
      }
    }
    report.tracks = tracks.map(\.name.text)
    return report
  }
}
