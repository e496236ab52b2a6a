import DAWTestSupport
import Foundation
import Testing

@Suite(
  "What files say of themselves",
  .enabled(if: isComplete || InstalledFFmpeg.isThere, "ffmpeg, which reads the tags back, is not installed."))
struct BounceTagTests {
  /// What ffprobe reads.
  private struct Probed: Decodable {
    struct Format: Decodable { var tags: [String: String]? }
    struct Chapter: Decodable {
      var startTime, endTime: String
      var tags: [String: String]?
    }
    struct Stream: Decodable {
      var codecName: String?
      var codecType: String
      var width: Int?
      var tags: [String: String]?
    }
    var format: Format
    var chapters: [Chapter]
    var streams: [Stream]

    /// Of the file and of its sound, with keys in small letters.
    var tags: [String: String] {
      let all = (format.tags ?? [:]).merging(streams.first { $0.codecType == "audio" }?.tags ?? [:]) { first, _ in
        first
      }
      return Dictionary(all.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    }
  }

  private func probe(_ name: String, in folder: URL) throws -> Probed {
    let arguments = ["-v", "error", "-of", "json", "-show_format", "-show_streams", "-show_chapters", name]
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(
      Probed.self, from: Data(InstalledFFmpeg.run(arguments, program: "ffprobe", in: folder).utf8))
  }

  private func withSong(_ body: (DAWProgram, URL) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      let tone = (0..<144_000).map { Int(8_000 * sin(Double($0) / 20)) }
      try PlainWave.write([tone], bits: 16, rate: 48_000, to: folder.appendingPathComponent("tone.wav"))
      try daw("import", "tone.wav")
      for (name, place) in [("Before", "0s"), ("Intro = #;\\", "1s"), ("Ende ä", "2.5s")] {
        try daw("add-marker", name, "--at", place)
      }
      for name in ["c.png", "c.jpg"] {
        try InstalledFFmpeg.run(
          ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=120x80", "-frames:v", "1", name], in: folder)
      }
      try body(daw, folder)
    }
  }

  @Test(
    "Tags, a cover and chapters are read back by another program",
    arguments: ["mp3", "ogg", "opus", "flac", "m4a"], ["c.png", "c.jpg"])
  func readBack(ending: String, cover: String) throws {
    try withSong { daw, folder in
      let name = "mix.\(ending)"
      let report = try daw(
        "bounce", "-o", name, "--from", "1s", "--title", "T=ö; #\\", "--artist", "Ä", "--album", "All",
        "--track-number",
        "3/12", "--comment", "one\ntwo", "--cover", cover, "--chapters", "--manifest")
      #expect(report.text.contains("2 chapters"))
      let file = try probe(name, in: folder)
      let tags = file.tags
      #expect(tags["title"] == "T=ö; #\\" && tags["artist"] == "Ä" && tags["album"] == "All")
      #expect(tags["comment"] == "one\ntwo")
      #expect(tags["track"] == "3/12" || tags["track"] == "3" && tags["tracktotal"] == "12")
      #expect(file.chapters.map { $0.tags?["title"] } == ["Intro = #;\\", "Ende ä"])
      #expect(file.chapters.map { Double($0.startTime) } == [0, 1.5])
      #expect(file.chapters.compactMap { Double($0.endTime) }.first == 1.5)
      let picture = file.streams.first { $0.codecType == "video" }
      #expect(picture?.codecName == (cover == "c.png" ? "png" : "mjpeg") && picture?.width == 120)
      try daw("verify", name)
      // From another folder as well, and with another cover it is not the same file.
      try daw("-p", folder.path + "/Song", "verify", folder.path + "/" + name)
      let manifest = try String(contentsOf: folder.appendingPathComponent(name + ".json"), encoding: .utf8)
      #expect(manifest.contains("\"ffmpeg\"") == (ending == "m4a"))
    }
  }

  @Test("Chapters of M4A and MP3, and FLAC's blocks, are read by programs that share no code with ffmpeg")
  func otherReaders() throws {
    try withSong { daw, folder in
      for ending in ["m4a", "mp3", "ogg", "flac"] {
        try daw("bounce", "-o", "mix.\(ending)", "--title", "Ö", "--chapters", "--cover", "c.png")
      }
      let program = """
        import mutagen
        from mutagen.mp4 import MP4
        m4a, mp3 = MP4('mix.m4a'), mutagen.File('mix.mp3')
        print([(c.start, c.title) for c in m4a.chapters], m4a['\\xa9nam'], len(m4a['covr'][0]))
        chapters = sorted(mp3.tags.getall('CHAP'), key=lambda c: c.start_time)
        print([(c.start_time, c.end_time, c.sub_frames['TIT2'].text[0]) for c in chapters])
        print(mp3.tags.getall('CTOC')[0].child_element_ids, mp3['TIT2'], len(mp3.tags.getall('APIC')[0].data))
        print(mutagen.File('mix.ogg')['TITLE'], mutagen.File('mix.flac').pictures[0].width)
        """
      let size = try Data(contentsOf: folder.appendingPathComponent("c.png")).count
      let read = try InstalledFFmpeg.run(["-c", program], program: "/usr/bin/python3", in: folder)
      #expect(
        read == """
          [(0.0, 'Before'), (1.0, 'Intro = #;\\\\'), (2.5, 'Ende ä')] ['Ö'] \(size)
          [(0, 1000, 'Before'), (1000, 2500, 'Intro = #;\\\\'), (2500, 3000, 'Ende ä')]
          ['chapter1', 'chapter2', 'chapter3'] Ö \(size)
          ['Ö'] 120

          """)
      try InstalledFFmpeg.run(["-t", "-s", "mix.flac"], program: "flac", in: folder)
    }
  }

  @Test("A first chapter that begins later than the file keeps its place; M4A has one without a name before it")
  func lateChapter() throws {
    try withSong { daw, folder in
      for ending in ["m4a", "mp3"] {
        let report = try daw("bounce", "-o", "mix.\(ending)", "--from", "0.5s", "--chapters")
        #expect(report.text.contains("2 chapters"))
        let chapters = try probe("mix.\(ending)", in: folder).chapters
        let isM4A = ending == "m4a"
        #expect(chapters.map { $0.tags?["title"] ?? "" } == (isM4A ? [""] : []) + ["Intro = #;\\", "Ende ä"])
        #expect(chapters.map { Double($0.startTime) } == (isM4A ? [0] : []) + [0.5, 2])
      }
      // QuickTime's chapters, as they lie in the file.
      let samples = try InstalledFFmpeg.run(
        [
          "-v", "error", "-ignore_chapters", "1", "-select_streams", "1", "-show_entries", "packet=pts_time",
          "-of", "csv=p=0", "mix.m4a",
        ], program: "ffprobe", in: folder)
      #expect(samples.split { !"0123456789.".contains($0) }.map { Double($0) } == [0, 0.5, 2])
    }
  }

  @Test("Tags change no sample; without any nothing is written, neither a path nor a user", arguments: ["mp3", "m4a"])
  func nothingElse(ending: String) throws {
    try withSong { daw, folder in
      try daw("bounce", "-o", "plain.\(ending)")
      try daw("bounce", "-o", "tagged.\(ending)", "--title", "T", "--cover", "c.jpg", "--chapters")
      let sounds = try ["plain", "tagged"].map {
        try InstalledFFmpeg.run(["-v", "error", "-i", "\($0).\(ending)", "-map", "0:a", "-f", "md5", "-"], in: folder)
      }
      #expect(sounds[0] == sounds[1])
      let bytes = try Data(contentsOf: folder.appendingPathComponent("plain.\(ending)"))
      for text in [folder.path, NSUserName(), "Song", "tone", "Lavf"] where !text.isEmpty {
        #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text)")
      }
      let known: Set = [
        "major_brand", "minor_version", "compatible_brands", "encoder", "handler_name", "vendor_id", "language",
      ]
      #expect(Set(try probe("plain.\(ending)", in: folder).tags.keys).subtracting(known).isEmpty)
    }
  }

  @Test("Stems have the tags, with the track behind the title; so has standard output")
  func stems() throws {
    try withSong { daw, folder in
      try daw("bounce", "-o", "stems", "--stems", "--format", "m4a", "--title", "Song", "--artist", "Me", "--chapters")
      let stem = try probe("stems/tone.m4a", in: folder)
      #expect(stem.tags["title"] == "Song: tone" && stem.tags["artist"] == "Me" && stem.chapters.count == 3)
      for format in ["m4a", "mp3"] {
        let output = try daw("bounce", "-o", "-", "--format", format, "--title", "Song", "--chapters")
        try output.data.write(to: folder.appendingPathComponent("out"))
        let file = try probe("out", in: folder)
        #expect(file.tags["title"] == "Song" && file.chapters.count == 3)
      }
    }
  }

  @Test("What cannot be written is refused, and nothing is left")
  func refused() throws {
    try withSong { daw, folder in
      mkfifo(folder.path + "/pipe.jpg", 0o600)
      try Data(count: 16_000_001).write(to: folder.appendingPathComponent("big.jpg"))
      let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      func refusal(_ arguments: String...) throws -> String {
        let output = try daw.run(["bounce", "--json"] + arguments)
        #expect(output.status != 0)
        return output.error
      }
      for cover in ["pipe.jpg", "big.jpg", "tone.wav", "."] {
        #expect(try refusal("-o", "a.mp3", "--cover", cover).contains("\"invalidCover\""), "\(cover)")
      }
      #expect(try refusal("-o", "a.mp3", "--cover", "no.jpg").contains("\"fileNotFound\""))
      #expect(try refusal("-o", "a.wav", "--title", "T").contains("\"invalidCombination\""))
      #expect(try refusal("-o", "a.mp3", "--bext").contains("\"invalidCombination\""))
      for title in ["", "a\u{7}b", "a\nb", String(repeating: "x", count: 4_001)] {
        #expect(try refusal("-o", "a.mp3", "--title", title).contains("\"invalidTag\""))
      }
      for number in ["0", "x", "3/2", "1/2/3", "-1", "99999999999999999999"] {
        #expect(try refusal("-o", "a.mp3", "--track-number", number).contains("\"usage\""))
      }
      #expect(try refusal("-o", "a.m4a", "--rate", "192k").contains("\"unsupportedFormat\""))
      #expect(try refusal("-o", "a.ogg", "--rate", "384000").contains("\"unsupportedFormat\""))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before)
    }
  }

  @Test("A file has at most 255 chapters; where there is no marker, that is said")
  func chapterCounts() throws {
    try withSong { daw, folder in
      #expect(try daw("bounce", "-o", "a.mp3", "--from", "2.6s", "--chapters").error.contains("no marker"))
      let lines = (0..<252).map { "add-marker M\($0) --at \(3 + Double($0) * 0.01)s\n" }.joined()
      try daw("batch", input: lines)
      try daw("add-region", "tone", "--file", "tone.wav", "--at", "3s")
      try daw("bounce", "-o", "b.mp3", "--chapters")
      #expect(try probe("b.mp3", in: folder).chapters.count == 255)
      try daw("add-marker", "More", "--at", "5.9s")
      let output = try daw.run(["bounce", "-o", "c.mp3", "--chapters", "--json"])
      #expect(output.status == 65 && output.error.contains("tooManyChapters"))
    }
  }

  @Test("A preset of one's own gives tags; options win over it")
  func preset() throws {
    try withSong { daw, folder in
      let presets = folder.appendingPathComponent("daw/presets")
      try FileManager.default.createDirectory(at: presets, withIntermediateDirectories: true)
      try #"{"format": "mp3", "artist": "Me", "album": "All", "chapters": true}"#
        .write(to: presets.appendingPathComponent("show.json"), atomically: false, encoding: .utf8)
      var daw = daw
      daw.environment["XDG_CONFIG_HOME"] = folder.path
      try daw("bounce", "-o", "a.mp3", "--preset", "show", "--album", "One")
      let file = try probe("a.mp3", in: folder)
      #expect(file.tags["artist"] == "Me" && file.tags["album"] == "One" && file.chapters.count == 3)
    }
  }
}
