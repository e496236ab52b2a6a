import DAWMedia

/// What a MIDI file says, at places in the project's ticks, whichever of its tracks says it.
struct MIDIFileEvents: Equatable {
  struct Event: Hashable {
    var tick: Int64
    var bytes: [UInt8]

    /// What a project always has: a name for each track, a tempo and a meter at the start.
    var isOfTheStart: Bool {
      tick == 0 && bytes[0] == 0xff && [0x03, 0x51, 0x58].contains(bytes[1])
    }

    /// A track that is called nothing.
    var isOfNoName: Bool { bytes == [0xff, 0x03] }
  }

  /// Sorted.
  var notes: [[Int64]] = []
  var events: Set<Event> = []

  init(_ file: MIDIFile) {
    guard case .ticksPerQuarter(let division) = file.division else { return }
    let scale = 15_360 / Int64(division)
    for track in file.tracks {
      for note in MIDIFileNotes(track).notes {
        notes.append([
          note.start * scale, max(note.end, note.start + 1) * scale, Int64(note.pitch), Int64(note.velocity),
          Int64(note.releaseVelocity), Int64(note.channel),
        ])
      }
      for event in track.events where !event.isNoteOn && !event.isNoteOff {
        var bytes = [event.status, event.data1, event.data2]
        if !event.isChannelMessage { bytes = [event.status, event.data1] + track.payload(of: event) }
        // How a metronome clicks is not kept.
        if bytes.starts(with: [0xff, 0x58]) { bytes = Array(bytes.prefix(4)) }
        events.insert(Event(tick: event.tick * scale, bytes: bytes))
      }
    }
    notes.sort { $0.lexicographicallyPrecedes($1) }
  }
}
