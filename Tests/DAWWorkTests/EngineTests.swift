import DAWErrors
import DAWModel
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWWork

@Suite("Engines of transcription")
struct EngineTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("daw/engines"), withIntermediateDirectories: true)
  }

  private var engines: EngineFolder { EngineFolder(["XDG_CONFIG_HOME": folder.path]) }

  private func write(_ text: String, to name: String, mode: mode_t = 0o600) throws {
    try folder.write(Array(text.utf8), to: "daw/engines/\(name)")
    chmod(folder.path("daw/engines/\(name)"), mode)
  }

  /// An engine that is a script; `$1` is the sound.
  private func scripted(_ script: String, _ settings: String = "") throws -> Engine {
    try write("#!/bin/sh\n\(script)\n", to: "script.sh", mode: 0o700)
    try write(
      "{\"command\": [\"\(folder.path("daw/engines/script.sh"))\", \"{input}\", \"{language}\"]\(settings)}",
      to: "script.json")
    return try engines.engine(named: "script")
  }

  private func run(_ engine: Engine, while isWanted: () -> Bool = { true }) -> Result<EngineAnswer, EngineFault> {
    do throws(EngineFault) {
      return .success(
        try engine.transcribe("/sound.wav", language: "de-AT", length: 10, while: isWanted, progress: { _ in }))
    } catch {
      return .failure(error)
    }
  }

  private func fault(_ engine: Engine) -> EngineFault? {
    if case .failure(let fault) = run(engine) { fault } else { nil }
  }

  @Test("A file describes one, pocketsphinx is built in; what is wrong with a file is told by its path")
  func files() throws {
    #expect(engines.names() == ["pocketsphinx"])
    #expect(try engines.engine(named: "pocketsphinx") == .pocketsphinx)
    try write(
      """
      {"command": ["/bin/x", "{input}"], "rate": 44100, "channels": 2, "bits": 24, "timeLimit": 5, "atOnce": 1,
       "perMinute": 9, "output": "srt", "keys": "x.keys", "runs": "network"}
      """, to: "web.json")
    var expected = Engine(name: "web", command: ["/bin/x", "{input}"])
    (expected.rate, expected.channels, expected.bits) = (SampleRate(hertz: 44_100), 2, 24)
    (expected.timeLimit, expected.atOnce, expected.perMinute) = (5, 1, 9)
    (expected.output, expected.runs, expected.keys) = (.srt, .network, folder.path("daw/engines/x.keys"))
    #expect(try engines.engine(named: "web") == expected)
    #expect(engines.names() == ["pocketsphinx", "web"])
    for text in [
      "", "[]", "{", #"{"command": "x"}"#, #"{"command": []}"#, #"{"command": ["x"]}"#,
      #"{"command": ["./x", "{input}"]}"#, #"{"command": ["x", "{input}"], "speed": 1}"#,
      #"{"command": ["x", "{input}"], "rate": 999}"#, #"{"command": ["x", "{input}"], "channels": 0}"#,
      #"{"command": ["x", "{input}"], "bits": 8}"#, #"{"command": ["x", "{input}"], "timeLimit": 0}"#,
      #"{"command": ["x", "{input}"], "atOnce": 0}"#, #"{"command": ["x", "{input}"], "perMinute": 0}"#,
      #"{"command": ["x", "{input}"], "output": "xml"}"#, #"{"command": ["x\u0000", "{input}"]}"#,
      #"{"command": ["x", "{input}"]}"# + String(repeating: " ", count: 1 << 20),
    ] {
      try write(text, to: "bad.json")
      let failure = #expect(throws: Failure.self, "\(text)") { try engines.engine(named: "bad") }
      #expect(failure?.code == "invalidEngine" && failure?.message.contains("bad.json") == true, "\(text)")
    }
    for name in ["none", "../web", "", ".hidden", "a/b"] {
      #expect(throws: Failure.self) { try engines.engine(named: name) }
    }
  }

  @Test("An engine gets the sound, the language and its keys, and nothing else of the environment")
  func environment() throws {
    setenv("DAW_TEST_SECRET", "hidden", 1)
    let engine = try scripted(
      #"printf '{"word":"%s %s %s %s","start":1,"end":2}\n' "$1" "$2" "$TOKEN" "$DAW_TEST_SECRET""#,
      #", "keys": "a.keys""#)
    #expect(fault(engine) == .offline("The keys of 'script', '\(folder.path("daw/engines/a.keys"))', cannot be read."))
    try write("# mine\nTOKEN=a=b c\n", to: "a.keys")
    let answer = try run(engine).get()
    #expect(answer.words.map(\.word) == ["/sound.wav de-AT a=b c"])
    try write("TOKEN=x", to: "a.keys", mode: 0o640)
    #expect(
      fault(engine) == .refused("Others than the user can read '\(folder.path("daw/engines/a.keys"))': 'chmod 600' it.")
    )
    try write("TOKEN x\n", to: "a.keys")
    guard case .refused = fault(engine) else { return #expect(Bool(false), "a line without =") }
    try write("TOKEN=x\n" + String(repeating: "#", count: 1 << 20), to: "a.keys")
    guard case .refused = fault(engine) else { return #expect(Bool(false), "more than 1 MiB") }
    try write("TOKEN=verysecret\n", to: "a.keys")
    let telling = try scripted("echo \"denied: $TOKEN\" >&2; exit 3", #", "keys": "a.keys""#)
    #expect(fault(telling) == .failed("'script' ended with exit status 3. It says: denied: …"))
  }

  @Test("A value is put where its place is in the command, and not where another value looks like one")
  func places() {
    func filled(_ argument: String, _ input: String = "/a {language}/{input}.wav") -> String {
      Engine.filled(argument, input: input, language: "{input}")
    }
    #expect(filled("{input}") == "/a {language}/{input}.wav")
    #expect(filled("-l{language}") == "-l{input}")
    #expect(filled("{language}:{input},{input}", "x") == "{input}:x,x")
    #expect(filled("{{input}}", "x") == "{x}" && filled("", "x").isEmpty && filled("{}", "x") == "{}")
  }

  @Test("An engine runs only while no other program wants the processor")
  func priority() throws {
    // The 41st field of a process's statistics is its scheduling policy; 5 is SCHED_IDLE.
    let engine = try scripted(
      #"set -- $(cat /proc/$$/stat); printf '{"word":"%s","start":1,"end":2}\n' "${41}""#)
    #expect(try run(engine).get().words.map(\.word) == ["5"])
  }

  @Test("What an engine does wrong is a sentence, and whether to try again follows from its exit status")
  func faults() throws {
    func faultOf(_ script: String, _ settings: String = "") throws -> EngineFault? {
      fault(try scripted(script, settings))
    }
    #expect(try faultOf("exit 1") == .failed("'script' ended with exit status 1."))
    #expect(try faultOf("exit 69") == .offline("'script' cannot be reached, or is not complete."))
    for status in 64...66 {
      #expect(
        try faultOf("exit \(status)") == .refused("'script' does not take this sound (exit status \(status))."))
    }
    #expect(try faultOf("kill -SEGV $$") == .failed("'script' was ended by signal 11."))
    #expect(try faultOf("sleep 60", #", "timeLimit": 1"#) == .failed("'script' took more than 1 s."))
    #expect(try faultOf("yes") == .failed("'script' wrote more than 16 MiB."))
    #expect(
      try faultOf(#"printf '{"word":"a","sta'"#)
        == .failed("The answer of 'script' cannot be read: line 1 is no JSON object."))
    #expect(
      try faultOf(#"echo '{"word":"a","start":5,"end":99}'"#)
        == .failed("The answer of 'script' cannot be read: 'a' at 5.0 … 99.0 s of 10.0 s."))
    #expect(try faultOf("printf '\\377'") == .failed("The answer of 'script' cannot be read: it is not UTF-8."))
    // What it started does not keep it alive, and floods of complaints are no answer.
    let answer = run(try scripted("sleep 60 & head -c 3000000 /dev/zero >&2; exit 0"))
    #expect(try answer.get() == EngineAnswer())
    var engine = try scripted("exit 0")
    engine.command[0] = "/nowhere/x"
    #expect(fault(engine) == .offline("'/nowhere/x', the program of 'script', is not installed."))
  }

  @Test("It ends, with what it has started, when it is not wanted any more")
  func unwanted() throws {
    let mark = folder.path("pid")
    let engine = try scripted("sleep 600 & echo $! >\(mark).part; mv \(mark).part \(mark); sleep 600")
    let result = run(engine) { !FileManager.default.fileExists(atPath: mark) }
    #expect(result == .failure(.unwanted))
    let text = try String(contentsOfFile: mark, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    let process = try #require(pid_t(text))
    // It is killed; who waits for it takes a moment.
    var isThere = true
    for _ in 0..<500 where isThere {
      let state = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
      isThere = !state.isEmpty && !state.contains(") Z")
      if isThere { usleep(10_000) }
    }
    #expect(!isThere)
  }

  @Test("Answers in each form")
  func answers() throws {
    func read(_ text: String, _ output: Engine.Output) throws -> EngineAnswer {
      try EngineAnswer(Array(text.utf8), as: output, length: 10)
    }
    let lines = try read(
      """
      {"progress": 0.5}
      {"word": " good\\u001b ", "start": 0, "end": 0.5, "confidence": 0.5, "speaker": "A"}

      {"word": "morning", "start": 0.5, "end": 10.5, "confidence": 1}
      {"sentiment": "glad", "model": {"size": 3}}
      """, .jsonl)
    #expect(lines.words[0] == TranscriptWord("good", start: 0, end: 0.5, confidence: 0.5, speaker: "A"))
    #expect(lines.words[1].end == 10 && lines.confidence == 0.75)
    #expect(lines.details == #"{"model":{"size":3},"sentiment":"glad"}"#)
    #expect(try read(#"{"text": " Hello. ", "confidence": 0.25}"#, .jsonl).text == "Hello.")
    let returned = try read("{\"word\": \"a\", \"start\": 0, \"end\": 1}\r\n{\"text\": \"a\"}\r\n", .jsonl)
    #expect(returned.words.map(\.word) == ["a"] && returned.text == "a")
    #expect(try read("a 0 1 1\r\nb 1 2 1\r\n", .pocketsphinx).words.map(\.word) == ["a", "b"])
    #expect(try read("\n Hello\u{7}. \n", .text).text == "Hello .")
    let subtitles = try read(
      "1\r\n00:00:01,000 --> 00:00:03,000\r\nab ab\r\n\r\n2\r\n00:00:04,000 --> 00:00:05,500\r\n<i>\r\n", .srt)
    #expect(subtitles.words.map(\.start) == [1, 2, 4] && subtitles.words.map(\.end) == [2, 3, 5.5])
    let sphinx = try read(
      "good morning\n<s> 0.000 0.120 1.000200\ngood(2) 0.13 0.32 0.5\nmorning 0.33 0.6 1.0002\n</s> 1 2 1\n",
      .pocketsphinx)
    #expect(sphinx.words.map(\.word) == ["good", "morning"] && sphinx.words[1].confidence == 1)
    for (text, output) in [
      ("x", Engine.Output.jsonl), ("[]", .jsonl), (#"{"word": 1, "start": 0, "end": 1}"#, .jsonl),
      (#"{"word": "a", "start": 2, "end": 1}"#, .jsonl), (#"{"word": "a", "start": -1, "end": 1}"#, .jsonl),
      (#"{"word": "a", "start": 0}"#, .jsonl), (#"{"word": "a", "start": 0, "end": 1, "confidence": 2}"#, .jsonl),
      (#"{"text": "a", "confidence": -1}"#, .jsonl), ("no time", .srt), ("1\n00:00:03 --> 00:00:01\nx", .srt),
      ("a 1e300 1e301 1", .pocketsphinx), ("a nan nan 1", .pocketsphinx),
    ] {
      #expect(throws: EngineAnswer.Unreadable.self, "\(text)") { try read(text, output) }
    }
  }
}
