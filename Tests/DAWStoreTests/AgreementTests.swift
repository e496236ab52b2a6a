import DAWModel
import DAWTestSupport
import DAWTime
import GRDB
import Testing

@testable import DAWStore

/// Swift's rules and the schema's constraints accept the same rows.
///
/// Random texts do not contain U+0000, since GRDB truncates texts there. Swift refuses it, and so does the schema if
/// another program manages to bind it.
@Suite("Swift and SQL")
struct AgreementTests {
  private let scalars: [Unicode.Scalar] = [
    "a", "Z", "ß", "é", "e", "\u{301}", "\u{1}", "\t", "\n", " ", "\u{7f}", "\u{85}", "\u{9f}", "\u{a0}", "\u{2028}",
    "\u{200b}", "\u{3000}", "/", "[", "]", "*", "^", "'", "🎹",
  ]

  @Test("accept the same names, but for Unicode form NFC, which SQLite does not know")
  func names() throws {
    try compare(1000) { generator in
      let count = Int.random(in: 0...4, using: &generator)
      var text = String(
        String.UnicodeScalarView((0..<count).compactMap { _ in scalars.randomElement(using: &generator) }))
      if Int.random(in: 0..<10, using: &generator) == 0 {
        text = String(repeating: "é", count: Int.random(in: 253...257, using: &generator))
      }
      guard text.precomposedStringWithCanonicalMapping.unicodeScalars.elementsEqual(text.unicodeScalars) else {
        return nil
      }
      var settings = ProjectSettings()
      settings.name = Name(unchecked: text)
      settings.retention.recordings = days([1, 36_500], &generator)
      settings.retention.transcripts = days([1, 36_500], &generator)
      settings.retention.compressAfter = days([1, 36_500], &generator)
      if Bool.random(using: &generator) {
        settings.retention.newest = Int(integer([1, 1_000_000], &generator))
        settings.retention.thread = Int(integer([1, 1_000], &generator))
        settings.retention.trash = Days(Int(integer([0, 36_500], &generator)))
      }
      return row(settings) { try settings.validate() }
    }
  }

  @Test("accept the same tracks")
  func tracks() throws {
    try compare(1500) { generator in
      let type = TrackType.allCases.randomElement(using: &generator) ?? .audio
      var track = SampleProject.track(50, "Fifty", type)
      switch Int.random(in: 0..<13, using: &generator) {
      case 9: track.trim = Level(decibels: number(-24...24, &generator))
      case 10: track.stereoWidth = number(-1...2, &generator)
      case 11:
        track.outputBus = TrackID(rawValue: [12, 16, 50].randomElement(using: &generator) ?? 12)
        track.isOutputConnected = Int.random(in: 0..<3, using: &generator) > 0
      case 12: track.invertedSides = .both
      case 0: track.volume = Level(decibels: number(-60...12, &generator))
      case 1: track.pan = Pan(position: number(-1...1, &generator))
      case 2: track.channelCount = [nil, 0, 1, 2, 3].randomElement(using: &generator) ?? nil
      case 3:
        track.color = Color(
          unchecked: ["red", "Red", "#00ff00", "#00FF00", "#0f0", "", "00ff00"].randomElement(using: &generator) ?? "")
      case 4:
        track.orderKey = OrderKey(
          unchecked: ["", "0", "a", "a0", "~", "~~", "V-1", String(repeating: "z", count: 201)].randomElement(
            using: &generator) ?? "")
      case 7:
        track.midiOutput =
          [
            "a:b", "a:", ":b", "ab", "::b", ":a:", ":", "", "é:1", "a\u{7f}:b",
            String(repeating: "é", count: 253) + ":1",
            String(repeating: "é", count: 254) + ":1",
          ].randomElement(using: &generator)
      default: break
      }
      guard track.trackType != .master else { return nil }
      return Sample(sql: Track.sql.insert, arguments: track.arguments, text: "\(track)") { try track.validate() }
    }
  }

  @Test("accept the same instruments")
  func instruments() throws {
    try compare(1500) { generator in
      var instrument = Instrument(of: TrackID(rawValue: 14))
      switch Int.random(in: 0..<11, using: &generator) {
      case 0: instrument.gain = Level(decibels: number(-60...12, &generator))
      case 1: instrument.reverb.roomSize = number(0...1, &generator)
      case 2: instrument.reverb.damping = number(0...1, &generator)
      case 3: instrument.reverb.width = number(0...100, &generator)
      case 4: instrument.reverb.level = number(0...1, &generator)
      case 5: instrument.chorus.voiceCount = Int(integer([0, 99], &generator))
      case 6: instrument.chorus.level = number(0...10, &generator)
      case 7: instrument.chorus.speed = number(0.1...5, &generator)
      case 8: instrument.chorus.depth = number(0...256, &generator)
      case 9: instrument.bank = [-1, 0, 16_383, 16_384].randomElement(using: &generator) ?? 0
      default: instrument.program = [-1, 0, 127, 128].randomElement(using: &generator) ?? 0
      }
      let value = instrument
      return Sample(sql: Instrument.sql.insert, arguments: value.arguments, text: "\(value)") { try value.validate() }
    }
  }

  @Test("accept the same comments")
  func comments() throws {
    try compare(1500) { generator in
      var comment = SampleProject.comment(70)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0:
        comment.text =
          [
            "", " x", "x\n", "x\u{85}", "a\nb", String(repeating: "é", count: 65_536),
            String(repeating: "x", count: 65_537), "\u{200b}", "\u{2028}x",
          ].randomElement(using: &generator) ?? ""
      case 1:
        comment.author =
          ["", "a", String(repeating: "é", count: 255), String(repeating: "é", count: 256)].randomElement(
            using: &generator) ?? ""
      case 2:
        comment.date = Timestamp(
          milliseconds: integer(
            [Timestamp.accepted.lowerBound.milliseconds, Timestamp.accepted.upperBound.milliseconds], &generator))
      case 3: comment.position = .musical(TickPosition(ticks: integer([0, TimelineLimit.ticks], &generator)))
      case 4: comment.position = .absolute(FlickPosition(flicks: integer([0, TimelineLimit.flicks], &generator)))
      case 5: comment.track = TrackID(rawValue: 10)
      case 6: comment.region = RegionID(rawValue: 21)
      case 7: comment.recording = RecordingID(rawValue: integer([1], &generator))
      case 8: comment.audioFile = AudioFileID(rawValue: 1)
      default:
        comment.thread = CommentID(rawValue: [60, 61, 70].randomElement(using: &generator) ?? 60)
        if Bool.random(using: &generator) { comment.isResolved = true }
        if Bool.random(using: &generator) { comment.recording = RecordingID(rawValue: 7) }
      }
      if Bool.random(using: &generator) { comment.track = TrackID(rawValue: 10) }
      let value = comment
      return Sample(sql: DAWModel.Comment.sql.insert, arguments: value.arguments, text: "\(value)") {
        try value.validate()
      }
    }
  }

  @Test("accept the same regions, with their tracks and files")
  func regions() throws {
    let files = [SampleProject.audioFile(1, channels: 2), SampleProject.audioFile(2, channels: 4)]
    let tracks = [
      SampleProject.track(10, "Drums", .audio), SampleProject.track(11, "Keys", .midi),
      SampleProject.track(13, "Voice", .audio, channels: 1),
    ]
    try compare(1500) { generator in
      guard let file = files.randomElement(using: &generator), let track = tracks.randomElement(using: &generator)
      else {
        return nil
      }
      let selections: [ChannelSelection] = [
        .all, .mix, .left, .right, .single(3), .pair(0, 1), .pair(3, 4), .single(9),
      ]
      let second = FlickCount.perSecond
      let span = AudioSpan(
        file: file.id, offset: FlickCount(flicks: integer([0, second - 1, second], &generator)),
        duration: FlickCount(flicks: integer([0, 1, second, TimelineLimit.flicks, .max], &generator)),
        channels: selections.randomElement(using: &generator) ?? .all)
      let length = TickCount(ticks: integer([0, TimelineLimit.ticks], &generator))
      let start: TimelinePosition =
        Bool.random(using: &generator)
        ? .musical(TickPosition(ticks: integer([0, TimelineLimit.ticks], &generator)))
        : .absolute(FlickPosition(flicks: integer([0, TimelineLimit.flicks], &generator)))
      var region = SampleProject.region(50, on: track.id.rawValue, over: file)
      region.start = start
      region.content = Bool.random(using: &generator) ? .audio(span) : .midi(length)
      let value = region
      return Sample(sql: Region.sql.insert, arguments: value.arguments, text: "\(value)") {
        try value.validate()
        try value.validate(on: track, over: file)
      }
    }
  }

  @Test("accept the same notes, with their region")
  func notes() throws {
    let region = try #require(try SampleProject.midiRegion())
    try compare(1500) { generator in
      let note = MIDINote(
        id: NoteID(rawValue: integer([40], &generator)), region: region.id,
        pitch: Int(integer([0, 127], &generator)), velocity: Int(integer([0, 127], &generator)),
        start: TickCount(ticks: integer([0, 61_440], &generator)),
        duration: TickCount(ticks: integer([1, 61_440], &generator)), channel: Int(integer([0, 15], &generator)),
        releaseVelocity: Int(integer([0, 127], &generator)))
      return Sample(sql: MIDINote.sql.insert, arguments: note.arguments, text: "\(note)") {
        try note.validate()
        try note.validate(in: region)
      }
    }
  }

  @Test("accept the same media and settings")
  func mediaAndSettings() throws {
    try compare(1000) { generator in
      if Bool.random(using: &generator) {
        var file = SampleProject.audioFile(50, channels: Int(integer([1, 1024], &generator)))
        file.location.sha256 =
          [String(repeating: "8", count: 64), String(repeating: "A", count: 64), "", "é"].randomElement(
            using: &generator) ?? ""
        file.location.path = ["Audio/x.wav", "", "x"].randomElement(using: &generator) ?? ""
        file.location.relativePath = [nil, "../x", ""].randomElement(using: &generator) ?? nil
        file.frames = FrameCount(frames: integer([1, 48_000, .max], &generator))
        file.sampleRate = SampleRate(hertz: Int(integer([1, 44_100, 10_000_000], &generator)))
        let value = file
        return Sample(sql: AudioFile.sql.insert, arguments: value.arguments, text: "\(value)") { try value.validate() }
      }
      var settings = ProjectSettings()
      settings.tempo = Tempo(nanoBPM: integer([Tempo(bpm: 5).nanoBPM, Tempo(bpm: 999).nanoBPM], &generator))
      settings.timeSignature = TimeSignature(
        Int(integer([1, 64], &generator)), over: Int(integer([1, 4, 64], &generator)))
      settings.sampleRate = SampleRate(hertz: Int(integer([44_100, 48_000], &generator)))
      return row(settings) { try settings.validate() }
    }
  }

  @Test(
    "refuse U+0000 in names and paths",
    arguments: [
      "track SET name", "region SET name", "audioFile SET path", "audioFile SET relativePath", "comment SET text",
      "comment SET author",
    ])
  func nul(column: String) throws {
    let store = try ProjectStore.inMemory()
    for edit in try SampleProject.edits() { _ = try store.edit(origin) { try $0.apply(edit) } }
    for text in ["char(0)", "'a' || char(0) || 'b'", "'a' || char(0)"] {
      #expect(throws: DatabaseError.self) {
        try store.queue.write { try $0.execute(sql: "UPDATE \(column) = \(text)") }
      }
    }
    #expect(throws: RuleViolation.self) { try Name("a\u{0}b") }
  }

  struct Sample {
    var sql: String
    var arguments: StatementArguments
    var text: String
    var validate: () throws -> Void
  }

  /// None, or a number of days near one of the places.
  private func days(_ places: [Int64], _ generator: inout SeededGenerator) -> Days? {
    Int.random(in: 0..<3, using: &generator) == 0 ? Days(Int(integer(places, &generator))) : nil
  }

  private func row(_ settings: ProjectSettings, _ validate: @escaping () throws -> Void) -> Sample {
    Sample(
      sql: "UPDATE project SET \(ProjectSettings.fields.map { "\($0.name) = ?" }.joined(separator: ", "))",
      arguments: settings.arguments, text: "\(settings)", validate: validate)
  }

  func compare(_ count: Int, _ make: (inout SeededGenerator) throws -> Sample?) throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    let store = try ProjectStore.inMemory()
    let free = Edit.add(SampleProject.track(14, "Pad", .midi))
    for edit in try SampleProject.edits() + [free] { _ = try store.edit(origin) { try $0.apply(edit) } }
    var accepted = 0
    for _ in 0..<count {
      guard let sample = try make(&generator) else { continue }
      let isValid = (try? sample.validate()) != nil
      let isStored =
        (try? store.queue.inTransaction { database in
          try database.execute(sql: sample.sql, arguments: sample.arguments)
          return .rollback
        }) != nil
      #expect(isValid == isStored, "seed \(seed): Swift \(isValid), SQL \(isStored): \(sample.text)")
      accepted += isValid ? 1 : 0
    }
    #expect(accepted > count / 50, "seed \(seed): only \(accepted) of \(count) were accepted")
  }

  /// One of `places`, or one more or less.
  func integer(_ places: [Int64], _ generator: inout SeededGenerator) -> Int64 {
    let (place, step) = (places.randomElement(using: &generator) ?? 0, Int64.random(in: -1...1, using: &generator))
    let isAtPlace = Int.random(in: 0..<3, using: &generator) > 0
    return isAtPlace ? place : place &+ step < place && step > 0 ? place : place &+ step
  }

  func number(_ range: ClosedRange<Double>, _ generator: inout SeededGenerator) -> Double {
    let edges = [
      range.lowerBound, range.lowerBound.nextDown, range.upperBound, range.upperBound.nextUp, 0, -0.0, .infinity,
      -.infinity, .nan,
      Double.random(in: range, using: &generator),
    ]
    return edges.randomElement(using: &generator) ?? 0
  }
}
