/// A note of a MIDI file: a note-on with its note-off.
public struct MIDIFileNote: Hashable, Sendable {
  /// In the file's ticks; equal for a note of length 0.
  public var start: Int64
  public var end: Int64
  /// 0 … 127.
  public var pitch: UInt8
  /// 1 … 127.
  public var velocity: UInt8
  /// 0 … 127; 64 if the file has none.
  public var releaseVelocity: UInt8
  /// 0 … 15.
  public var channel: UInt8

  public init(start: Int64, end: Int64, pitch: UInt8, velocity: UInt8, releaseVelocity: UInt8, channel: UInt8) {
    self.start = start
    self.end = end
    self.pitch = pitch
    self.velocity = velocity
    self.releaseVelocity = releaseVelocity
    self.channel = channel
  }
}

/// The notes of a track.
///
/// A note without a note-off ends with the track.
public struct MIDIFileNotes: Equatable, Sendable {
  /// In order of their starts.
  public private(set) var notes: [MIDIFileNote] = []
  /// Notes without a note-off, ended by the end of the track.
  public private(set) var endlessCount = 0
  /// Notes of length 0.
  public private(set) var emptyCount = 0
  /// Note-offs without a note.
  public private(set) var strayEndCount = 0
  /// Notes that begin while another of the same pitch and channel sounds.
  public private(set) var overlapCount = 0

  /// What becomes of a note when another of the same pitch and channel begins.
  public enum Overlap: Sendable {
    /// It sounds on, and the first to begin is the first to end: no note is lost or cut by another's note-off.
    case firstInFirstOut
    /// It ends there, as the key of a keyboard has one note at a time.
    case endsTheEarlier
  }

  public init(_ track: MIDIFileTrack, overlap: Overlap = .firstInFirstOut) {
    notes.reserveCapacity(track.events.count { $0.isNoteOn })
    var sounding = SoundingNotes(capacity: notes.capacity)
    for event in track.events {
      if event.isNoteOn {
        if !sounding.isSilent(event) {
          overlapCount += 1
          if overlap == .endsTheEarlier, let index = sounding.end(event) { end(index, at: event.tick) }
        }
        sounding.begin(notes.count, event)
        notes.append(
          MIDIFileNote(
            start: event.tick, end: .max, pitch: event.data1, velocity: event.data2, releaseVelocity: 64,
            channel: event.status & 0x0f))
      } else if event.isNoteOff {
        guard let index = sounding.end(event) else {
          strayEndCount += 1
          continue
        }
        notes[index].releaseVelocity = event.releaseVelocity
        end(index, at: event.tick)
      }
    }
    for index in notes.indices where notes[index].end == .max {
      endlessCount += 1
      end(index, at: track.endTick)
    }
  }

  private mutating func end(_ index: Int, at tick: Int64) {
    notes[index].end = tick
    if notes[index].start == tick { emptyCount += 1 }
  }
}

/// For each pitch of each channel, a queue of sounding notes, as indices into a list.
private struct SoundingNotes {
  /// The first and the last index of each queue; −1 for none.
  private var first = [Int32](repeating: -1, count: 16 * 128)
  private var last = [Int32](repeating: -1, count: 16 * 128)
  /// The next index in each note's queue.
  private var following: [Int32] = []

  init(capacity: Int) { following.reserveCapacity(capacity) }

  private func queue(_ event: MIDIFileEvent) -> Int { event.channel << 7 | Int(event.data1 & 0x7f) }

  func isSilent(_ event: MIDIFileEvent) -> Bool { first[queue(event)] < 0 }

  mutating func begin(_ note: Int, _ event: MIDIFileEvent) {
    let queue = queue(event)
    following.append(-1)
    if first[queue] < 0 { first[queue] = Int32(note) } else { following[Int(last[queue])] = Int32(note) }
    last[queue] = Int32(note)
  }

  mutating func end(_ event: MIDIFileEvent) -> Int? {
    let queue = queue(event)
    guard first[queue] >= 0 else { return nil }
    let note = Int(first[queue])
    first[queue] = following[note]
    return note
  }
}
