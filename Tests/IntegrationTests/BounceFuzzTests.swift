import DAWMedia
import DAWTestSupport
import Foundation
import Glibc
import Testing

/// Random options on random small projects with broken media. `DAW_FUZZ_SECONDS` says how long; a failure prints the
/// seed that `DAW_SEED` begins with again.
@Suite("The bounce, whatever it is asked for and whatever the files hold")
struct BounceFuzzTests {
  @Test("No crash, no hang, a documented status, a sentence for each failure, and nothing half-written")
  func fuzz() throws {
    let seconds = ProcessInfo.processInfo.environment["DAW_FUZZ_SECONDS"].flatMap(Double.init)
    let seed = Seed.current()
    let start = Date()
    var round: UInt64 = 0
    repeat {
      var trial = Trial(seed: seed &+ round)
      try trial.run()
      round += 1
    } while seconds.map { Date().timeIntervalSince(start) < $0 } ?? (round < 3)
  }
}

/// One project and some bounces of it.
private struct Trial {
  let seed: UInt64
  private var generator: SeededGenerator

  /// Exit statuses that the bounce is documented with, but for 70, our own fault, and 130.
  private static let statuses: Set<Int32> = [0, 64, 65, 66, 69, 73, 74]

  init(seed: UInt64) {
    self.seed = seed
    generator = SeededGenerator(seed: seed)
  }

  mutating func run() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(
        folder: folder,
        environment: ["DAW_PROJECT": "Song", "HOME": folder.path, "XDG_CONFIG_HOME": folder.path + "/none"])
      try makeProject(daw)
      for _ in 0..<3 { try bounce(daw) }
    }
  }

  // MARK: The project

  private mutating func makeProject(_ daw: DAWProgram) throws {
    try daw("new", "Song", "--rate", pick(["44100", "48000", "48000", "96000"]))
    var files: [String] = []
    for index in 0..<number(1...4) {
      let name = "\(index)." + pick(["wav", "wav", "wav", "flac", "ogg", "mp3", "aiff"])
      try makeFile(name, daw)
      files.append(name)
    }
    for (track, file) in files.enumerated() {
      let width = pick(["1", "2"])
      var words = ["add-track", "T\(track)", "--channels", width, "--volume", "\(number(-30...12))"]
      if chance(10) { words.append("--mute") }
      if chance(10) { words.append("--solo") }
      try daw.run(words)
      words = ["add-region", "T\(track)", "--file", file, "--at", "\(number(0...20_000))f"]
      if chance(3) { words.append("--link") }
      if chance(3) { words += ["--offset", "\(number(0...3_000))f", "--length", "\(number(1...5_000))f"] }
      if width == "1" { words += ["--channel", "mix"] }
      try check(daw, words)
    }
    if chance(3), hasSoundFont { try addInstruments(to: daw, seed: seed, count: 1) }
    // Behind the project's back.
    for folder in ["", "Song.daw/Audio/", "Song.daw/Cache/"] where chance(3) {
      let place = daw.folder.appendingPathComponent(folder)
      let there = try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
      for name in there where name.first != "." && name.contains(".") && !name.hasSuffix(".daw") && chance(2) {
        let url = place.appendingPathComponent(name)
        try Data(broken(Array(try Data(contentsOf: url)))).write(to: url)
      }
    }
  }

  /// Sound in a file, which is often not as it should be.
  private mutating func makeFile(_ name: String, _ daw: DAWProgram) throws {
    let url = daw.folder.appendingPathComponent(name)
    var fixture = WaveFixture(
      pick([.uint8, .int16, .int24, .int32, .float32, .float64]), channelCount: pick([1, 2, 2, 6]))
    fixture.hertz = pick([8_000, 44_100, 48_000, 48_000, 96_000])
    let frames = number(0...9_000)
    let count = frames * fixture.channelCount
    var bytes: [UInt8]
    switch fixture.encoding {
    case .float32:
      bytes = (0..<count).flatMap { _ in
        chance(50) ? strangeFloat().bytes : Float.random(in: -1...1, using: &generator).bitPattern.bytes
      }
    case .float64:
      bytes = (0..<count).flatMap { _ in
        (chance(50)
          ? pick([Double.nan, .infinity, 1e300, .leastNonzeroMagnitude]) : Double.random(in: -1...1, using: &generator))
          .bitPattern.bytes
      }
    default:
      bytes = (0..<count * fixture.encoding.bytesPerSample).map { _ in .random(in: 0...255, using: &generator) }
    }
    if chance(6) { fixture.statedDataSize = pick([0, 1, 7, UInt32(count), 0x7fff_ffff, .max]) }
    if chance(6) { fixture.statedRIFFSize = pick([0, 3, 100, .max]) }
    if chance(8) { fixture.channelCount = pick([0, 3, 255, 65_535]) }
    if chance(8) { fixture.hertz = pick([0, 1, 7_999, 1_000_000, 2_147_483_647]) }
    fixture.isExtensible = chance(3)
    fixture.isRF64 = chance(8)
    bytes = fixture.file(data: bytes)
    if url.pathExtension != "wav" {
      let plain = daw.folder.appendingPathComponent("plain.wav")
      try Data(WaveFixture(.int16, channelCount: 2).file(data: (0..<40_000).map { UInt8(truncatingIfNeeded: $0 * $0) }))
        .write(to: plain)
      try daw("new", "Maker")
      try daw("import", "plain.wav", "-p", "Maker")
      try daw("bounce", "-p", "Maker", "-o", name)
      bytes = Array(try Data(contentsOf: url))
      for path in [plain, daw.folder.appendingPathComponent("Maker.daw")] {
        try FileManager.default.removeItem(at: path)
      }
    }
    try Data(chance(3) ? broken(bytes) : bytes).write(to: url)
  }

  private mutating func strangeFloat() -> UInt32 {
    pick([Float.nan.bitPattern, Float.infinity.bitPattern, (-Float.infinity).bitPattern, 0x7f80_0001, 1, 0x7f7f_ffff])
  }

  /// Cut short, changed here and there, or gone altogether.
  private mutating func broken(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    switch number(0...4) {
    case 0: return []
    case 1: return Array(bytes.prefix(number(0...max(1, bytes.count))))
    case 2: return bytes + (0..<number(1...500)).map { _ in .random(in: 0...255, using: &generator) }
    default:
      for _ in 0..<number(1...12) where !bytes.isEmpty {
        let place = chance(2) ? number(0...min(200, bytes.count - 1)) : number(0...bytes.count - 1)
        bytes[place] = .random(in: 0...255, using: &generator)
      }
      return bytes
    }
  }

  // MARK: The bounce

  private mutating func bounce(_ daw: DAWProgram) throws {
    let target = pick(Self.targets)
    let words = ["bounce"] + target + Self.options.filter { _ in chance(9) }.flatMap { $0[number(0...$0.count - 1)] }
    let before = try everything(daw.folder)
    let (status, data) = try check(daw, words)
    let context: Testing.Comment = "seed \(seed): daw \(words.joined(separator: " "))"
    let after = try everything(daw.folder)
    #expect(!after.contains { $0.contains(".partial-") || $0.contains(".scratch-") }, context)
    let made = after.subtracting(before).filter { !$0.contains("/Cache/") && !$0.hasSuffix("/Bounces") }
    if status != 0 {
      #expect(made.isEmpty, "\(context): \(made)")
    } else {
      for name in made where !name.hasSuffix(".json") && !isFolder(daw.folder.path + "/" + name) {
        #expect(throws: Never.self, "\(context): \(name)") {
          _ = try AudioFileFacts.read(path: daw.folder.path + "/" + name)
        }
      }
      if let manifest = made.first(where: { $0.hasSuffix(".json") }) {
        let file = String(manifest.dropLast(5))
        let (status, _) = try check(daw, ["verify", file])
        #expect(status == 0, "\(context): verify \(file)")
      }
    }
    if words.contains("--json"), status == 0 {
      #expect(throws: Never.self, context) { try JSONSerialization.jsonObject(with: data) }
    }
  }

  /// Runs it, kills it after ten minutes, which nothing here takes on any machine, and judges its end.
  @discardableResult
  private mutating func check(_ daw: DAWProgram, _ words: [String]) throws -> (status: Int32, data: Data) {
    let run = try daw.start(words)
    let limit = ContinuousClock.now + .seconds(600)
    while run.process.isRunning, ContinuousClock.now < limit { usleep(2_000) }
    let isHanging = run.process.isRunning
    if isHanging { run.kill() }
    let output = run.finish()
    let context: Testing.Comment = "seed \(seed): daw \(words.joined(separator: " ")): \(output.status) \(output.error)"
    #expect(!isHanging, context)
    #expect(output.signal == nil, context)
    #expect(Self.statuses.contains(output.status), context)
    #expect(output.status == 0 || !output.error.isEmpty, context)
    #expect(!output.error.contains("within daw") && !output.error.contains("Fatal error"), context)
    return (output.status, output.data)
  }

  /// Paths of all there is, relative to the folder.
  private func everything(_ folder: URL) throws -> Set<String> {
    Set(FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? [])
      .filter { !$0.contains("project.sqlite") }
  }

  private func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  private static let targets: [[String]] = [
    ["-o", "x.wav"], ["-o", "x.wav"], ["-o", "x.flac"], ["-o", "x.aiff"], ["-o", "x.ogg"], ["-o", "x.opus"],
    ["-o", "x.mp3"], ["-o", "x", "--format", "rf64"], ["-o", "x"], ["-o", "x.doc"], ["-o", "none/x.wav"],
    ["-o", "Song.daw"], ["-o", "-"], ["-o", "stems", "--stems"], ["--stems"], [], ["-o", ""], ["-o", "/dev/full"],
  ]

  /// One of each row, where it is taken.
  private static let options: [[[String]]] = [
    [
      ["--bits", "16"], ["--bits", "24"], ["--bits", "32"], ["--bits", "32f"], ["--bits", "64f"], ["--bits", "7"],
    ],
    [
      ["--rate", "44100"], ["--rate", "192k"], ["--rate", "8000"], ["--rate", "48000"], ["--rate", "1"],
      ["--rate", "x"],
    ],
    [["--mono"], ["--no-mono"]], [["--dither", "tpdf"], ["--dither", "none"], ["--dither", ""]],
    [
      ["--preset", "cd"], ["--preset", "podcast"], ["--preset", "archive"], ["--preset", "draft"], ["--preset", "no"],
    ],
    [["--from", "0s"], ["--from", "5000f"], ["--from", "1.2.0"], ["--from", "9s"], ["--from", "-1s"]],
    [
      ["--to", "1f"], ["--to", "12000f"], ["--to", "2s"], ["--to", "0s"], ["--to", "1.1.0"], ["--to", "99999999h"],
    ],
    [["--tail", "0s"], ["--tail", "auto"], ["--tail", "100ms"], ["--tail", "1.0.0"], ["--tail", "-1s"]],
    [["--loop-tail"]], [["--chase"]],
    [["--track", "T0"], ["--track", "T9"], ["--track", "Master"], ["--track", ""]],
    [["--loudness"], ["--no-loudness"]],
    [["--normalize", "-23LUFS"], ["--normalize", "-3dBTP"], ["--normalize", "-1dBFS"], ["--normalize", "0"]],
    [["--ceiling", "-1"], ["--ceiling", "0dBTP"], ["--ceiling", "nan"]], [["--bext"]], [["--ixml"]],
    [["--description", "ä🎹<&>\"\n"], ["--description", String(repeating: "x", count: 5_000)]], [["--originator", ""]],
    [
      ["--allow", "silent"], ["--allow", "empty"], ["--allow", "missing"], ["--allow", "changed"], ["--allow", "x"],
    ],
    [["--allow", "missing"]], [["--allow", "changed"]], [["--allow", "silent"]],
    [["--block", "1000"], ["--block", "65536"], ["--block", "33"], ["--block", "0"]],
    [["--threads", "1"], ["--threads", "5"], ["--threads", "-2"]], [["--digest"]], [["--verify"]], [["--manifest"]],
    [["--manifest"]], [["--explain"]], [["--no-cache"]], [["--overwrite"]], [["--overwrite"]], [["--json"]], [["-q"]],
  ]

  // MARK: Chance

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
  /// One in `count`.
  private mutating func chance(_ count: Int) -> Bool { number(1...count) == 1 }
  private mutating func pick<Value>(_ values: [Value]) -> Value { values[number(0...values.count - 1)] }
}
