import DAWEngine
import DAWInstruments
import DAWTime
import Testing

extension InstrumentTests {
  @Suite struct Events {
    @Test(arguments: [(frame: 0, start: 0), (1, 64), (64, 64), (6_400, 6_400), (6_401, 6_464), (-5, 0)])
    func aNoteSoundsFromTheFirstQuantumThatDoesNotBeginBeforeIt(frame: TimelineFrame, start: Int) throws {
      let sound = try render(plan([noteOn(frame)]), frames: 9_600)
      #expect(sound.peak(0..<start) == 0)
      #expect(sound.peak(start..<start + 64) > 0)
      #expect(sound.peak(start..<9_600) > 0.01)
    }

    @Test func aNoteDecaysAfterItsEnd() throws {
      // An organ, which would sound forever.
      let held = try render(plan([noteOn(0)], program: 19), frames: 96_000)
      let ended = try render(plan([noteOn(0), noteOff(24_000)], program: 19), frames: 96_000)
      #expect(held.peak(90_000..<96_000) > 0.01)
      #expect(ended.peak(90_000..<96_000) < 0.000_01)
      #expect(ended.left[..<24_000] == held.left[..<24_000])
    }

    @Test func aNoteOnWithVelocityZeroIsANoteOff() throws {
      let ended = try render(plan([noteOn(0), noteOff(6_400)], program: 19), frames: 48_000)
      #expect(try render(plan([noteOn(0), noteOn(6_400, velocity: 0)], program: 19), frames: 48_000) == ended)
    }

    @Test func eventsOfOneQuantumKeepTheirOrder() throws {
      let restarted = try render(plan([noteOn(0), noteOff(9_601), noteOn(9_602)], program: 19), frames: 96_000)
      let stopped = try render(plan([noteOn(0), noteOn(9_601), noteOff(9_602)], program: 19), frames: 96_000)
      #expect(restarted.peak(90_000..<96_000) > 0.01)
      #expect(stopped.peak(90_000..<96_000) < 0.000_01)
    }

    @Test func panMovesANoteToOneSide() throws {
      for (value, isLeft) in [(0, true), (127, false)] as [(UInt8, Bool)] {
        let sound = try render(plan([control(0, 10, value), noteOn(0)], program: 19), frames: 24_000)
        let (left, right) = (Sound.peak(sound.left[...]), Sound.peak(sound.right[...]))
        #expect(isLeft ? left > 10 * right : right > 10 * left, "pan \(value): left \(left), right \(right)")
      }
    }

    @Test func everyKindOfMessageChangesWhatIsHeard() throws {
      let plain = try render(plan([noteOn(0)], program: 19), frames: 24_000)
      let messages = [
        control(6_400, 7, 20), MIDIEvent(frame: 6_400, status: 0xe0, data1: 0, data2: 127),
        MIDIEvent(frame: 6_400, status: 0xd0, data1: 127, data2: 0),
      ]
      for message in messages {
        let changed = try render(plan([noteOn(0), message], program: 19), frames: 24_000)
        #expect(changed.left[..<6_400] == plain.left[..<6_400], "\(message)")
        #expect(changed.left[6_400...] != plain.left[6_400...], "\(message)")
      }
    }

    @Test func aProgramChangeIsThePlansOwnProgram() throws {
      let change = MIDIEvent(frame: 0, status: 0xc0, data1: 40, data2: 0)
      let violin = try render(plan([noteOn(0)], program: 40), frames: 24_000)
      #expect(try render(plan([change, noteOn(0)], program: 0), frames: 24_000) == violin)
      #expect(try render(plan([noteOn(0)], program: 0), frames: 24_000) != violin)
    }

    @Test func theProgramHoldsOnEveryMelodicChannel() throws {
      let first = try render(plan([noteOn(0)], program: 40), frames: 24_000)
      for channel in [1, 8, 10, 15] as [UInt8] {
        #expect(try render(plan([noteOn(0, channel: channel)], program: 40), frames: 24_000) == first)
      }
    }

    @Test func channelTenIsPercussion() throws {
      let melodic = try render(plan([noteOn(0, pitch: 38)]), frames: 24_000)
      let snare = try render(plan([noteOn(0, pitch: 38, channel: 9)]), frames: 24_000)
      #expect(snare.peak(0..<24_000) > 0.01)
      #expect(snare != melodic)
      #expect(try render(plan([noteOn(0, pitch: 38, channel: 9)], program: 40), frames: 24_000) == snare)
      #expect(try render(plan([noteOn(0, pitch: 38)], bank: 128), frames: 24_000) == snare)
    }

    @Test func withoutEventsThereIsSilence() throws {
      #expect(try render(plan([]), frames: 10_000).peak(0..<10_000) == 0)
    }

    @Test func atTwiceTheHighestRateTheSoundIsInPlaceAndAsLoud() throws {
      let slow = try render(plan([noteOn(6_400)], program: 19, hertz: 96_000), frames: 48_000)
      let fast = try render(plan([noteOn(12_800)], program: 19, hertz: 192_000), frames: 96_000)
      // The filter's band limit: a sample may differ by the content between 43.5 and 48 kHz.
      let difference = (0..<48_000).reduce(Float(0)) { max($0, abs(fast.left[2 * $1] - slow.left[$1])) }
      #expect(difference < 0.01 * slow.peak(0..<48_000))
    }
  }
}
