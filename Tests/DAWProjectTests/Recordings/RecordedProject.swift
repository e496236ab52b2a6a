import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import DAWTime
import Foundation
import Testing

/// A project with a track, and recordings that were finished for a process that is gone.
final class RecordedProject {
  let scratch: TemporaryFolder
  let folder: ProjectFolder
  let session: Session
  let origin = EditOrigin(author: "test", commandLine: "test")
  let track: TrackID

  init() throws {
    scratch = try TemporaryFolder()
    folder = ProjectFolder(path: scratch.path("Song.daw"))
    try Session.create(folder, settings: ProjectSettings(name: Name("Song")), origin: origin).close()
    session = try Session.open(folder)
    track = try session.edit(origin) { try $0.addTrack(named: "Vox").id }.value
  }

  deinit { session.close() }

  /// A process that is gone.
  static var gone: RecordingOwner {
    var owner = RecordingOwner.current
    owner.startTime += 1
    return owner
  }

  /// Records a second in three files, and finishes it unless its owner lives.
  /// - Parameters:
  ///   - isEnded: whether its process has written the ledger's end.
  ///   - isRecovered: whether it is put into the project.
  ///   - isOurs: whether its header names the project.
  ///   - trackName: what the ledger calls the track.
  ///   - pieces: where on the timeline a pass begins, and where it goes on after each locate; with their frames.
  ///   - change: of the header before it is written.
  ///   - passes: how many there are, each of a second; the first is cancelled or ended if one is to be.
  @discardableResult
  func record(
    _ number: Int64, title: String = "Verse", at milliseconds: Int64 = 1_795_357_380_000, owner: RecordingOwner = gone,
    isCancelled: Bool = false, isEnded: Bool = false, isRecovered: Bool = true, isOurs: Bool = false,
    channels: Int = 1, trackName: String = "Vox", pieces: [(at: Int64, frames: Int)] = [(0, 48_000)], passes: Int = 1,
    change: (inout RecordingHeader) -> Void = { _ in }
  ) throws -> RecordingID {
    let recording = try RecordingFolder(
      creatingIn: Place(root: folder.path, ["Audio", "Recordings"]), title: title, startTime: milliseconds)
    var header = try RecordingHeader(
      project: isOurs ? session.read { try $0.header().id.uuidString } : "", recording: number, title: title,
      startTime: milliseconds, sampleRate: 48_000, encoding: .int24,
      segmentFrames: 20_000, owner: owner)
    change(&header)
    let ledger = try Ledger(creatingIn: recording)
    try ledger.append([.begin(header)])
    let sound = PlanarBuffer(channelCount: channels, capacity: 48_000)
    for channel in 0..<channels {
      for frame in 0..<48_000 { sound.mutableChannels[channel][frame] = Float((frame + Int(number)) % 1_000) / 1_024 }
    }
    for index in 0..<passes {
      let id = number * 10 + 2 * Int64(index)
      let pass = PassHeader(
        pass: id + 1, take: id + 2, track: track.rawValue, trackName: trackName, number: index + 1,
        channelCount: channels)
      let writer = try SegmentWriter(in: recording, pass: pass, header: header, firstSegment: 3 * index + 1)
      for piece in pieces {
        writer.locate(to: piece.at)
        try writer.write(sound.channels, frameCount: piece.frames)
      }
      try writer.seal()
      try ledger.append([.pass(pass)] + writer.takeRecords())
    }
    if isCancelled { try ledger.append([.cancelPass(pass: number * 10 + 1)]) }
    if isEnded {
      try ledger.append([.endPass(pass: number * 10 + 1, frames: 48_000), .end(endTime: milliseconds + 1_000)])
    }
    guard isRecovered, !owner.isAlive else { return RecordingID(rawValue: number) }
    for recovered in try session.recoverRecordings().recovered { _ = try recovered.outcome.get() }
    return RecordingID(rawValue: number)
  }

  func facts(_ id: RecordingID) throws -> RecordingFacts? { try session.read { try $0.recordings.facts(of: id) } }

  /// Takes a recording's regions away, as a user would.
  func removeTakes(of id: RecordingID) throws {
    _ = try session.edit(origin) { try $0.removeTakes(["id:" + TakeID(rawValue: id.rawValue * 10 + 2).uuidString]) }
  }

  /// Paths within the project's folder, with the bytes of the files.
  func files(_ path: String = "Audio") throws -> [String: Data] {
    let root = folder.path + "/" + path
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
    return Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        (try? Data(contentsOf: URL(fileURLWithPath: root + "/" + name))).map { (name, $0) }
      })
  }

  func path(_ id: RecordingID) throws -> String { try #require(try facts(id)).recording.folder }

  /// What is thrown.
  func failure(_ body: () throws -> Void) -> Failure? {
    do {
      try body()
      return nil
    } catch {
      return Failure(error)
    }
  }
}
