import CSQLiteSession
import DAWModel
import DAWTestSupport
import DAWTime
import Foundation
import GRDB

@testable import DAWStore

/// A folder that is deleted with the value.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("daw-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var project: String { path + "/project.sqlite" }
}

/// A project with one or two rows of every entity.
enum SampleProject {
  static func edits() throws -> [Edit] {
    let file = audioFile(1, channels: 2)
    let midi = Region(
      id: RegionID(rawValue: 21), track: TrackID(rawValue: 11), name: Name(literal: "Riff"), start: .musical(.zero),
      content: .midi(TickCount(ticks: 61_440)))
    return [
      .add(file), .add(audioFile(2, channels: 4)),
      .add(SoundFont(id: SoundFontID(rawValue: 1), location: location(9))),
      .add(track(10, "Drums", .audio)), .add(track(11, "Keys", .midi)), .add(instrument(11)),
      .add(track(12, "Bus", .bus)),
      .add(track(13, "Voice", .audio, channels: 1)), .add(region(20, on: 10, over: file)),
      .add(midi), .add(region(22, on: 13, over: file, channels: .left)),
      .add([
        MIDINote(id: NoteID(rawValue: 30), region: midi.id, duration: TickCount(ticks: 960)),
        MIDINote(
          id: NoteID(rawValue: 31), region: midi.id, pitch: 64, start: TickCount(ticks: 960),
          duration: TickCount(ticks: 960)),
      ]),
      .add([
        event(40, .controller(number: 64, value: 127)), event(41, .pitchBend(-8192), at: 960),
        event(42, .program(5, bank: 128)), event(43, .channelPressure(3)),
        event(44, .polyPressure(pitch: 60, value: 1), at: 61_440), event(45, .systemExclusive([0xf0, 0x7e, 0xf7])),
        event(46, .meta(type: 5, Array("la".utf8))), event(47, .meta(type: 1, [])),
      ]),
      .add(TempoChange(id: TempoChangeID(rawValue: 50), position: TickPosition(ticks: 61_440), tempo: Tempo(bpm: 90))),
      .add(MeterChange(id: MeterChangeID(rawValue: 51), bar: 10, timeSignature: TimeSignature(7, over: 8))),
      .add(KeySignature(id: KeySignatureID(rawValue: 52), position: .zero, fifths: -3, isMinor: true)),
      .add(
        Marker(
          id: MarkerID(rawValue: 53), name: Name(literal: "Verse"), start: .musical(.zero),
          length: .musical(TickCount(ticks: 61_440)), color: .blue)),
      .add(track(16, "Echo", .bus)),
      .add(Send(id: SendID(rawValue: 70), from: TrackID(rawValue: 10), to: TrackID(rawValue: 16))),
      .add(TrackGroup(id: TrackGroupID(rawValue: 80), name: Name(literal: "Band"))),
      .add(
        [(90, 10), (91, 11)].map { id, track in
          GroupMember(
            id: GroupMemberID(rawValue: id), of: TrackGroupID(rawValue: 80), track: TrackID(rawValue: track))
        }),
      .add(
        Effect(
          id: EffectID(rawValue: 100), on: TrackID(rawValue: 10), .compressor, orderKey: OrderKey(unchecked: "V"),
          key: TrackID(rawValue: 13))),
      .add(
        EffectSetting(
          id: EffectSettingID(rawValue: 110), of: EffectID(rawValue: 100), parameter: "ratio", value: 8)),
      .add([
        Lane(id: LaneID(rawValue: 120), of: .track(TrackID(rawValue: 10)), parameter: "volume"),
        Lane(
          id: LaneID(rawValue: 121), of: .send(SendID(rawValue: 70)), parameter: "mute", timeBase: .absolute,
          isRead: false),
        Lane(id: LaneID(rawValue: 122), of: .group(TrackGroupID(rawValue: 80)), parameter: "volume"),
        Lane(id: LaneID(rawValue: 123), of: .effect(EffectID(rawValue: 100)), parameter: "bypass"),
      ]),
      .add([
        LanePoint(id: LanePointID(rawValue: 130), lane: LaneID(rawValue: 120), value: -.infinity),
        LanePoint(
          id: LanePointID(rawValue: 131), lane: LaneID(rawValue: 120), position: 960, value: -6.5, shape: .sCurve),
      ]),
      .add(Array(comments.prefix(3))), .add(Array(comments.suffix(1))),
      .add(
        Take(
          id: TakeID(rawValue: 140), track: TrackID(rawValue: 10), name: Name(literal: "Take 1"), rating: 4,
          tags: Tags(["good", "loud"]), pass: PassID(rawValue: 150))),
      .add(part(ofTake: 140, over: file)),
      .add(RecordingNote(id: RecordingNoteID(rawValue: 160), title: "Verse", notes: "Two takes.\nLoud.")),
      .add(commentOnRecording),
      .add(TranscriptText(id: TranscriptTextID(rawValue: 170), text: "Good morning.\nHello.")),
    ]
  }

  static func midiRegion() throws -> Region? {
    for case .add(let rows) in try edits() {
      if let region = rows.of(Region.self)?.first(where: { $0.regionType == .midi }) { return region }
    }
    return nil
  }

  static func event(_ id: Int64, _ message: RegionEvent.Message, at start: Int64 = 0) -> RegionEvent {
    RegionEvent(
      id: EventID(rawValue: id), region: RegionID(rawValue: 21), start: TickCount(ticks: start),
      channel: message.kind.hasChannel ? 15 : 0, message: message)
  }

  static func location(_ number: Int) -> MediaLocation {
    MediaLocation(
      path: "Audio/\(number).wav", sha256: String(repeating: "\(number)", count: 64), byteCount: 100,
      modificationTime: 0)
  }

  static func audioFile(_ id: Int64, channels: Int) -> AudioFile {
    AudioFile(
      id: AudioFileID(rawValue: id), location: location(Int(id)), frames: FrameCount(frames: 48_000),
      sampleRate: SampleRate(hertz: 48_000), channelCount: channels, format: "WAV, 24-bit PCM")
  }

  static func track(_ id: Int64, _ name: StaticString, _ type: TrackType, channels: Int? = nil) -> Track {
    Track(
      id: TrackID(rawValue: id), name: Name(literal: name), orderKey: OrderKey(unchecked: "V\(id)1"), trackType: type,
      channelCount: channels)
  }

  static func instrument(_ track: Int64) -> Instrument {
    Instrument(of: TrackID(rawValue: track), soundFont: SoundFontID(rawValue: 1))
  }

  static func comment(_ id: Int64) -> DAWModel.Comment {
    DAWModel.Comment(
      id: CommentID(rawValue: id), author: "ada@lab", date: Timestamp(milliseconds: 1_000_000), text: "Louder?")
  }

  private static let commentOnRecording: DAWModel.Comment = {
    var about = comment(64)
    about.recording = RecordingID(rawValue: 160)
    return about
  }()

  /// About a track, a region and a position, with a reply.
  private static let comments: [DAWModel.Comment] = {
    var comments = (60...63).map { comment($0) }
    comments[0].track = TrackID(rawValue: 10)
    comments[1].region = RegionID(rawValue: 21)
    comments[1].position = .musical(TickPosition(ticks: 960))
    comments[2].position = .absolute(.zero)
    comments[2].isResolved = true
    comments[3].thread = CommentID(rawValue: 61)
    comments[3].audioFile = AudioFileID(rawValue: 1)
    return comments
  }()

  static func region(_ id: Int64, on track: Int64, over file: AudioFile, channels: ChannelSelection = .all) -> Region {
    Region(
      id: RegionID(rawValue: id), track: TrackID(rawValue: track), name: Name(literal: "Beat"), start: .absolute(.zero),
      content: .audio(AudioSpan(file: file.id, duration: file.duration, channels: channels)))
  }

  /// Not in use.
  private static func part(ofTake take: Int64, over file: AudioFile) -> Region {
    var part = region(23, on: 10, over: file)
    (part.take, part.isInUse) = (TakeID(rawValue: take), false)
    return part
  }

  /// Creates it in a file, one edit per revision.
  static func create(at path: String) throws -> ProjectStore {
    let store = try ProjectStore.create(at: path, settings: ProjectSettings(), origin: origin)
    for edit in try edits() { _ = try store.edit(origin) { try $0.apply(edit) } }
    return store
  }
}

/// Another program's connection, with foreign keys on.
func plainConnection(to path: String) throws -> DatabaseQueue { try DatabaseQueue(path: path) }

/// Another program's connection, with all checks off.
func lawlessConnection(to path: String) throws -> DatabaseQueue {
  var configuration = Configuration()
  configuration.foreignKeysEnabled = false
  configuration.prepareDatabase { database in
    try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
    daw_enable_triggers(database.sqliteConnection, 0)
  }
  return try DatabaseQueue(path: path, configuration: configuration)
}

/// Runs a program until it ends.
func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, error: String) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments
  let pipe = Pipe()
  process.standardError = pipe
  process.standardOutput = FileHandle.nullDevice
  try process.start()
  let error = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: error, as: UTF8.self))
}
