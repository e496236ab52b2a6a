import Foundation
import Testing

// Points that a file lists.
extension LaneCommandTests {
  @Test("A point of a list that breaks a rule is named by its line")
  func linesOfLists() throws {
    try withSong { daw in
      try edit(daw, "add-points Vocal volume", input: "1.1.0,-6\n3.1.0,-3\n")
      try edit(daw, "add-point --group Band mute off --at 1.1.0")
      let revision = try daw("revision").line
      for (lane, text, line, message) in [
        ("Vocal volume", "8.1.0,0\n9.1.0,99\n", 2, "Not accepted: a value of 99, of lane 'volume'."),
        ("Vocal volume", "position,value\n8.1.0,0\n\n9.1.0,-99dB\n", 4, "Not accepted: a value of -99, of lane"),
        ("Vocal volume", "8.1.0,99\n9.1.0,on\n", 2, "Not accepted: a value of 'on', of lane 'volume'."),
        ("Vocal eq.band2.frequency", "8.1.0,2k\n9.1.0,90k\n", 2, "Not accepted: a value of"),
        ("--group Band mute", "3.1.0,on\n4.1.0,off,linear\n", 2, "Not accepted: the shape linear in steps"),
        ("--group Band mute", "3.1.0,on\n4.1.0,0.5\n", 2, "Not accepted: a value of 0.5"),
        ("Vocal volume", "8.1.0,0\n9.1.0,0\n14s,1\n", 3, "at 8.1.0 (0:14.000), where line 1 has one. Nothing"),
        ("Vocal volume", "8.1.0,0\n8.1.0,0\n", 2, "leave one of the lines out"),
        ("Vocal volume", "position,value\n8.1.0,0\n3.1.0,1\n", 3, "at 3.1.0 (0:04.000), where the lane has one."),
        ("Vocal volume", "3.1.0,1\n", 1, "change the one that is there with 'daw set-point'"),
        ("Vocal pan", "3.1.0,1\n3.1.0,0\n", 2, "where line 1 has one"),
      ] {
        let output = try run(daw, "add-points \(lane)", input: text)
        #expect(output.status == 65 && output.error.contains(message), "\(text): \(output.error)")
        #expect(output.error.hasPrefix("daw: Line \(line) of standard input: "), "\(text): \(output.error)")
      }
      // That there is no such lane comes first.
      let other = try run(daw, "add-points Vocal eq.band1.type", input: "1s,bell\n")
      #expect(other.status == 65, "\(other.error)")
      #expect(other.error.contains("There is no parameter 'eq.band1.type' here"), "\(other.error)")
      // Codes are those of the rules, and positions those that an absolute lane tells apart.
      #expect(try run(daw, "add-points Vocal volume --json", input: "8.1.0,99\n").error.contains("\"pointValue\""))
      #expect(try run(daw, "add-points Vocal volume --json", input: "3.1.0,1\n").error.contains("\"pointIsOnce\""))
      #expect(try daw("revision").line == revision)
      try edit(daw, "set-lane Vocal volume --time-base absolute")
      let same = try run(daw, "add-points Vocal volume", input: "48001f,0\n48002f,0\n48001f,0\n")
      #expect(same.error.hasPrefix("daw: Line 3 of standard input: "), "\(same.error)")
      #expect(same.error.contains("where line 1 has one"), "\(same.error)")
    }
  }

  @Test("A list whose first point lies at a marker that is called as a column begins with a point")
  func markersCalledPosition() throws {
    try withSong { daw in
      try daw("add-marker", "Exposition", "--at", "2.1.0")
      try edit(daw, "add-points Vocal volume", input: "@Exposition,-6\n3.1.0,-3\n")
      try edit(daw, "add-points Vocal pan", input: "Position , Value\n@exposition,1\n")
      #expect(try points(daw, "Vocal volume").count == 2)
      #expect(try points(daw, "Vocal pan").count == 1)
    }
  }
}
