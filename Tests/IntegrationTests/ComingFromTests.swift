import Foundation
import Testing

@Suite("The page for those who come from another program")
struct ComingFromTests {
  @Test(
    "The tasks, each with four other programs; every line of ours works as typed, in order, and leaves what it says")
  func tasks() throws {
    let page = try String(contentsOf: checkout.appending(path: "Documentation/Coming-from.md"), encoding: .utf8)
    let tasks = page.components(separatedBy: "\n## ").dropFirst()
    try #require(tasks.count >= 20)
    let readme = try String(contentsOf: checkout.appending(path: "README.md"), encoding: .utf8)
    #expect(readme.contains("| \(tasks.count) everyday tasks in "))
    var script = "set -euxo pipefail\n"
    for (index, task) in tasks.enumerated() {
      #expect(task.hasPrefix("\(index + 1). "))
      for program in ["Ardour", "REAPER", "Audacity", "sox"] {
        #expect(task.contains("\n| \(program) | "), "\(program): \(task)")
      }
      let block = task.components(separatedBy: "\n```sh\n").dropFirst().first?.components(separatedBy: "\n```").first
      script += try #require(block, "\(task)") + "\n"
    }
    try withScratchFolder { folder in
      for name in ["beat.flac", "bass.flac"] {
        try FileManager.default.copyItem(
          at: checkout.appending(path: "Projects/Media").appending(path: name), to: folder.appending(path: name))
      }
      let result = try runShell(in: folder, input: script)
      #expect(result.status == 0, "\(result.text)")
      for made in ["chorus.wav", "song.wav", "part.flac", "loud.wav", "stems"] {
        #expect(FileManager.default.fileExists(atPath: folder.appending(path: made).path), "\(made)")
      }
    }
  }
}
