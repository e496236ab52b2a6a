import DAWEngine
import DAWModel
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWCompiler

/// Lanes of mutes and the notes of a MIDI port.
@Suite struct PortMuteTests {
  /// A frame in flicks, and about one in ticks at the tempo of a new project, 120.
  private static let (flicks, ticks): (Int64, Int64) = (14_700, 32)
  private static let track = TrackID(rawValue: 1)

  private static func port(_ song: Song, _ options: CompileOptions = CompileOptions(hasPorts: true)) throws
    -> PlannedPort
  {
    try #require(try song.plan(options).ports.first)
  }

  /// By hand: for each frame whether something is muted, and from that what is sent.
  private struct Definition {
    /// For each frame, the keys that sound in it, and of those that begin there the loudest velocity.
    var sounding: [Set<UInt16>]
    var beginning: [[UInt16: UInt8]]
    /// For each frame, the pedals as the receiver has them behind it, by channel and controller.
    var pedals: [[UInt16: UInt8]]

    init(of events: [MIDIEvent], frames: Int) {
      (sounding, beginning, pedals) = ([], [], [])
      var (held, down): (Set<UInt16>, [UInt16: UInt8]) = ([], [:])
      var rest = events[...]
      for frame in 0..<frames {
        var begun: [UInt16: UInt8] = [:]
        while let event = rest.first, event.frame <= TimelineFrame(frame) {
          rest.removeFirst()
          let channel = event.status & 0x0f
          let key = UInt16(channel) << 8 | UInt16(event.data1)
          switch event.status & 0xf0 {
          case 0x90:
            #expect(held.insert(key).inserted, "a note begins while its key is held, at \(frame)")
            begun[key] = event.data2
          case 0x80: #expect(held.remove(key) != nil, "a note ends that does not sound, at \(frame)")
          case 0xb0: down[key] = event.data2 == 0 ? nil : event.data2
          default: break
          }
        }
        sounding.append(held)
        beginning.append(begun)
        pedals.append(down)
      }
    }

    init(
      notes: [(key: UInt16, start: Int, end: Int, velocity: UInt8)],
      pedal: [(frame: Int, number: UInt8, value: UInt8)], isMuted: [Bool]
    ) {
      let frames = isMuted.count
      sounding = Array(repeating: [], count: frames)
      beginning = Array(repeating: [:], count: frames)
      pedals = Array(repeating: [:], count: frames)
      for note in notes where !isMuted[note.start] {
        beginning[note.start][note.key] = max(note.velocity, beginning[note.start][note.key] ?? 0)
        for frame in note.start..<note.end {
          if isMuted[frame] { break }
          sounding[frame].insert(note.key)
        }
      }
      var down: [UInt16: UInt8] = [:]
      for frame in 0..<frames {
        for event in pedal where event.frame == frame {
          down[2 << 8 | UInt16(event.number)] = event.value == 0 ? nil : event.value
        }
        pedals[frame] = isMuted[frame] ? [:] : down
      }
    }
  }

  @Test func whatIsSentIsWhatTheDefinitionSays() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let frames = 400
    var (mutedCount, cutCount) = (0, 0)
    for round in 0..<150 {
      var song = Song()
      let track = song.addTrack(.midi)
      // 750 BPM and 48,000 Hz: a frame is 4 ticks.
      song.settings.tempo = Tempo(bpm: 750)
      var notes: [(key: UInt16, start: Int, end: Int, velocity: UInt8)] = []
      var rows: [(Int, Int64, Int64, Int)] = []
      for _ in 0..<Int.random(in: 1...25, using: &random) {
        let (pitch, velocity) = (Int.random(in: 60...62, using: &random), Int.random(in: 1...127, using: &random))
        let start = Int.random(in: 0..<300, using: &random)
        let end = start + Int.random(in: 1...90, using: &random)
        notes.append((UInt16(pitch), start, end, UInt8(velocity)))
        rows.append((pitch, Int64(start) * 4, Int64(end - start) * 4, velocity))
      }
      song.addNotes(track, rows)
      // Sustain and sostenuto, on the third channel.
      var pedal: [(frame: Int, number: UInt8, value: UInt8)] = []
      var place = 0
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        place += Int.random(in: 1...80, using: &random)
        guard place < frames else { break }
        let number: UInt8 = Bool.random(using: &random) ? 64 : 66
        pedal.append((place, number, [0, 0, 63, 127].randomElement(using: &random) ?? 0))
      }
      song.addEvents(
        song.regions[0].id,
        pedal.map { (Int64($0.frame) * 4, .controller(number: Int($0.number), value: Int($0.value))) })
      song.addGroup([track])
      var isMuted = [Bool](repeating: false, count: frames)
      let owners: [Lane.Owner] = [.track(track), .group(TrackGroupID(rawValue: 1))]
      for owner in owners where Int.random(in: 0...3, using: &random) > 0 {
        var frame = Int.random(in: 0...80, using: &random)
        var points: [(Int64, Double, LaneShape)] = []
        var values: [(frame: Int, isMuted: Bool)] = []
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          let value = Bool.random(using: &random)
          points.append((Int64(frame) * Self.flicks, value ? 1 : 0, .hold))
          values.append((frame, value))
          frame += Int.random(in: 1...120, using: &random)
        }
        song.addLane("mute", of: owner, points)
        for frame in 0..<frames {
          if (values.last { $0.frame <= frame } ?? values[0]).isMuted { isMuted[frame] = true }
        }
      }
      let port = try Self.port(song)
      // A lane that rests is as good as the set value.
      if port.isMuted { continue }
      let name = "seed \(seed), round \(round)"
      let expected = Definition(notes: notes, pedal: pedal, isMuted: isMuted)
      let found = Definition(of: port.events, frames: frames)
      #expect(found.sounding == expected.sounding, "\(name)")
      #expect(found.beginning == expected.beginning, "\(name)")
      #expect(found.pedals == expected.pedals, "\(name)")
      #expect(zip(port.events, port.events.dropFirst()).allSatisfy { $0.frame <= $1.frame }, "\(name)")
      if notes.contains(where: { isMuted[$0.start] }) { mutedCount += 1 }
      if notes.contains(where: { !isMuted[$0.start] && isMuted[$0.start..<$0.end].contains(true) }) { cutCount += 1 }
    }
    #expect(mutedCount > 30 && cutCount > 30)
  }

  private static func song() -> Song {
    var song = Song()
    let track = song.addTrack(.midi)
    song.addNotes(track, [(60, 0, 96_000, 80)])
    song.addEvents(
      song.regions[0].id, [(9, .controller(number: 64, value: 100)), (10, .controller(number: 7, value: 90))])
    return song
  }

  @Test func aLaneThatIsNeverMutedChangesNothing() throws {
    var song = Self.song()
    let options = CompileOptions(hasPorts: true)
    let plan = try song.plan(options)
    song.addLane("mute", of: .track(Self.track), [(0, 0, .hold), (900_000_000, 0, .hold)])
    #expect(try song.plan(options) == plan)
  }

  @Test func settingsGoOnWhereItIsMutedButForThePedal() throws {
    var song = Self.song()
    song.addLane("mute", of: .track(Self.track), [(0, 1, .hold), (705_600_000, 0, .hold)])
    let events = try Self.port(song).events
    // Controller 7; at one second the pedal, which is down.
    #expect(events.map(\.data1) == [7, 64] && events[1].frame == 48_000 && events[1].data2 == 100)
  }

  @Test func aSoloedTrackIsSentWhateverItsLaneSays() throws {
    var song = Self.song()
    let options = CompileOptions(soloedTracks: [Self.track], hasPorts: true)
    let events = try Self.port(song, options).events
    song.addLane("mute", of: .track(Self.track), [(0, 1, .hold), (705_600_000, 0, .hold)])
    #expect(try Self.port(song, options).events == events)
    #expect(try Self.port(song).events != events)
  }

  @Test func onlyWhatTheLaneChangesIsCompiledAgain() throws {
    var song = Self.song()
    let options = CompileOptions(hasPorts: true)
    song.addLane("mute", of: .track(Self.track), [(0, 1, .hold), (705_600_000, 0, .hold)])
    let first = try compile(song.project, media: song.media, options: options)
    let second = try compile(song.project, media: song.media, options: options, reusing: first.parts)
    let region = RegionID(rawValue: 1)
    #expect(second.parts.portRegions[region] === first.parts.portRegions[region])
    song.lanePoints = song.lanePoints.mapValues { points in
      points.map { point in
        var point = point
        point.position /= 2
        return point
      }
    }
    let third = try compile(song.project, media: song.media, options: options, reusing: second.parts)
    #expect(try third.plan == song.plan(options) && third.plan != second.plan)
    #expect(third.parts.regions[region] === second.parts.regions[region])
  }
}
