import DAWTestSupport
import Foundation
import Testing

@Suite("The manual")
struct ManualTests {
  private static let man = ["/usr/bin/man", "/bin/man"].first { FileManager.default.isExecutableFile(atPath: $0) }

  @Test("Scripts/manual makes a page for each command and a completion for each shell, and says where")
  func pages() throws {
    try withScratchFolder { folder in
      let script = """
        DAW='\(DAWProgram.path)' '\(checkout.appending(path: "Scripts/manual").path)' Manual
        """
      let result = try runShell(in: folder, input: script)
      #expect(result.status == 0, "\(result.text)")
      #expect(result.text.contains("man pages into '\(folder.path)/Manual/man1'"), "\(result.text)")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Manual/man1")
      #expect(names.count > 60 && names.contains("daw.1") && names.contains("daw-add-track.1"))
      for shell in ["bash", "zsh", "fish"] {
        let completion = folder.appending(path: "Manual/completions/daw.\(shell)")
        #expect(try String(contentsOf: completion, encoding: .utf8).contains("--complete \(shell)"))
      }
      let page = folder.appending(path: "Manual/man1/daw-add-track.1")
      let text = try String(contentsOf: page, encoding: .utf8)
      #expect(text.contains("daw\\-add\\-track \\- Add a track."))
      #expect(text.contains("\\fB\\-\\-mute\\fR, \\fB\\-\\-no\\-mute\\fR"))
      guard let man = Self.man else { return }
      // What groff complains of, it says with --warnings.
      let check = try runShell(
        in: folder,
        input: "for page in Manual/man1/*.1; do MANWIDTH=80 '\(man)' --warnings=all -l $page >out || exit 1; done")
      #expect(check.status == 0 && check.text.isEmpty, "\(check.text)")
      let shown = try runShell(in: folder, input: "MANWIDTH=80 '\(man)' -l Manual/man1/daw-add-track.1 | cat").text
      #expect(shown.contains("daw add-track Keys --type midi --program 4"), "\(shown)")
    }
  }
}
