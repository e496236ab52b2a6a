import Foundation
import Testing

@Suite("Counts in text")
struct CountedTextTests {
  @Test("One of a thing is said as one, and a size in the unit that it is rounded to")
  func one() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--name", "Verse")
      try daw("add-note", "Verse", "C4")
      try daw("add-point", "Keys", "volume", "-6", "--at", "1.1.0")
      #expect(try daw("thin-points", "Keys", "volume", "--tolerance", "0.1").text.contains("; 1 is left."))
      #expect(try daw("transpose", "--track", "Keys", "--by", "-1").text.contains("by -1 semitone:"))
      let media = folder.appending(path: "Song.daw/Audio")
      try FileManager.default.createDirectory(at: media, withIntermediateDirectories: true)
      for (count, text) in [(1, "1 file, 1 byte:"), (999_940, "1 file, 999.9 kB:"), (999_960, "1 file, 1 MB:")] {
        try Data(count: count).write(to: media.appending(path: "a.wav"))
        let said = try daw("clean", "--dry-run").text
        #expect(said.contains(text), "\(said)")
      }
    }
  }
}
