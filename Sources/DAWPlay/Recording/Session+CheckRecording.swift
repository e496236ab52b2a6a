import DAWEngine
import DAWErrors
import DAWInstruments
import DAWJack
import DAWMedia
import DAWProject
import Glibc

/// What a recording would be made of.
public struct RecordingReadiness: Encodable, Sendable {
  public struct Track: Encodable, Sendable {
    public var name: String
    /// The ports it is connected to; `nil` where the user connects it.
    public var sources: [String?]
  }

  public var tracks: [Track]
  /// Hertz, of the server and the project.
  public var sampleRate: Int
  /// Bytes on the project's disk that may be used.
  public var room: Int64
  /// How long these last; `nil` where only MIDI is recorded, which takes next to none.
  public var seconds: Double?
}

extension Session {
  /// Makes every check that `record` makes: tracks, ports, rate, room, and whether the folder can be written.
  /// - Throws: `Failure`, the one that `record` would end with.
  public func checkRecording(_ record: RecordRequest, _ request: PlayRequest) throws -> RecordingReadiness {
    try failing {
      let (project, rate) = try read { view in
        let timeline = try Timeline(view, playhead: Timeline.noPlayhead)
        try request.validate(in: timeline)
        return (try view.project(), try view.header().settings.sampleRate)
      }
      let engine = LiveEngine(LiveOptions(sampleRate: rate.hertz)) { try FluidSynthInstrument(plan: $0) }
      defer { engine.shutDown() }
      let client = try Player.openClient(self, request, rate, engine, nil)
      defer { client.close() }
      if case .ports(let names) = request.connection, let missing = names.first(where: { !client.hasPort($0) }) {
        throw Failure(JackError.connection(port: missing), server: request.server, folder: folder.name)
      }
      let tracks = try Recorder(self, record, of: request, sampleRate: rate, output: nil) { _ in }
        .validate(project, client)
      let room = try room(for: record)
      let perSecond = tracks.reduce(0) { $0 + $1.channelCount } * record.encoding.bytesPerSample * rate.hertz
      return RecordingReadiness(
        tracks: tracks.map { RecordingReadiness.Track(name: $0.name, sources: $0.sources) }, sampleRate: rate.hertz,
        room: room, seconds: perSecond > 0 ? Double(room) / Double(perSecond) : nil)
    }
  }

  /// Checks that the folder can be written, and that of `--spill`, which is made if it is missing.
  /// - Returns: bytes that may be used.
  /// - Throws: `Failure`.
  func room(for request: RecordRequest) throws -> Int64 {
    let state = "Nothing is recorded."
    let folder = try folder.openToWrite(recordings, state: state, orElse: "record into another project")
    let free = folder.freeByteCount ?? .max
    guard free > request.leastFreeBytes else {
      throw Failure(
        .io, code: "diskFull",
        "The disk has \(free >> 20) MiB free, and \(request.leastFreeBytes >> 20) are to stay so. \(state)",
        hint: "Free some, or leave less with '--min-free'.")
    }
    if let spill = request.spill { try requireWritable(spill: spill, state: state) }
    return free - request.leastFreeBytes
  }

  private func requireWritable(spill: String, state: String) throws {
    let place = Place(root: spill)
    let name = ".daw-\(getpid())"
    do throws(SystemCallFailure) {
      try place.makeRoot()
      let folder = try place.open()
      try folder.makeFolder(name, mode: 0o700)
      try folder.removeFolder(name)
    } catch {
      throw Failure(
        .cannotCreate, code: "cannotCreate",
        "Nothing can be written to '\(spill)', the folder of '--spill': \(String(cString: strerror(error.code))). \(state)",
        hint: "Name a folder on another disk that you may write to, or leave out '--spill'.")
    }
  }
}
