import DAWMedia
import DAWModel
import DAWProject
import DAWTestSupport
import Foundation

extension RecordedProject {
  /// Records a second in three files for a process that is gone. The second and the third are in a spill folder.
  /// - Parameter isRecovered: whether it is put into the project.
  /// - Returns: the recording, and the path of the spill folder.
  func recordSpilled(_ number: Int64, isRecovered: Bool = true) throws -> (id: RecordingID, spill: String) {
    let (title, time) = ("Spilled \(number)", Int64(1_795_357_380_000))
    let recording = try RecordingFolder(
      creatingIn: Place(root: folder.path, ["Audio", "Recordings"]), title: title, startTime: time)
    let spill = try RecordingFolder(creatingIn: Place(path: scratch.path("disk")), title: title, startTime: time)
    let header = RecordingHeader(
      project: "", recording: number, title: title, startTime: time, sampleRate: 48_000, encoding: .int24,
      segmentFrames: 20_000, owner: Self.gone)
    let ledger = try Ledger(creatingIn: recording)
    try ledger.append([.begin(header)])
    let pass = PassHeader(
      pass: number * 10 + 1, take: number * 10 + 2, track: track.rawValue, trackName: "Vox", channelCount: 1)
    let sound = PlanarBuffer(channelCount: 1, capacity: 48_000)
    for frame in 0..<48_000 { sound.mutableChannels[0][frame] = Float((frame + Int(number)) % 1_000) / 1_024 }
    let writer = try SegmentWriter(in: recording, pass: pass, header: header)
    writer.locate(to: 0)
    try writer.write(sound.channels, frameCount: 20_000)
    writer.spill = spill
    try writer.write(sound.channels, frameCount: 28_000)
    try withExtendedLifetime(sound) { _ = try writer.seal() }
    try ledger.append([.pass(pass)] + writer.takeRecords())
    if isRecovered { for recovered in try session.recoverRecordings().recovered { _ = try recovered.outcome.get() } }
    return (RecordingID(rawValue: number), spill.place.path)
  }
}
