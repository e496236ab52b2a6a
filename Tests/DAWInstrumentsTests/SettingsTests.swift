import DAWEngine
import DAWInstruments
import DAWTestSupport
import DAWTime
import Testing

extension InstrumentTests {
  @Suite struct Settings {
    private func program(_ frame: TimelineFrame, _ number: UInt8, channel: UInt8 = 0) -> MIDIEvent {
      MIDIEvent(frame: frame, status: 0xc0 | channel, data1: number, data2: 0)
    }

    private func bend(_ frame: TimelineFrame, _ coarse: UInt8) -> MIDIEvent {
      MIDIEvent(frame: frame, status: 0xe0, data1: 0, data2: coarse)
    }

    @Test func aBendsRangeIsARegisteredParameter() throws {
      let range = [control(0, 101, 0), control(0, 100, 0), control(0, 6, 12), control(0, 38, 0)]
      let bent = try render(plan(range + [bend(0, 127), noteOn(0)], program: 79), frames: 24_000)
      let narrow = try render(plan([bend(0, 127), noteOn(0)], program: 79), frames: 24_000)
      let zeroed = try render(plan(range + [noteOn(0)], program: 79), frames: 24_000)
      #expect(crossings(bent) > crossings(zeroed) * 18 / 10)
      #expect(crossings(narrow) < crossings(zeroed) * 13 / 10)
    }

    @Test func aTuningIsItsCoarseAndItsFineHalfInAnyOrder() throws {
      func tuned(_ data: [(UInt8, UInt8)]) throws -> Sound {
        let events = ([(101, 0), (100, 1)] + data).map { control(0, $0.0, $0.1) } + [noteOn(0)]
        return try render(plan(events, program: 19), frames: 12_000)
      }
      let usual = try tuned([(6, 80), (38, 100)])
      #expect(try tuned([(38, 100), (6, 80)]) == usual)
      #expect(try tuned([(6, 80)]) != usual)
      // Another parameter's LSB does not affect this one.
      #expect(try tuned([(100, 0), (38, 100), (100, 1), (6, 80)]) == tuned([(6, 80)]))
    }

    @Test func aFreeParameterStaysSelectedAndTakesItsNumbersInAnyOrder() throws {
      // SoundFont 2.01: generator 8, the filter's cutoff.
      func filtered(_ controllers: [(UInt8, UInt8)]) throws -> Sound {
        let events = controllers.map { control(0, $0.0, $0.1) } + [noteOn(0)]
        return try render(plan(events, program: 19), frames: 12_000)
      }
      let dark = try filtered([(99, 120), (98, 8), (38, 0), (6, 40)])
      #expect(try dark != filtered([]))
      #expect(try filtered([(99, 120), (98, 8), (6, 70), (6, 40)]) == dark)
      #expect(try filtered([(98, 8), (99, 120), (6, 40)]) == dark)
    }

    @Test func aNewInstanceWithAChaseSoundsAsIfPlayedFromTheStart() throws {
      let seed = Seed.current()
      var random = SeededGenerator(seed: seed)
      for _ in 0..<8 {
        var events: [MIDIEvent] = []
        for frame in stride(from: TimelineFrame(0), to: 20_000, by: 40) {
          let value = UInt8.random(in: 0..<128, using: &random)
          switch Int.random(in: 0..<8, using: &random) {
          case 0: events.append(program(frame, value % 40))
          case 1: events.append(bend(frame, value))
          case 2: events.append(control(frame, [98, 99, 100, 101].randomElement(using: &random) ?? 101, value % 3))
          case 3: events += [control(frame, 99, 120), control(frame, 98, value % 20 + 5)]
          case 4: events.append(control(frame, [6, 38].randomElement(using: &random) ?? 6, value))
          case 5: events.append(MIDIEvent(frame: frame, status: 0xd0, data1: value, data2: 0))
          case 6 where value < 10: events.append(control(frame, 121, 0))
          default:
            events.append(control(frame, [1, 7, 10, 11, 71, 74, 91].randomElement(using: &random) ?? 1, value))
          }
        }
        events += [control(20_000, 7, 100), control(20_000, 11, 127)]
        events += (0..<4).flatMap { index -> [MIDIEvent] in
          let frame = TimelineFrame(32_000 + index * 3_000)
          return [noteOn(frame, pitch: UInt8(55 + 5 * index)), noteOff(frame + 2_000, pitch: UInt8(55 + 5 * index))]
        }
        let whole = try render(plan(events), frames: 56_000)
        let chased = try render(plan(events).begun(at: 32_000), frames: 24_000)
        #expect(Array(whole.left[32_000...]) == chased.left, "seed \(seed)")
        #expect(Array(whole.right[32_000...]) == chased.right, "seed \(seed)")
        #expect(whole.peak(0..<32_000) == 0)
      }
    }

    private func crossings(_ sound: Sound) -> Int {
      zip(sound.left[4_800...], sound.left[4_801...]).count { $0 < 0 && $1 >= 0 }
    }

    @Test func aBankIsTheSoundFontsOwnNumberOrItsCoarseHalf() throws {
      let kit = try render(plan([noteOn(0, pitch: 38)], bank: 128), frames: 12_000)
      let selected = [control(0, 0, 1), control(0, 32, 0), program(0, 0), noteOn(0, pitch: 38)]
      #expect(try render(plan(selected), frames: 12_000) == kit, "bank 1 × 128 + 0 is the SoundFont's bank 128")
      let violin = try render(plan([noteOn(0)], program: 40), frames: 12_000)
      for (coarse, fine) in [(0, 0), (0, 77), (99, 3)] as [(UInt8, UInt8)] {
        let events = [control(0, 0, coarse), control(0, 32, fine), program(0, 40), noteOn(0)]
        #expect(try render(plan(events), frames: 12_000) == violin, "bank \(coarse), \(fine), which is not there")
      }
    }

    @Test func aBankTakesEffectWithTheNextProgram() throws {
      let violin = try render(plan([noteOn(0)], program: 40), frames: 12_000)
      #expect(
        try render(plan([control(0, 0, 1), control(0, 32, 0), noteOn(0)], program: 40), frames: 12_000) == violin)
    }

    @Test func onChannelTenAProgramIsADrumKitWhateverTheBank() throws {
      let standard = try render(plan([noteOn(0, pitch: 38, channel: 9)]), frames: 12_000)
      let brushes = try render(plan([program(0, 40, channel: 9), noteOn(0, pitch: 38, channel: 9)]), frames: 12_000)
      #expect(brushes.peak(0..<12_000) > 0.001)
      let none = [control(0, 0, 0, channel: 9), program(0, 127, channel: 9), noteOn(0, pitch: 38, channel: 9)]
      #expect(try render(plan(none), frames: 12_000).peak(0..<12_000) > 0.001)
      #expect(standard.peak(0..<12_000) > 0.001)
      var drums = plan([noteOn(0, pitch: 38, channel: 9)], program: 40)
      drums.isPercussion = true
      #expect(try render(drums, frames: 12_000) == brushes)
    }

    @Test func aResetGivesEveryChannelTheTracksPresetAgain() throws {
      var reset = plan([program(0, 19), MIDIEvent(frame: 0, bytesIndex: 0), noteOn(0)], program: 40)
      reset.systemExclusive = [[0xf0, 0x7e, 0x7f, 0x09, 0x01, 0xf7]]
      #expect(try render(reset, frames: 12_000) == render(plan([noteOn(0)], program: 40), frames: 12_000))
    }

    @Test func aTuningBySystemExclusiveIsHeard() throws {
      // MIDI Tuning Standard, scale and octave tuning, 1 byte: all keys 64 cents up.
      var tuned = plan([MIDIEvent(frame: 0, bytesIndex: 0), noteOn(0)], program: 19)
      tuned.systemExclusive = [
        [0xf0, 0x7f, 0x7f, 0x08, 0x08, 0x03, 0x7f, 0x7f] + [UInt8](repeating: 127, count: 12) + [0xf7]
      ]
      #expect(try render(tuned, frames: 12_000) != render(plan([noteOn(0)], program: 19), frames: 12_000))
    }

    @Test func brokenBytesAreLeftOut() throws {
      var broken = plan((0..<5).map { MIDIEvent(frame: 0, bytesIndex: $0) } + [noteOn(0)])
      broken.systemExclusive = [[], [0xf0], [0xf0, 0xf7], [0xf0, 0x7e, 0x7f]]
      #expect(try render(broken, frames: 6_400) == render(plan([noteOn(0)]), frames: 6_400))
    }

    @Test func gainIsAFactorReverbRingsOnAndChorusIsHeard() throws {
      let events = [noteOn(0), noteOff(9_600)]
      let plain = try render(plan(events, program: 19), frames: 48_000)
      var other = plan(events, program: 19)
      other.effects.gain = 0.5
      let soft = try render(other, frames: 48_000)
      let difference = zip(plain.left, soft.left).map { abs($0 - 2 * $1) }.max() ?? 1
      #expect(difference < 0.000_01 && plain.peak(0..<9_600) > 0.01)
      other.effects = InstrumentEffects(reverb: InstrumentReverb(roomSize: 0.9, damping: 0, width: 0.5, level: 1))
      let wet = try render(other, frames: 48_000)
      #expect(wet.peak(40_000..<48_000) > 100 * plain.peak(40_000..<48_000) + 0.000_1)
      let chorus = InstrumentEffects(chorus: InstrumentChorus(voiceCount: 3, level: 2, speed: 0.3, depth: 8))
      // The organ sends to the chorus by itself, the piano does not: both are heard, until controller 93 is 0.
      var piano = plan(events)
      let dryPiano = try render(piano, frames: 48_000)
      piano.effects = chorus
      #expect(try render(piano, frames: 48_000) != dryPiano)
      piano.events.insert(control(0, 93, 0), at: 0)
      #expect(try render(piano, frames: 48_000) == dryPiano)
      other.effects = chorus
      #expect(try render(other, frames: 48_000) != plain)
      for call in [1, 333, 4_096] {
        #expect(try render(other, frames: 12_000, call: call) == render(other, frames: 12_000))
      }
    }

    @Test func theListOfPresetsIsTheSoundFonts() throws {
      try requireSoundFont()
      let presets = try SoundFontLibrary.presets(path: soundFont)
      #expect(presets.count > 128)
      #expect(presets.first?.bank == 0 && presets.first?.program == 0)
      #expect(presets.contains { $0.bank == 128 })
      #expect(presets == presets.sorted { ($0.bank, $0.program) < ($1.bank, $1.program) })
    }
  }
}
