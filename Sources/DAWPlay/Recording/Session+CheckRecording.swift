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
  /// As sentences: what would not keep it from recording.
  public var warnings: [String]
}

/// The room on the disk for what is recorded.
struct RecordingRoom {
  /// That may be used.
  var byteCount: Int64
  /// Why the folder of `--spill` is of no use; `nil` if it can be used, or none was named.
  var warning: Failure?
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
      let room = try room(for: record, isTrial: true)
      let perSecond = tracks.reduce(0) { $0 + $1.channelCount } * record.encoding.bytesPerSample * rate.hertz
      return RecordingReadiness(
        tracks: tracks.map { RecordingReadiness.Track(name: $0.name, sources: $0.sources) }, sampleRate: rate.hertz,
        room: room.byteCount, seconds: perSecond > 0 ? Double(room.byteCount) / Double(perSecond) : nil,
        warnings: [room.warning?.message].compactMap(\.self))
    }
  }

  /// Checks that the folder can be written, and that of `--spill`.
  /// - Parameter isTrial: whether nothing is made or changed.
  /// - Throws: `Failure`.
  func room(for request: RecordRequest, isTrial: Bool = false) throws -> RecordingRoom {
    let state = "Nothing is recorded."
    let opened = try openRecordings(isTrial: isTrial, state: state)
    let free = opened.freeByteCount ?? .max
    guard free > request.leastFreeBytes else {
      throw Failure(
        .io, code: "diskFull",
        "The disk has \(free >> 20) MiB free, and \(request.leastFreeBytes >> 20) MiB are to stay so. \(state)",
        hint: "Free some, or leave less with '--min-free'.")
    }
    var room = RecordingRoom(byteCount: free - request.leastFreeBytes)
    if let spill = request.spill, try openSpill(spill, isTrial: isTrial, state: state).isOnFileSystem(of: opened) {
      room.warning = Failure(
        .invalid, code: "sameDisk",
        "'\(spill)', the folder of '--spill', is on the project's own disk: it helps nothing when that is full.",
        hint: "Name a folder on another disk.")
    }
    return room
  }

  /// Opens the folder of the recordings; in a trial, where it is missing, the nearest above it that is there.
  private func openRecordings(isTrial: Bool, state: String) throws -> Folder {
    var place = recordings
    if isTrial { while !place.names.isEmpty, Self.isMissing(place) { place = place.parent } }
    let way = "record into another project"
    let opened = try folder.openToWrite(place, state: state, orElse: way, isPrivate: !isTrial)
    guard opened.isWritable else {
      throw Failure(
        .cannotCreate, code: "cannotCreate", "Nothing can be written to '\(place.path)'. \(state)",
        hint: "Change its permissions, or \(way).")
    }
    return opened
  }

  private static func isMissing(_ place: Place) -> Bool {
    do throws(SystemCallFailure) { _ = try place.open() } catch { return error.code == ENOENT }
    return false
  }

  /// Opens the folder of `--spill`. It is not made: one that was mistyped, or is to be on a disk that is not mounted,
  /// would be on the system's disk.
  private func openSpill(_ path: String, isTrial: Bool, state: String) throws -> Folder {
    let probe = ".daw-\(getpid())"
    do throws(SystemCallFailure) {
      let opened = try Folder(path: path)
      if isTrial {
        guard opened.isWritable else { throw SystemCallFailure(call: "access", code: errno) }
      } else {
        try opened.makeFolder(probe, mode: 0o700)
        try opened.removeFolder(probe)
      }
      return opened
    } catch {
      guard error.code != ENOENT else {
        throw Failure(
          .cannotCreate, code: "folderNotFound", "There is no folder '\(path)' for '--spill'. \(state)",
          hint: "Make it first: mkdir \(shellQuoted(path)). Where it is on a disk of its own, mount that.")
      }
      throw Failure(
        .cannotCreate, code: "cannotCreate",
        "Nothing can be written to '\(path)', the folder of '--spill': \(String(cString: strerror(error.code))). \(state)",
        hint: "Name a folder on another disk that you may write to, or leave out '--spill'.")
    }
  }
}
