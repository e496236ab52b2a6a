import DAWModel
import Testing

@Suite("Keys")
struct KeyTests {
  @Test("Each of the thirty keys has its name, and is parsed from it")
  func names() {
    let major = ["Cb", "Gb", "Db", "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#"]
    let minor = ["Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#", "G#", "D#", "A#"]
    for fifths in -7...7 {
      for (isMinor, tonic) in [(false, major[fifths + 7]), (true, minor[fifths + 7])] {
        let key = Key(fifths: fifths, isMinor: isMinor)
        #expect(key.description == "\(tonic) \(isMinor ? "minor" : "major")")
        #expect(Key(name: key.description) == key)
        #expect(Key(name: isMinor ? "\(tonic.lowercased())m" : tonic) == key)
      }
    }
  }

  @Test("Keys beyond seven sharps or flats")
  func beyond() {
    #expect(Key(name: "F##") == Key(fifths: 13))
    #expect(Key(name: "Bbb minor") == Key(fifths: -12, isMinor: true))
  }

  @Test(
    "Other texts are not keys",
    arguments: ["", "H", "CM7", "#", "mC", "C#b", "Cminorish", "C########", "1", "C 4"])
  func nonsense(name: String) {
    #expect(Key(name: name) == nil)
  }
}
