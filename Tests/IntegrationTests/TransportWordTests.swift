import DAWTestSupport
import Foundation
import Testing

@Suite("What is typed for the player")
struct TransportWordTests {
  @Test(
    "A place that cannot be read is status 64, whether anything plays or not",
    arguments: [["locate", "nonsense"], ["locate", ""], ["loop", "nonsense"], ["loop", "1s..x"], ["locate", "12"]])
  func nonsense(words: [String]) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      let output = try daw.run(["transport", "-p", "Song"] + words)
      #expect(output.status == 64 && !output.error.contains("within daw"), "\(output.error)")
      let json = try daw.run(["transport", "-p", "Song", "--json"] + words)
      #expect(json.status == 64 && json.error.contains("\"usage\""), "\(json.error)")
    }
  }
}
