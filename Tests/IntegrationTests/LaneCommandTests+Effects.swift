import Foundation
import Testing

// Lanes of effects.
extension LaneCommandTests {
  @Test("A value of an effect's parameter may have a unit behind it, as set-effect takes it")
  func units() throws {
    try withSong { daw in
      try edit(daw, "add-point Vocal eq.band2.frequency 2.5k --at 1.1.0")
      try edit(daw, "add-point Vocal eq.band2.frequency 300Hz --at 2.1.0")
      try edit(daw, "add-points Vocal eq.band2.frequency", input: "3.1.0,0.25kHz\n")
      #expect(
        try points(daw, "Vocal eq.band2.frequency") == ["1.1.0 2500 linear", "2.1.0 300 linear", "3.1.0 250 linear"])
      try edit(daw, "add-point Vocal delay.time 0.5s --at 1.1.0")
      try edit(daw, "add-point Vocal delay.mix 35% --at 1.1.0")
      try edit(daw, "set-point Vocal delay.time --at 1.1.0 --value 20ms")
      #expect(try points(daw, "Vocal delay.time") == ["1.1.0 20 linear"])
      #expect(try points(daw, "Vocal delay.mix") == ["1.1.0 0.35 linear"])
    }
  }

  @Test("An effect whose parameter a lane moves says so when the parameter is set")
  func effectsUnderLanes() throws {
    try withSong { daw in
      try edit(daw, "add-point Vocal eq.band2.gain -3 --at 1.1.0")
      try edit(daw, "add-point Vocal eq.bypass off --at 1.1.0")
      let said = "Vocal eq.band2.gain has a lane that is read"
      #expect(try run(daw, "set-effect Vocal/eq band2.gain=2").error.contains(said))
      #expect(try run(daw, "set-effect Vocal/eq --preset warm").error.contains(said))
      #expect(try run(daw, "set-effect Vocal/eq --bypass").error.contains("Vocal eq.bypass has a lane"))
      #expect(try run(daw, "set-effect Vocal/eq band3.gain=2").error.isEmpty)
      try edit(daw, "set-lane Vocal eq.band2.gain --no-read")
      #expect(try run(daw, "set-effect Vocal/eq band2.gain=1").error.isEmpty)
    }
  }

  @Test("A lane of a delay's time that its notes leave without effect is told, wherever it is made or listed")
  func idle() throws {
    try withSong { daw in
      let reason = "The lane of Vocal delay.time does nothing while its noteLength is 1/8d: "
      #expect(try run(daw, "add-point Vocal delay.time 300 --at 1.1.0").error.isEmpty)
      #expect(try run(daw, "set-effect Vocal/delay time=1/8d").error.contains(reason))
      #expect(try run(daw, "add-point Vocal delay.time 400 --at 3.1.0").error.contains(reason))
      #expect(try run(daw, "add-points Vocal delay.time", input: "4.1.0,500\n").error.contains(reason))
      #expect(try run(daw, "set-point Vocal delay.time --at 3.1.0 --value 450").error.contains(reason))
      // Other lanes of it are heard.
      #expect(try run(daw, "add-point Vocal delay.mix 0.5 --at 3.1.0").error.isEmpty)
      let list = try run(daw, "list-lanes")
      #expect(list.text.contains("delay.time  3 points, idle\n") && list.error.contains(reason), "\(list)")
      #expect(try lanes(daw).map(\.isIdle) == [true, false])
      #expect(try run(daw, "list-effects Vocal").error.contains(reason))
      #expect(try run(daw, "list-effects Vocal/eq").error.isEmpty)
      try edit(daw, "set-lane Vocal delay.time --no-read")
      #expect(try run(daw, "list-lanes").error.isEmpty)
      #expect(try run(daw, "set-lane Vocal delay.time --read").error.contains(reason))
      // What it says to do helps.
      let command = try #require(list.error.firstMatch(of: /'daw (set-effect [^']*)'/)).1
      #expect(try run(daw, String(command)).error.isEmpty)
      #expect(try run(daw, "list-lanes").error.isEmpty && lanes(daw).allSatisfy { !$0.isIdle })
    }
  }
}
