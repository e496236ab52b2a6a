import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWWork

/// Speech through `pocketsphinx`, which is built in.
@Suite("Speech")
struct SpeechTests {
  private let folder: TemporaryFolder
  private let session: Session
  private let origin = EditOrigin(author: "test", commandLine: "test")

  init() throws {
    folder = try TemporaryFolder()
    session = try Session.create(
      ProjectFolder(path: folder.path("Song.daw")), settings: ProjectSettings(name: Name("Song")), origin: origin)
  }

  /// Transcribes a file or a recording, and all that waits.
  private func transcribe(_ names: String...) throws -> [TranscriptEntry] {
    _ = try session.transcribe(names, by: .pocketsphinx, fallback: nil, language: "en")
    let engines = EngineFolder(["XDG_CONFIG_HOME": folder.path])
    try Worker(session, work: session.work, engines: engines, program: "/bin/true", clock: { .now() }).run(.idle)
    return try names.flatMap { name in try session.read { try $0.transcriptEntries(of: name).entries } }
  }

  private func bringIn(_ path: String) throws {
    _ = try session.edit(origin) { _ = try $0.importAudioFile(at: path, isLinked: false) }
  }

  /// At 16,000 Hz.
  private func speak(_ text: String) throws -> String {
    let flite = Process()
    flite.executableURL = URL(fileURLWithPath: "/usr/bin/flite")
    flite.arguments = ["-voice", "rms", "-t", text, "-o", folder.path("made.wav")]
    try flite.start()
    flite.waitUntilExit()
    return folder.path("made.wav")
  }

  /// How many of the words were heard, in order: each is looked for behind the last that was found, near it.
  private func knownCount(of said: [String], in heard: [String]) -> Int {
    var heard = heard
    return said.count { word in
      guard let place = heard.prefix(6).firstIndex(of: word) else { return false }
      heard.removeSubrange(...place)
      return true
    }
  }

  private static let sentences = [
    "the quick brown fox jumps over the lazy dog", "we will meet again in the morning",
    "there is a great deal of water in the river", "he opened the window and looked into the garden",
  ]

  private static var said: [String] { sentences.joined(separator: " ").split(separator: " ").map(String.init) }

  @Test("At least nine of ten words of speech that flite has made are heard, in order")
  func made() throws {
    try bringIn(speak(Self.sentences.joined(separator: ". ") + "."))
    let found = try #require(try transcribe("made.wav").first)
    let known = knownCount(of: Self.said, in: found.transcript.words.map(\.word))
    #expect(known * 10 >= Self.said.count * 9, "\(known) of \(Self.said.count): \(found.text)")
    #expect(found.transcript.engine == "pocketsphinx" && (found.transcript.confidence ?? 0) > 0.5)
    let starts = found.transcript.words.map(\.start)
    #expect(starts == starts.sorted())
  }

  @Test("Of sentences that a person has read most words are heard")
  func read() throws {
    let data = "/usr/share/pocketsphinx/test/data/librivox"
    // <s> he was not an ill disposed young man </s> (name)
    let lines = try String(contentsOfFile: data + "/transcription", encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 5)
    var (said, known) = (0, 0)
    for line in lines {
      let parts = try #require(try /<s> (.*) <\/s> \((.*)\)/.wholeMatch(in: line))
      try bringIn("\(data)/\(parts.2).wav")
      let words = parts.1.split(separator: " ").map(String.init)
      let heard = try transcribe("\(parts.2).wav").flatMap(\.transcript.words).map(\.word)
      said += words.count
      known += knownCount(of: words, in: heard)
    }
    #expect(known * 10 >= said * 6, "\(known) of \(said)")
  }

  @Test("A recording whose segments divide words has each word once")
  func segments() throws {
    let path = try speak(Self.sentences.joined(separator: ". ") + ".")
    try bringIn(path)
    let whole = try transcribe("made.wav").flatMap(\.transcript.words)
    // In the middle of words of some length, at least 2 s apart.
    var cuts: [Int] = []
    for word in whole where word.end - word.start > 0.3 && word.start > (Double(cuts.last ?? 0) / 16_000) + 2 {
      cuts.append(Int((word.start + word.end) / 2 * 16_000))
    }
    #expect(cuts.count >= 3)
    try record(path, cuts)
    let entries = try transcribe("Divided")
    #expect(entries.count == cuts.count + 1)
    let heard = entries.flatMap(\.transcript.words).map(\.word)
    let known = knownCount(of: Self.said, in: heard)
    #expect(known * 10 >= Self.said.count * 9, "\(known) of \(Self.said.count): \(heard)")
    let divided = Set(
      whole.filter { word in cuts.contains { Double($0) / 16_000 > word.start && Double($0) / 16_000 < word.end } }.map(
        \.word))
    for word in divided {
      #expect(heard.count { $0 == word } == whole.count { $0.word == word }, "\(word): \(entries.map(\.text))")
    }
    let written = try session.exportTranscript(of: "Divided", as: .txt, to: nil, overwrites: false)
    #expect(written.text.split(whereSeparator: \.isWhitespace).map(String.init) == heard && written.warnings.isEmpty)
    // A word that is divided belongs to one of its segments, and may reach beyond it.
    #expect(
      entries.flatMap { entry in entry.transcript.words.map { ($0.start + $0.end) / 2 - entry.duration } }.allSatisfy {
        $0 < 0
      })
  }

  /// Makes a recording, "Divided", of a file, in segments that begin at the cuts.
  private func record(_ path: String, _ cuts: [Int]) throws {
    let reader = try AudioFileReader(path: path)
    let count = Int(reader.facts.frames.frames)
    #expect(reader.facts.sampleRate.hertz == 16_000 && reader.facts.channelCount == 1)
    var samples = [Float](repeating: 0, count: count)
    let done = try samples.withUnsafeMutableBufferPointer { block in
      try block.baseAddress.map { try reader.read(at: 0, count: count, into: $0) }
    }
    #expect(done == count)
    let recordings = "Audio/Recordings/x"
    try FileManager.default.createDirectory(
      atPath: folder.path("Song.daw/\(recordings)"), withIntermediateDirectories: true)
    let (id, pass, now) = (RecordingID(rawValue: 1), PassID(rawValue: 101), Timestamp(milliseconds: 1_000))
    var segments: [RecordedSegment] = []
    for (index, (start, end)) in zip([0] + cuts, cuts + [count]).enumerated() {
      let name = "\(recordings)/Vox.000\(index + 1).wav"
      let writer = try WaveWriter(
        at: Place(path: folder.path("Song.daw/\(name)")),
        format: AudioFileFormat(encoding: .int16, sampleRate: SampleRate(hertz: 16_000), channelCount: 1))
      try Array(samples[start..<end]).withUnsafeBufferPointer { block in
        if let base = block.baseAddress { try writer.append(interleaved: base, frameCount: end - start) }
      }
      try writer.finish()
      segments.append(
        RecordedSegment(
          pass: pass, index: index, start: FrameCount(frames: Int64(start)),
          frames: FrameCount(frames: Int64(end - start)),
          path: name, createdAt: now, state: .sealed))
    }
    let frames = FrameCount(frames: Int64(count))
    try session.store.recordings.save(
      RecordingFacts(
        Recording(
          id: id, createdAt: now, startTime: now, endTime: now, isCompleted: true, duration: frames,
          sampleRate: SampleRate(hertz: 16_000), folder: recordings),
        passes: [RecordedPass(id: pass, recording: id, track: TrackID(rawValue: 5), startTime: now, frames: frames)],
        segments: segments, gaps: []))
    _ = try session.edit(origin) {
      try $0.apply(.add(RecordingNote(id: RecordingNoteID(rawValue: 1), title: "Divided")))
    }
  }
}
