import DAWTime

extension ChosenNotes {
  /// Lengthens or shortens each note so that it ends where the next note of its channel starts. The last notes stay.
  ///
  /// Notes that start within `chordWindow` of the first of them are a chord: they end together, where the next chord
  /// starts.
  /// - Parameter gap: silence left before the next note; ignored for notes that are not longer than it.
  public func legato(gap: TickCount, chordWindow: TickCount) -> NoteChanges {
    var chords: [Int: (members: [MIDINote], start: TickCount)] = [:]
    var changes = NoteChanges()
    for note in notes {
      guard let chord = chords[note.channel] else {
        chords[note.channel] = ([note], note.start)
        continue
      }
      guard note.start - chord.start >= chordWindow, note.start > chord.start else {
        chords[note.channel]?.members.append(note)
        continue
      }
      for var member in chord.members {
        let whole = note.start - member.start
        let duration = whole > gap ? whole - gap : whole
        guard duration > .zero, duration != member.duration else { continue }
        member.duration = duration
        changes.changed.append(member)
      }
      chords[note.channel] = ([note], note.start)
    }
    return changes
  }

  /// Ends each note where the next one of the same pitch and channel starts. Of several that start together only the
  /// longest is kept; of equally long ones, the loudest.
  /// - Parameter acrossPitches: whether notes also end where one of another pitch starts; notes that start together
  ///   stay a chord.
  public func removingOverlaps(acrossPitches: Bool) -> NoteChanges {
    var changes = NoteChanges()
    var sounding: [Voice: [MIDINote]] = [:]
    func end(_ held: [MIDINote], at start: TickCount) {
      for var note in held where note.end > start {
        note.duration = start - note.start
        changes.changed.append(note)
      }
    }
    for note in withoutDuplicates(removing: &changes) {
      let voice = Voice(channel: note.channel, pitch: acrossPitches ? nil : note.pitch)
      let held = sounding[voice, default: []]
      if let first = held.first, first.start < note.start {
        end(held, at: note.start)
        sounding[voice] = [note]
      } else {
        sounding[voice, default: []].append(note)
      }
    }
    return changes
  }

  /// The notes without duplicates: notes of the same start, pitch and channel as another.
  private func withoutDuplicates(removing changes: inout NoteChanges) -> [MIDINote] {
    var kept: [MIDINote] = []
    kept.reserveCapacity(notes.count)
    var index = 0
    while index < notes.count {
      var together: [Voice: MIDINote] = [:]
      let start = notes[index].start
      while index < notes.count, notes[index].start == start {
        let note = notes[index]
        let voice = Voice(channel: note.channel, pitch: note.pitch)
        if let other = together[voice] {
          let isBetter = (note.duration, note.velocity) > (other.duration, other.velocity)
          together[voice] = isBetter ? note : other
          changes.removed.append(isBetter ? other.id : note.id)
        } else {
          together[voice] = note
        }
        index += 1
      }
      kept += together.count == 1 ? Array(together.values) : together.values.sorted { $0.id < $1.id }
    }
    return kept
  }

  /// A set of notes of which only one can sound at a time.
  private struct Voice: Hashable {
    var channel: Int
    /// `nil`: all pitches.
    var pitch: Int?
  }

  /// Cuts the notes that sound across `position` in two.
  public func split(at position: TickPosition) -> NoteChanges {
    let cut = position - start
    var changes = NoteChanges()
    for note in notes where note.start < cut && note.end > cut {
      var (left, right) = (note, note)
      left.duration = cut - note.start
      right.start = cut
      right.duration = note.end - cut
      changes.changed.append(left)
      changes.added.append(right)
    }
    return changes
  }
}
