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
  /// One for each place.
  var keys: [Placed<KeySignature>] = []
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

  /// In sentences.
  var sentences: [String] {
    let counts: [(what: String, count: Int, noun: String)] = [
      ("Never ended, so they end where their track does", endless, "note"),
      ("Of no length, so they got one tick", empty, "note"),
      ("Ends that belong to no note, passed over", strayEnds, "end"),
      ("Begun while another of their pitch sounds, so that the first to begin ends first", overlapping, "note"),
      ("Outside the first track, and taken from there", lateTempos, "tempo or meter"),
      ("Not to be had in a project, and passed over", refusedMeters, "time signature"),
      ("Tempo or meter that makes no sense, passed over", strangeMetas, "event"),
      ("Longer than 1 MiB, and left out", oversized, "message"),
    ]
    return counts.filter { $0.count > 0 }.map { "\($0.what): \(counted($0.count, $0.noun))." }
  }
}
