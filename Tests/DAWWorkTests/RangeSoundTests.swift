import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWWork

/// Of recordings of 48,000 frames in segments of 20,000, 20,000 and 8,000.
@Suite("The sound of a range")
struct RangeSoundTests {
  private let song: RecordedSong
  private let recording: RecordingID
  private let pass = PassID(rawValue: 11)
  private let whole: [Float]

  init() throws {
    song = try RecordedSong()
    recording = try song.record(1, endingAt: Timestamp(milliseconds: 1_700_000_000_000), isUsed: true)
    whole = try song.samples(recording)
  }

  private func sound(ofSegment index: Int, frames: Int64? = nil) throws -> RangeSound {
    let segment = try song.segments(recording)[index]
    let range = SoundRange(
      .segment(pass, segment.index), start: segment.start,
      frames: frames.map(FrameCount.init(frames:)) ?? segment.frames, sampleRate: SampleRate(hertz: 48_000))
    return try RangeSound(range, of: song.session, isAlone: false)
  }

  private func expect(_ sound: RangeSound, _ expected: [Float], lead: Int, count: Int) {
    #expect(sound.samples == expected && sound.lead == lead && sound.rangeCount == count)
  }

  @Test("It has a second of what is around it, as far as there is one")
  func around() throws {
    expect(try sound(ofSegment: 0), whole, lead: 0, count: 20_000)
    expect(try sound(ofSegment: 1), whole, lead: 20_000, count: 20_000)
    expect(try sound(ofSegment: 2), whole, lead: 40_000, count: 8_000)
  }

  @Test("What is around it and lost is silent", arguments: [true, false])
  func lost(isNoted: Bool) throws {
    let segments = try song.segments(recording)
    for segment in [segments[0], segments[2]] {
      try FileManager.default.removeItem(atPath: song.session.folder.absolute(segment.path))
      if isNoted { try song.session.store.recordings.set(.missing, ofSegments: [segment.index], of: pass) }
    }
    let silence = [Float](repeating: 0, count: 20_000)
    expect(try sound(ofSegment: 1), silence + whole[20_000..<40_000], lead: 20_000, count: 20_000)
    #expect(throws: AudioFileError.self) { try sound(ofSegment: 0) }
  }

  @Test("A row that claims to lie beyond all frames does no harm")
  func beyond() throws {
    var facts = try #require(try song.session.read { try $0.recordings.facts(of: recording) })
    facts.segments[2].start = FrameCount(frames: .max)
    facts.segments[2].state = .missing
    try song.session.store.recordings.replace(facts)
    expect(try sound(ofSegment: 1), Array(whole[..<40_000]), lead: 20_000, count: 20_000)
  }

  @Test("What a row claims takes no memory: the file tells how long it is")
  func claims() throws {
    let day = Int64(86_390 * 48_000)
    var facts = try #require(try song.session.read { try $0.recordings.facts(of: recording) })
    facts.segments.removeLast(2)
    facts.segments[0].frames = FrameCount(frames: day)
    facts.passes[0].frames = FrameCount(frames: day)
    try song.session.store.recordings.replace(facts)
    expect(try sound(ofSegment: 0, frames: day), Array(whole[..<20_000]), lead: 0, count: 20_000)
  }

  @Test("Channels whose sum is beyond all numbers are written for an engine at another rate")
  func beyondNumbers() throws {
    let path = song.scratch.path("loud.wav")
    let writer = try WaveWriter(
      at: Place(path: path),
      format: AudioFileFormat(encoding: .float32, sampleRate: SampleRate(hertz: 48_000), channelCount: 2))
    let samples = [Float](repeating: .greatestFiniteMagnitude, count: 2 * 48_000)
    try samples.withUnsafeBufferPointer { block in
      if let base = block.baseAddress { try writer.append(interleaved: base, frameCount: 48_000) }
    }
    try writer.finish()
    let file = try song.session.edit(song.origin) { try $0.importAudioFile(at: path, isLinked: false).file }.value
    let range = try #require(ProjectView.ranges(of: file).first)
    let sound = try RangeSound(range, of: song.session, isAlone: true)
    #expect(!sound.isSilent)
    let place = Place(path: song.scratch.path("sound.wav"))
    try sound.write(for: .pocketsphinx, at: place)
    #expect(try FileManager.default.attributesOfItem(atPath: place.path)[.size] as? Int == 44 + 2 * 16_000)
  }
}
