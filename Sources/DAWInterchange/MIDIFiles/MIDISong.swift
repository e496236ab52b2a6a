import DAWMedia
import DAWModel
import DAWProject
import DAWTime

/// The music of a MIDI file, or of one sequence of format 2. Positions are in the file's ticks.
struct MIDISong {
  var parts: [MIDIPart] = []
  /// In order of place, one for each.
  var tempos: [Placed<Int>] = []
  /// In order of place, one for each.
  var meters: [Placed<TimeSignature>] = []
  /// One for each place, the first that the file has there.
  var keys: [Placed<KeySignature>] = []
  /// The places of `keys`.
  var keyTicks: Set<Int64> = []
  var markers: [Placed<MarkerText>] = []
  /// Where the last track ends.
  var endTick: Int64 = 0

  struct Placed<Value> {
    var tick: Int64
    var value: Value
  }

  struct KeySignature: Equatable {
    var fifths: Int
    var isMinor: Bool
  }

  struct MarkerText: Equatable {
    var name: Name
    var kind: Marker.Kind
  }
}

/// The content of one track: a track of the file, or one of its channels.
struct MIDIPart {
  /// As it is in the file; `nil` where it is not.
  var name: String?
  /// In order of start.
  var notes: [MIDIFileNote] = []
  /// In order of place.
  var events: [Event] = []
  var endTick: Int64 = 0
  /// Bank and program of the first note; `nil` when none is set or the part has several channels.
  var instrument: Sound?
  /// Whether the instrument's program is the number of channel 10's drum kit, which has number 0 otherwise.
  var hasOwnKit = false

  struct Event {
    var tick: Int64
    /// 0 … 15; 0 for what has no channel.
    var channel: Int
    var message: RegionEvent.Message
  }

  struct Sound: Equatable {
    /// Bank select MSB × 128 + LSB.
    var bank = 0
    var program: Int
  }
}

/// Counts of irregularities in a file's music.
struct MIDISongRemarks {
  var endless = 0
  var empty = 0
  var strayEnds = 0
  var overlapping = 0
  var lateTempos = 0
  var strangeMetas = 0
  var oversized = 0
  var refusedMeters = 0

  mutating func add(_ notes: MIDIFileNotes) {
    endless += notes.endlessCount
    empty += notes.emptyCount
    strayEnds += notes.strayEndCount
    overlapping += notes.overlapCount
  }

  /// In sentences: "2 notes of no length: made one tick long."
  var sentences: [String] {
    let counts: [(count: Int, noun: String, rest: String)] = [
      (endless, "note", "without a note-off: ended with the track"),
      (empty, "note", "of no length: made one tick long"),
      (strayEnds, "note-off", "without a note: passed over"),
      (overlapping, "note", "begun while another of the same pitch sounds: the first to begin is the first to end"),
      (lateTempos, "event", "of tempo or meter outside the first track: taken as if in it"),
      (refusedMeters, "time signature", "that a project cannot have: passed over"),
      (strangeMetas, "event", "of tempo or meter without a valid value: passed over"),
      (oversized, "message", "longer than 1 MiB: left out"),
    ]
    return counts.filter { $0.count > 0 }.map { "\(counted($0.count, $0.noun)) \($0.rest)." }
  }
}
