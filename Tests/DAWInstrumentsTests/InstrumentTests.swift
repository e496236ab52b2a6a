import DAWEngine
import DAWInstruments
import DAWTime
import Foundation
import Testing

/// All tests of instruments.
@Suite enum InstrumentTests {
  /// The small General MIDI SoundFont that the project's scripts install.
  static let soundFont = "/usr/share/sounds/sf2/TimGM6mb.sf2"

  static func requireSoundFont() throws {
    try #require(
      SoundFontLibrary.isSoundFont(path: soundFont),
      "The tests of instruments need \(soundFont): run 'sudo apt install libfluidsynth3 timgm6mb-soundfont'.")
  }

  static func plan(
    _ events: [MIDIEvent], bank: Int = 0, program: Int = 0, hertz: Int = 48_000, path: String = soundFont
  ) -> InstrumentPlan {
    InstrumentPlan(
      soundFontPath: path, soundFontHash: String(repeating: "0", count: 64), bank: bank, program: program,
      sampleRate: SampleRate(hertz: hertz), events: events)
  }

  static func noteOn(_ frame: TimelineFrame, pitch: UInt8 = 60, velocity: UInt8 = 100, channel: UInt8 = 0) -> MIDIEvent
  {
    MIDIEvent(frame: frame, status: 0x90 | channel, data1: pitch, data2: velocity)
  }

  static func noteOff(_ frame: TimelineFrame, pitch: UInt8 = 60, channel: UInt8 = 0) -> MIDIEvent {
    MIDIEvent(frame: frame, status: 0x80 | channel, data1: pitch, data2: 0)
  }

  static func control(_ frame: TimelineFrame, _ number: UInt8, _ value: UInt8, channel: UInt8 = 0) -> MIDIEvent {
    MIDIEvent(frame: frame, status: 0xb0 | channel, data1: number, data2: value)
  }

  /// The first frames of a new instance, fetched in calls of equal size.
  static func render(_ plan: InstrumentPlan, frames: Int, call: Int = 512) throws -> Sound {
    try requireSoundFont()
    return fetch(from: try FluidSynthInstrument(plan: plan), frames: frames, call: call)
  }

  static func fetch(from instrument: FluidSynthInstrument, frames: Int, call: Int) -> Sound {
    var sound = Sound(left: Array(repeating: 0, count: frames), right: Array(repeating: 0, count: frames))
    sound.left.withUnsafeMutableBufferPointer { left in
      sound.right.withUnsafeMutableBufferPointer { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return }
        for start in stride(from: 0, to: frames, by: call) {
          instrument.produce(frameCount: min(call, frames - start), left: left + start, right: right + start)
        }
      }
    }
    return sound
  }
}

struct Sound: Equatable, Sendable {
  var left: [Float]
  var right: [Float]

  /// The peak of both sides within a range of frames.
  func peak(_ range: Range<Int>) -> Float { max(Self.peak(left[range]), Self.peak(right[range])) }

  static func peak(_ samples: ArraySlice<Float>) -> Float { samples.reduce(0) { max($0, abs($1)) } }
}
