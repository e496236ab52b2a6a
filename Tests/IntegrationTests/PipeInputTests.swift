import Foundation
import Testing

@Suite("Files that are pipes or devices")
struct PipeInputTests {
  @Test("Lists, batches and JSON are read from pipes as from files; paths in a batch are those of the current folder")
  func pipes() throws {
    let script = #"""
      set -eu
      export DAW_PROJECT=Song
      daw new Song -q
      daw add-track A -q
      daw add-track K --type midi -q
      daw add-region K --name R --length 4b -q
      daw add-points A trim <(printf '20s,1\n') -q
      printf '21s,2\n' | daw add-points A trim /dev/stdin -q
      mkfifo list
      printf '22s,3\n' > list &
      daw add-points A trim list -q
      wait
      daw add-notes R <(printf 'pitch\nC4\n') -q
      printf 'pitch,start\nD4,1b\n' > notes.csv
      daw batch <(printf 'add-notes R notes.csv\n') -q
      daw show --json --notes | daw new Copy --from /dev/stdin -q
      daw -p Copy list-points A trim -q | wc -l
      daw -p Copy list-notes -q | wc -l
      """#
    try withScratchFolder { folder in
      let result = try runShell(in: folder, input: script)
      #expect(result.status == 0 && result.text.hasSuffix("\n3\n2\n"), "\(result.text)")
    }
  }

  @Test("A stream without an end that is no JSON is refused, and the reason said")
  func endlessJSON() throws {
    try withScratchFolder { folder in
      let cases = [
        ("daw new Song --from /dev/zero", "not in UTF-8"),
        (#"(printf '{"name": "'; cat /dev/zero) | daw new Song --from -"#, "A NUL byte stands here"),
        ("yes ' ' | daw new Song --from -", "more than 16 MiB of white space"),
        (#"(printf '{"tracks": ['; yes '') | daw new Song --from /dev/stdin"#, "more than 16 MiB of white space"),
      ]
      for (line, reason) in cases {
        let output = try runShell(in: folder, input: "\(line) 2>&1; [ $? = 65 ] && echo refused")
        #expect(output.text.contains(reason) && output.text.hasSuffix("refused\n"), "\(line): \(output.text)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  @Test("White space of more than 16 MiB is read from a stream where it is not in a row")
  func muchSpace() throws {
    let script = #"""
      set -eu
      space() { head -c 10000000 /dev/zero | tr '\0' ' '; }
      daw new Song -q
      daw -p Song add-track Keys -q
      json=$(daw -p Song show --json)
      (space; printf '{'; space; printf '%s' "${json#?}") | daw new Copy --from - -q
      daw -p Copy list-tracks
      """#
    try withScratchFolder { folder in
      let result = try runShell(in: folder, input: script)
      #expect(result.status == 0 && result.text.contains("Keys"), "\(result.text)")
    }
  }

  @Test("JSON from a pipe that begins otherwise is refused at once, though the pipe has no end")
  func endlessText() throws {
    try withScratchFolder { folder in
      let result = try runShell(in: folder, input: "yes x | daw new Song --from -; echo status $?; ls -A")
      #expect(result.text.contains("status 65\n"), "\(result.text)")
      #expect(!result.text.contains("Song.daw"), "\(result.text)")
    }
  }

  @Test("A device that is empty holds nothing, one without an end is refused, and a socket is no file")
  func devices() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("add-track", "A")
      try daw("add-point", "A", "trim", "1", "--at", "1.1.0")
      let revision = try daw("revision").line
      #expect(try daw("add-points", "A", "trim", "/dev/null").text.contains("Nothing to change."))
      #expect(try daw("batch", "/dev/null").text.contains("The batch is empty"))
      let endless = try daw.run(["batch", "/dev/zero"])
      #expect(endless.status == 65, "\(endless.error)")
      #expect(endless.error.contains("'/dev/zero' gives more than 256 MiB."), "\(endless.error)")
      let large = folder.appendingPathComponent("large.txt").path
      try #require(FileManager.default.createFile(atPath: large, contents: nil) && truncate(large, 257 << 20) == 0)
      for words in [["batch", "large.txt"], ["add-points", "A", "trim", "large.txt"]] {
        let output = try daw.run(words)
        #expect(output.status == 65 && output.error.contains("gives more than 256 MiB."), "\(words): \(output.error)")
      }
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let path = folder.appendingPathComponent("socket").path
      try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
      let isBound = withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
      }
      try #require(isBound)
      for words in [["add-points", "A", "trim", "socket"], ["batch", "socket"], ["new", "B", "--from", "socket"]] {
        let output = try daw.run(words)
        #expect(output.status == 66 && output.error.contains("is no regular file"), "\(words): \(output.error)")
        #expect(output.error.contains("give - to read from a pipe"), "\(words): \(output.error)")
      }
      #expect(try daw("revision").line == revision)
    }
  }
}
