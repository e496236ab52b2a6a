import DAWTestSupport
import Foundation
import Glibc
import Testing

/// `ffmpeg` and `ffprobe`, run by themselves.
enum InstalledFFmpeg {
  static let isThere = (try? run(["-version"])) != nil

  struct Failed: Error { var output: String }

  /// - Returns: what the program wrote to standard output.
  @discardableResult
  static func run(_ arguments: [String], program: String = "ffmpeg", in folder: URL? = nil) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    if let folder { process.currentDirectoryURL = folder }
    let (output, errors) = (Pipe(), FileHandle.nullDevice)
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.start()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(output: text) }
    return text
  }
}

@Suite(
  "Files that ffmpeg reads",
  .enabled(if: isComplete || InstalledFFmpeg.isThere, "ffmpeg, an optional reader of audio files, is not installed."))
struct ForeignFormatTests {
  private struct Imported: Decodable { var warnings: [String] }

  /// - Parameter body: with a file `a.wav` of half a second.
  private func withSong(_ body: (DAWProgram, URL) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      let tone = (0..<24_000).map { Int(8_000 * sin(Double($0) / 20)) }
      try PlainWave.write([tone, tone.reversed()], bits: 16, rate: 48_000, to: folder.appendingPathComponent("a.wav"))
      try body(daw, folder)
    }
  }

  private func convert(_ arguments: String..., in folder: URL) throws {
    try InstalledFFmpeg.run(["-v", "error", "-y", "-i", "a.wav"] + arguments, in: folder)
  }

  @Test("A lossless file comes in with its samples, in its own precision")
  func lossless() throws {
    try withSong { daw, folder in
      try convert("-c:a", "alac", "a.m4a", in: folder)
      let output = try daw("import", "a.m4a", "--json")
      #expect(output.error.isEmpty)
      let warning = try #require(try output.json(Imported.self).warnings.first)
      #expect(warning.contains("'a.m4a' (ALAC)") && warning.contains("16-bit PCM, by ffmpeg"), "\(warning)")
      let copy = folder.appendingPathComponent("Song.daw/Audio/a.wav")
      #expect(try PlainWave.read(copy) == PlainWave.read(folder.appendingPathComponent("a.wav")))
      try daw("check")
    }
  }

  @Test("FLAC in Ogg comes in with its samples, though libsndfile 1.2.0 fails to read it; a damaged one is refused")
  func flacInOgg() throws {
    try withSong { daw, folder in
      try convert("-c:a", "flac", "a.oga", in: folder)
      try daw("import", "a.oga")
      try daw("bounce", "-o", "mix.wav", "--bits", "16", "--tail", "0s")
      let mix = folder.appendingPathComponent("mix.wav")
      #expect(try PlainWave.read(mix) == PlainWave.read(folder.appendingPathComponent("a.wav")))
      try daw("check")
      let bytes = try Data(contentsOf: folder.appendingPathComponent("a.oga"))
      try bytes.prefix(60).write(to: folder.appendingPathComponent("cut.oga"))
      let refused = try daw.run(["import", "cut.oga", "--json"])
      #expect(refused.status == 65 && refused.error.contains("\"invalidAudioFile\""), "\(refused.error)")
    }
  }

  @Test(
    "What libsndfile does not read comes in by import, by add-region and in a batch, once for the same bytes",
    arguments: ["a.m4a", "a.aac", "a.wma", "a.webm", "a.mka", "a.wv", "a.tta", "a.ac3"])
  func lossy(name: String) throws {
    try withSong { daw, folder in
      try convert(name, in: folder)
      #expect(try daw("import", name).error.contains("by ffmpeg"))
      try daw("add-track", "Voice")
      try daw("add-region", "Voice", "--file", name, "--at", "2s")
      try daw("batch", input: "add-region Voice --file \(name) --at 4s\n")
      let copies = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Song.daw/Audio")
      #expect(copies.filter { !$0.hasPrefix(".") } == ["a.wav"])
      try daw("check")
      let output = try daw("bounce", "-o", "mix.wav", "--json")
      struct Report: Decodable { var duration, peak: Double }
      let report = try output.json(Report.self)
      #expect(report.duration > 4.4 && report.peak > -20)
      try daw("undo")
    }
  }

  /// Of a WAV.
  private func frameCount(of name: String, in folder: URL) throws -> Int {
    let text = try InstalledFFmpeg.run(
      ["-v", "error", "-show_entries", "stream=duration_ts", "-of", "csv=p=0", name], program: "ffprobe", in: folder)
    return try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  @Test(
    "AAC comes in as long as it was before its encoder filled up the last packet, at any rate, also what daw has written",
    arguments: [1_023, 4_801, 24_000], [48_000, 44_100])
  func gapless(frames: Int, rate: Int) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song", "--rate", "\(rate)")
      let tone = (0..<frames).map { Int(8_000 * sin(Double($0) / 20)) }
      try PlainWave.write([tone, tone.reversed()], bits: 16, rate: rate, to: folder.appendingPathComponent("a.wav"))
      // Its edit list counts in milliseconds, to which the length is no whole number, and that of b.m4a in frames.
      try convert("-c:a", "aac", "-b:a", "64k", "theirs.m4a", in: folder)
      try daw("add-track", "T")
      try daw("add-region", "T", "--file", "a.wav")
      try daw("bounce", "-o", "ours.m4a", "--tail", "0s")
      for name in ["theirs", "ours"] {
        try daw("import", "\(name).m4a")
        #expect(try frameCount(of: "Song.daw/Audio/\(name).wav", in: folder) == frames, "\(name)")
      }
    }
  }

  @Test(
    "Of AAC whose container does not say where its sound begins nothing is cut off",
    arguments: [["-use_editlist", "0"], ["-movflags", "frag_keyframe+empty_moov"]])
  func withoutEditList(options: [String]) throws {
    try withSong { daw, folder in
      try InstalledFFmpeg.run(["-v", "error", "-i", "a.wav", "-c:a", "aac"] + options + ["b.m4a"], in: folder)
      try InstalledFFmpeg.run(["-v", "error", "-i", "b.m4a", "-c:a", "pcm_f32le", "all.wav"], in: folder)
      try daw("import", "b.m4a")
      let length = try frameCount(of: "all.wav", in: folder)
      #expect(try frameCount(of: "Song.daw/Audio/b.wav", in: folder) == length && length > 24_000)
    }
  }

  @Test(
    "A bounce of one frame is an M4A of one frame",
    .enabled(
      if: (try? InstalledFFmpeg.run(["-hide_banner", "-h", "muxer=ipod"]).contains("movie_timescale")) ?? false,
      "ffmpeg before 5.0 writes lengths in milliseconds."))
  func oneFrame() throws {
    try withSong { daw, folder in
      try daw("add-track", "T")
      try daw("add-region", "T", "--file", "a.wav")
      try daw("bounce", "--from", "0s", "--to", "1f", "-o", "one.m4a")
      try daw("import", "one.m4a")
      #expect(try frameCount(of: "Song.daw/Audio/one.wav", in: folder) == 1)
    }
  }

  @Test(
    "An M4A counts frames, but milliseconds where it has chapters",
    .enabled(
      if: (try? InstalledFFmpeg.run(["-hide_banner", "-h", "muxer=ipod"]).contains("movie_timescale")) ?? false,
      "ffmpeg before 5.0 writes lengths in milliseconds."))
  func timeScale() throws {
    try withSong { daw, folder in
      func scale(_ words: String...) throws -> Int {
        let output = try daw.run(["bounce", "-o", "a.m4a", "--overwrite"] + words)
        try #require(output.status == 0, "\(output.error)")
        let bytes = try Data(contentsOf: folder.appendingPathComponent("a.m4a"))
        // Behind the version and two times, of 4 bytes each.
        let place = try #require(bytes.range(of: Data("mvhd".utf8))).upperBound + 12
        return bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      }
      try daw("add-track", "T")
      try daw("add-region", "T", "--file", "a.wav")
      try daw("add-marker", "Verse", "--at", "0.2s")
      #expect(try scale() == 48_000 && scale("--rate", "44100") == 44_100)
      #expect(try scale("--chapters") == 1_000)
    }
  }

  @Test("A file that is cut off is taken as far as it goes, and what ffmpeg said is told")
  func cutOff() throws {
    try withSong { daw, folder in
      try convert("-movflags", "+faststart", "-b:a", "256k", "a.m4a", in: folder)
      let whole = try Data(contentsOf: folder.appendingPathComponent("a.m4a"))
      try whole.prefix(whole.count * 2 / 3).write(to: folder.appendingPathComponent("cut.m4a"))
      #expect(try daw("import", "cut.m4a").error.contains("It complained of the file: "))
    }
  }

  @Test(
    "A file that names others, or is no sound, is refused, and nothing that it names is read",
    arguments: [
      ("#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nsecret.wav\n#EXT-X-ENDLIST\n", "list.m3u8"),
      ("ffconcat version 1.0\nfile secret.wav\n", "list.m4a"),
      ("[playlist]\nFile1=secret.wav\n", "list.pls"),
      ("v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n", "stream.sdp"),
      ("<?xml version=\"1.0\"?><MPD><Period><BaseURL>secret.wav</BaseURL></Period></MPD>", "list.mpd"),
      ("only words\n", "words.m4a"),
    ])
  func playlists(content: String, name: String) throws {
    try withSong { daw, folder in
      try FileManager.default.moveItem(
        at: folder.appendingPathComponent("a.wav"), to: folder.appendingPathComponent("secret.wav"))
      try content.write(to: folder.appendingPathComponent(name), atomically: false, encoding: .utf8)
      let output = try daw.run(["import", name])
      #expect(output.status == 65 && output.error.contains("neither libsndfile nor ffmpeg"), "\(output.error)")
      #expect(try daw("list-tracks", "--json").text.contains("secret") == false)
    }
  }

  @Test(
    "The name of a file is no option and no address", arguments: ["-i", "-y.m4a", "http:a", "concat:a|b", "pipe:0"])
  func names(name: String) throws {
    try withSong { daw, folder in
      try convert("a.m4a", in: folder)
      try FileManager.default.moveItem(
        at: folder.appendingPathComponent("a.m4a"), to: folder.appendingPathComponent(name))
      try daw("import", "./" + name)
      try daw("check")
    }
  }

  @Test("A file that has to be converted cannot stay where it is")
  func linked() throws {
    try withSong { daw, folder in
      try convert("a.m4a", in: folder)
      let output = try daw.run(["import", "a.m4a", "--link", "--json"])
      #expect(output.status == 64 && output.error.contains("invalidCombination"))
    }
  }

  @Test("Without ffmpeg the refusal names the package, and M4A is refused before anything is rendered")
  func withoutFFmpeg() throws {
    try withSong { daw, folder in
      try convert("a.m4a", in: folder)
      try daw("import", "a.wav")
      var daw = daw
      daw.environment["PATH"] = folder.path
      let input = try daw.run(["import", "a.m4a"])
      #expect(input.status == 65 && input.error.contains("apt install ffmpeg"))
      let output = try daw.run(["bounce", "-o", "b.m4a", "--json"])
      #expect(output.status == 69 && output.error.contains("ffmpegNotFound") && output.error.contains("apt install"))
      #expect(!FileManager.default.fileExists(atPath: folder.path + "/b.m4a"))
    }
  }

  @Test(
    "Low, medium and high are one channel of AAC where the file ends so, whatever its name",
    arguments: zip(["low", "medium", "high"], [(16_000, 32), (22_050, 64), (44_100, 128)]))
  func quality(name: String, expected: (rate: Int, kilobits: Int)) throws {
    try withSong { daw, folder in
      try daw("add-track", "T")
      try daw("add-region", "T", "--file", "a.wav")
      for file in ["x.m4a", "-i.m4a", "two\nlines.m4a", "file:3.m4a"] {
        try daw("bounce", "--preset", name, "--output=\(file)", "--tail", "0s")
        let facts = try InstalledFFmpeg.run(
          [
            "-v", "error", "-select_streams", "a:0", "-show_entries", "stream=codec_name,sample_rate,channels", "-of",
            "csv=p=0", "-i", "file:\(file)",
          ], program: "ffprobe", in: folder)
        #expect(facts.trimmingCharacters(in: .whitespacesAndNewlines) == "aac,\(expected.rate),1", "\(file)")
      }
      let refused = try daw.run(["bounce", "--preset", name, "-o", "x.m4a", "--json"])
      #expect(refused.status == 73 && refused.error.contains("alreadyExists"))
      try daw("bounce", "--preset", name, "-o", "x.m4a", "--overwrite")
      let words = folder.path + "/words"
      let telling = try replace(daw, folder, ffmpeg: "echo \"$*\" >'\(words)'; exec cat >/dev/null")
      try telling("bounce", "--preset", name, "-o", "y.m4a")
      #expect(try String(contentsOfFile: words, encoding: .utf8).contains(" -b:a \(expected.kilobits)k "))
    }
  }

  /// Makes programs `ffmpeg` and `ffprobe` that do what a script says, and has `daw` find them.
  private func replace(_ daw: DAWProgram, _ folder: URL, ffmpeg script: String) throws -> DAWProgram {
    let programs = folder.appendingPathComponent("programs")
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: false)
    for (name, text) in [("ffmpeg", script), ("ffprobe", "printf 'codec_name=aac\\nsample_fmt=fltp\\n'")] {
      let path = programs.appendingPathComponent(name).path
      try "#!/bin/sh\n\(text)\n".write(toFile: path, atomically: false, encoding: .utf8)
      chmod(path, 0o755)
    }
    var daw = daw
    daw.environment["PATH"] = programs.path + ":/usr/bin:/bin"
    return daw
  }

  @Test("When daw is killed, ffmpeg ends", arguments: [["import", "a.m4a"], ["bounce", "-o", "b.m4a"]])
  func killed(arguments: [String]) throws {
    try withSong { daw, folder in
      try convert("a.m4a", in: folder)
      try daw("import", "a.wav")
      let pid = folder.appendingPathComponent("pid")
      let daw = try replace(daw, folder, ffmpeg: "echo $$ >'\(pid.path)'; exec sleep 100000")
      let process = try daw.start(arguments)
      var number: pid_t?
      while number == nil, process.isUnderWay {
        usleep(10_000)
        number = (try? String(contentsOf: pid, encoding: .utf8)).flatMap { pid_t($0.dropLast()) }
      }
      let child = try #require(number)
      process.kill()
      _ = process.finish()
      // Gone, or a zombie where nothing collects it.
      func isAlive() -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
        return status?.components(separatedBy: ") ").last?.first.map { $0 != "Z" } ?? false
      }
      for _ in 0..<3_000 where isAlive() { usleep(10_000) }
      #expect(!isAlive())
    }
  }

  @Test("Of a file that decodes to nothing the error names the file, and not the copy that was made of it")
  func nothingDecoded() throws {
    try withSong { daw, folder in
      try convert("a.m4a", in: folder)
      // A WAV with a header and no frame, where ffmpeg was told to write.
      let script = #"""
        printf 'RIFF$\000\000\000WAVEfmt \020\000\000\000\001\000\001\000\200\273\000\000' >&4
        printf '\000\167\001\000\002\000\020\000data\000\000\000\000' >&4
        """#
      let refused = try replace(daw, folder, ffmpeg: script).run(["import", "a.m4a"])
      #expect(refused.status == 65 && refused.error.contains("holds no sound: 0 frames"), "\(refused.error)")
      #expect(refused.error.contains("/a.m4a'") && !refused.error.contains(".incoming"), "\(refused.error)")
    }
  }

  @Test("When ffmpeg fails, its reason is told in one line, and no file is left")
  func failing() throws {
    try withSong { daw, folder in
      try convert("a.m4a", in: folder)
      try daw("import", "a.wav")
      let script = "echo '[aac @ 0x55] No reason.' >&2; echo more >&2; exit 3"
      let failing = try replace(daw, folder, ffmpeg: script)
      let input = try failing.run(["import", "a.m4a"])
      #expect(input.status == 65 && input.error.contains("(No reason)"), "\(input.error)")
      let output = try failing.run(["bounce", "-o", "b.m4a", "--json"])
      #expect(output.status == 74 && output.error.contains("encoderFailed") && output.error.contains("(No reason)"))
      try "#!/bin/sh\necho 'No space left on device' >&2; exit 1\n"
        .write(toFile: folder.path + "/programs/ffmpeg", atomically: false, encoding: .utf8)
      for arguments in [["import", "a.m4a", "--json"], ["bounce", "-o", "b.m4a", "--json"]] {
        let full = try failing.run(arguments)
        #expect(full.status == 74 && full.error.contains("diskFull"), "\(full.error)")
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      #expect(names == ["Song.daw", "a.m4a", "a.wav", "programs"])
      let incoming = try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/Song.daw/Audio/.incoming")
      #expect((incoming ?? []).isEmpty)
    }
  }
}
