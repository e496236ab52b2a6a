import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import DAWTime
import Foundation

/// A project with tracks, and recordings that were finished for a process that is gone.
final class RecordedSong {
  let scratch: TemporaryFolder
  let folder: ProjectFolder
  let session: Session
  /// By the channels of what is recorded on it.
  private let tracks: [TrackID]
  let origin = EditOrigin(author: "test", commandLine: "test")
  static let day: Int64 = 86_400_000

  init() throws {
    scratch = try TemporaryFolder()
    folder = ProjectFolder(path: scratch.path("Song.daw"))
    let origin = EditOrigin(author: "test", commandLine: "test")
    try Session.create(folder, settings: ProjectSettings(name: Name("Song")), origin: origin).close()
    session = try Session.open(folder)
    tracks = try session.edit(origin) { editor in try ["Vox", "Wide"].map { try editor.addTrack(named: $0).id } }.value
  }

  deinit { session.close() }

  /// Records a second in three files, and finishes the recording.
  /// - Parameter isUsed: whether the region of its take stays.
  @discardableResult
  func record(
    _ number: Int64, endingAt time: Timestamp, channels: Int = 1, encoding: SampleEncoding = .int24,
    isUsed: Bool = false
  ) throws -> RecordingID {
    var owner = RecordingOwner.current
    owner.startTime += 1
    let recording = try RecordingFolder(
      creatingIn: Place(root: folder.path, ["Audio", "Recordings"]), title: "\(number)",
      startTime: time.milliseconds - 1_000)
    let header = RecordingHeader(
      project: "", recording: number, title: "\(number)", startTime: time.milliseconds - 1_000, sampleRate: 48_000,
      encoding: encoding, segmentFrames: 20_000, owner: owner)
    let pass = PassHeader(
      pass: number * 10 + 1, take: number * 10 + 2, track: tracks[channels - 1].rawValue, trackName: "Vox",
      channelCount: channels)
    let ledger = try Ledger(creatingIn: recording)
    let writer = try SegmentWriter(in: recording, pass: pass, header: header)
    let sound = PlanarBuffer(channelCount: channels, capacity: 48_000)
    for channel in 0..<channels {
      for frame in 0..<48_000 {
        let angle = 2 * Double.pi * 440 * Double(channel + 1) * Double(frame) / 48_000
        sound.mutableChannels[channel][frame] = Float(Foundation.sin(angle) / 2)
      }
    }
    writer.locate(to: 0)
    try writer.write(sound.channels, frameCount: 48_000)
    try writer.seal()
    var records: [LedgerRecord] = [.begin(header), .pass(pass)] + writer.takeRecords()
    records += [.endPass(pass: pass.pass, frames: 48_000), .end(endTime: time.milliseconds)]
    try ledger.append(records)
    for recovered in try session.recoverRecordings().recovered { _ = try recovered.outcome.get() }
    if !isUsed {
      _ = try session.edit(origin) { try $0.removeTakes(["id:" + TakeID(rawValue: number * 10 + 2).uuidString]) }
    }
    return RecordingID(rawValue: number)
  }

  func set(_ retention: Retention) throws {
    _ = try session.edit(origin) { editor in
      var change = Change<ProjectSettings>()
      change.set(\.retention, to: retention)
      _ = try editor.setProject(change)
    }
  }

  func segments(_ id: RecordingID) throws -> [RecordedSegment] {
    try session.read { try $0.recordings.segments(of: id) }
  }

  /// The folder of a recording.
  func path(_ id: RecordingID) throws -> String {
    folder.path + "/" + (try session.read { try $0.recordings.recording(id) }?.folder ?? "")
  }

  /// The names of the files in it that hold sound.
  func soundFiles(_ id: RecordingID) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(id))
      .filter { [".wav", ".flac", ".ogg"].contains(where: $0.hasSuffix) || $0.contains("partial") }.sorted()
  }

  /// All samples of its take, interleaved.
  func samples(_ id: RecordingID, blocks: [Int] = [48_000]) throws -> [Float] {
    let reader = try AudioFileReader(path: path(id) + "/Vox.1.take")
    let channels = reader.facts.channelCount
    var samples = [Float](repeating: .nan, count: 48_000 * channels)
    var frame = 0
    var turn = 0
    while frame < 48_000 {
      let count = blocks[turn % blocks.count]
      turn += 1
      frame += try samples.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return 0 }
        return try reader.read(at: Int64(frame), count: count, into: base + frame * channels)
      }
    }
    return samples
  }
}
