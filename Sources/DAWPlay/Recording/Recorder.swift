import DAWEngine
import DAWErrors
import DAWJack
import DAWMedia
import DAWModel
import DAWProject
import DAWTime
import Foundation

/// Records the armed tracks of a player. Used by the player's control thread alone.
final class Recorder {
  private let session: Session
  private let request: RecordRequest
  private let sampleRate: Int
  private let report: (PlayEvent) -> Void
  private var punch: Range<TimelineFrame>?
  private var isOn = true
  /// The client whose inputs are recorded, for the writing thread; `nil` while there is none.
  private let heard = Monitor<JackClient?>(nil)
  private var input: Input?
  /// The recording under way, as far as it is written.
  private var running: Running?
  private var nextSave = ContinuousClock.now
  private var nextConnect = ContinuousClock.now
  private var missingSources: [String] = []

  /// Armed tracks, and what writes what comes in on them.
  private struct Input {
    var tracks: [ArmedTrack]
    var ring: CaptureRing
    /// `nil` without MIDI tracks.
    var messages: MIDICapture?
    var writer: RecordingWriter
  }

  private struct Running {
    var description: RecordingDescription
    var folder: String
    /// What of it is in the project.
    var saved: RecordingFacts?
    var gapFrames = 0
    /// Of the longest pass under way.
    var frames: Int64 = 0
  }

  /// Seconds that fit the ring: so long may the disk take.
  private static let ringSeconds = 10

  init(_ session: Session, _ request: RecordRequest, sampleRate: SampleRate, report: @escaping (PlayEvent) -> Void) {
    self.session = session
    self.request = request
    self.sampleRate = sampleRate.hertz
    self.report = report
  }

  // MARK: Inputs

  /// Checks that there is something to record.
  /// - Throws: `Failure`.
  func validate(_ project: Project, _ client: JackClient) throws {
    let tracks = ArmedTrack.all(in: project)
    guard !tracks.isEmpty else {
      throw Failure(
        .invalid, code: "nothingArmed", "No track is armed. Nothing is recorded.",
        hint: "'daw set-track TRACK --arm --input system:capture_1' arms one; 'daw list-inputs' lists the ports.")
    }
    try validateSegments(of: tracks)
    try require(tracks.filter { !$0.isMIDI }, among: client.audioSources(), "audio")
    try require(tracks.filter(\.isMIDI), among: client.midiSources(), "MIDI")
  }

  private func require(_ tracks: [ArmedTrack], among sources: [String], _ kind: String) throws {
    let missing = tracks.flatMap { $0.sources.compactMap { $0 } }.first { !sources.contains($0) }
    guard let missing else { return }
    throw Failure(
      .noInput, code: "jackPortNotFound", "There is no JACK output port '\(missing)' for \(kind). Nothing is recorded.",
      hint: sources.isEmpty ? "The server has none at all." : "It has \(sources.prefix(20).joined(separator: ", ")).")
  }

  /// A WAV file holds 4 GiB.
  /// - Throws: `Failure` for files that would be longer.
  private func validateSegments(of tracks: [ArmedTrack]) throws {
    let channels = tracks.map(\.channelCount).max() ?? 1
    let seconds = Double((1 << 32) - (1 << 21)) / Double(channels * request.encoding.bytesPerSample * sampleRate)
    guard request.segmentSeconds >= seconds else { return }
    throw Failure(
      .invalid, code: "segmentLength",
      "A file of a recording holds 4 GiB, which is less than \(Int(seconds)) s here. Nothing is recorded.",
      hint: "'--segment 30s' is usual.")
  }

  /// Makes the inputs of a client that has come, and records from them.
  /// - Throws: `JackError.port`.
  func connect(to client: JackClient, _ project: Project) throws(JackError) {
    heard.update { $0 = client }
    missingSources = []
    if let input {
      try Self.setInputs(input, of: client)
    } else {
      try makeInputs(ArmedTrack.all(in: project), client)
    }
  }

  /// The project was edited: tracks may have been armed. While a recording runs, the tracks are those that it began with.
  func follow(_ project: Project) {
    guard let client = heard.read({ $0 }), running == nil else { return }
    let tracks = ArmedTrack.all(in: project)
    guard tracks != input?.tracks else { return }
    do throws(JackError) { try makeInputs(tracks, client) } catch { report(.problem(Failure(error))) }
  }

  private func makeInputs(_ tracks: [ArmedTrack], _ client: JackClient) throws(JackError) {
    let projectID = (try? session.read { try $0.header().id.uuidString }) ?? ""
    let ring = CaptureRing(
      channelCount: tracks.reduce(0) { $0 + $1.channelCount }, frameCount: Self.ringSeconds * sampleRate)
    let midiCount = tracks.count(where: \.isMIDI)
    let messages = midiCount > 0 ? MIDICapture(inputCount: midiCount) : nil
    let writer = RecordingWriter(
      RecordingWriter.Setup(
        ring: ring, tracks: tracks, messages: messages, request: request, punch: punch, recordings: session.recordings,
        project: projectID, sampleRate: sampleRate
      ) { [heard] in
        heard.read { ($0?.status.snapshot.playbackLatency ?? 0, $0?.captureLatencies ?? []) }
      })
    let made = Input(tracks: tracks, ring: ring, messages: messages, writer: writer)
    try Self.setInputs(made, of: client)
    input?.writer.stop()
    writer.setRecording(isOn)
    writer.start()
    input = made
  }

  private static func setInputs(_ input: Input, of client: JackClient) throws(JackError) {
    func ports(_ tracks: [ArmedTrack]) -> [JackClient.Input] {
      tracks.flatMap { track in
        zip(track.portNames, track.sources).map { name, source in
          JackClient.Input(
            name: name, source: source, monitor: track.isMonitored ? track.trackID : nil, track: track.trackID)
        }
      }
    }
    try client.setInputs(
      ports(input.tracks.filter { !$0.isMIDI }), ring: input.ring, midi: ports(input.tracks.filter(\.isMIDI)),
      messages: input.messages)
  }

  /// The client is gone.
  func loseClient() {
    heard.update { $0 = nil }
    input?.writer.loseServer()
  }

  // MARK: Commands

  func setRecording(_ isOn: Bool) {
    self.isOn = isOn
    input?.writer.setRecording(isOn)
  }

  func setPunch(_ punch: Range<TimelineFrame>?) {
    self.punch = punch
    input?.writer.setPunch(punch)
  }

  /// What is recorded while the transport rolls; empty for nothing.
  var recordedRange: Range<TimelineFrame> { isOn ? punch ?? 0..<TimelineFrame.max : 0..<0 }

  // MARK: Observing

  /// Many times a second.
  func observe() {
    for event in input?.writer.takeEvents() ?? [] { handle(event) }
    saveFacts()
    guard ContinuousClock.now >= nextConnect, let client = heard.read({ $0 }) else { return }
    nextConnect = .now + .seconds(1)
    client.connectInputs()
    let missing = client.missingSources
    if missing != missingSources, !missing.isEmpty {
      report(
        .problem(
          Failure(
            .noInput, code: "jackPortNotFound",
            "There is no port \(missing.map { "'\($0)'" }.joined(separator: ", ")); silence is recorded until it comes."
          )))
    }
    missingSources = missing
  }

  /// After the transport has stopped: waits until what was played has come in and is written, and ends.
  /// - Parameter seconds: to wait at most.
  func finish(atMost seconds: Double) {
    let deadline = ContinuousClock.now + .seconds(seconds)
    observe()
    while running != nil, ContinuousClock.now < deadline {
      usleep(5_000)
      observe()
    }
    input?.writer.stop()
    observe()
    heard.update { $0 = nil }
    input = nil
  }

  /// Frames that come in after a stop for what was played before it.
  var lag: Int {
    heard.read { ($0?.status.snapshot.playbackLatency ?? 0) + ($0?.captureLatencies.max() ?? 0) }
  }

  /// For display.
  var status: PlayerStatus.Recording? {
    guard let input else { return nil }
    var status = PlayerStatus.Recording()
    status.isOn = isOn
    status.folder = running?.folder
    status.seconds = Double(running?.frames ?? 0) / Double(sampleRate)
    status.gapFrames = Int64(running?.gapFrames ?? 0)
    status.ringFill = input.ring.fill
    var channel = 0
    for track in input.tracks where !track.isMIDI {
      for name in track.portNames {
        status.inputs.append(PlayerStatus.Input(name: name, peak: input.ring.takePeak(ofChannel: channel)))
        channel += 1
      }
    }
    return status
  }

  private func handle(_ event: RecordingWriter.Event) {
    switch event {
    case .began(let header, let folder):
      running = Running(description: RecordingDescription(header: header), folder: folder)
      // At once, so that the next command finds what a kill leaves.
      nextSave = .now
      report(.recordingBegan(folder: folder, tracks: input?.tracks.map(\.name) ?? []))
    case .passed(let frames): running?.frames = frames
    case .wrote(let records):
      for record in records { running?.description.apply(record) }
    case .gap(let cause, let frames):
      running?.gapFrames += frames
      report(.gap(cause, frames: frames))
    case .lostEvents(let count):
      report(
        .problem(
          Failure(
            .unavailable, code: "lostEvents", "At least \(count) MIDI messages were lost, which is in the ledger.",
            hint: "'daw list-gaps --cause lostEvents' lists them.")))
    case .disk(let error, let track):
      guard let error else { return report(.recordingResumed(track: track)) }
      let sentence = "'\(track)' is not being recorded: \(Failure(error).message)"
      let hint = "What is lost is counted as a gap; it goes on where there is room, or in the folder of '--spill'."
      report(
        .problem(
          GapCause(error) == .diskFull
            ? Failure(.io, code: "diskFull", sentence, hint: hint)
            : Failure(.io, code: "ioError", sentence, hint: hint)))
    case .roomRunsOut(let seconds):
      report(
        .problem(
          Failure(
            .io, code: "roomRunsOut", "The disk has room for \(seconds / 60) min \(seconds % 60) s more.",
            hint: "Free some, or name another folder with '--spill'.")))
    case .failedToBegin(let error):
      let failure = Failure(error)
      report(
        .problem(
          Failure(failure.kind, code: failure.code, "Nothing is recorded: \(failure.message)", hint: failure.hint)))
    case .ended(let finished): end(finished)
    }
  }

  // MARK: What is kept

  /// Each second: what is known about the recording under way. The files suffice where the project is locked.
  private func saveFacts() {
    guard let running, ContinuousClock.now >= nextSave else { return }
    nextSave = .now + .seconds(1)
    let facts = RecordingFacts(running.description, folder: "Audio/Recordings/\(running.folder)")
    guard facts != running.saved, (try? session.save(facts.changes(since: running.saved))) != nil else { return }
    self.running?.saved = facts
  }

  private func end(_ finished: FinishedRecording) {
    running = nil
    do {
      report(
        .recorded(
          try session.finish(finished.description, in: finished.folder, request.placement, found: finished.found)))
      // Where the disk has no room for it, 'daw clean' keeps the recording's files.
      try? finished.ledger.append(finished.unwritten + [.end(endTime: finished.description.endTime ?? 0)])
      try? finished.ledger.sync()
    } catch {
      let failure = Failure(error)
      report(
        .problem(
          Failure(
            failure.kind, code: failure.code,
            "What was recorded is in '\(finished.folder.name)', and is not in the project yet: \(failure.message)",
            hint: "'daw recover-recordings' puts it there.")))
    }
  }
}
