import ArgumentParser
import DAWModel
import DAWTime

/// What a track records, and how.
struct TrackInputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A JACK port that an audio track records, or none; twice for a stereo track.", valueName: "client:port"))
  var input: [String] = []

  @Option(help: ArgumentHelp("The port that a MIDI track records, or none.", valueName: "client:port"))
  var midiInput: String?

  @Option(
    help: ArgumentHelp(
      "When its input is heard: off, input (always), or auto (armed, and stopped or recording).", valueName: "when"),
    completion: .list(Monitor.allCases.map(\.rawValue)), transform: Monitor.init(typed:))
  var monitor: Monitor?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How much later, or with a minus earlier, what it records is placed: -12f or -3ms.", valueName: "distance"),
    transform: recordOffset)
  var recordOffset: TypedShift?

  var isEmpty: Bool { input.isEmpty && midiInput == nil && monitor == nil && recordOffset == nil }

  func validate() throws {
    guard input.count <= 2 else { throw ValidationError("A track has at most two inputs: '--input' stands twice.") }
    if input.count == 2, input.contains(where: Self.isNone) {
      throw ValidationError("'--input none' takes all inputs away, so it stands alone.")
    }
  }

  func set(_ change: inout Change<Track>, in context: EditContext) throws {
    if let first = input.first {
      change.set(\.input1, to: .some(Self.isNone(first) ? nil : first))
      change.set(\.input2, to: .some(input.count == 2 ? input[1] : nil))
    }
    change.set(\.midiInput, to: midiInput.map { Self.isNone($0) ? nil : $0 })
    change.set(\.monitor, to: monitor)
    change.set(
      \.recordOffset,
      to: try recordOffset.map { shift in
        let timeline = try context.timeline()
        let length = try shift.distance.flicks(in: timeline, from: .zero).frames(at: timeline.sampleRate)
        return shift.isBack ? .zero - length : length
      })
  }

  private static func isNone(_ port: String) -> Bool { port.lowercased() == "none" }

  private static func recordOffset(_ text: String) throws -> TypedShift {
    let shift = try TypedShift(typed: text)
    guard !shift.distance.isMusical else {
      throw Unreadable(text, "a record offset is a number of frames or a time: -12f, 3ms, 0.5s.")
    }
    return shift
  }
}
