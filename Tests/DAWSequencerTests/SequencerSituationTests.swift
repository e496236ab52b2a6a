import CALSA
import DAWEngine
import DAWTestSupport
import DAWTime
import Glibc
import Testing

@testable import DAWSequencer

private func exclusive(_ count: Int) -> [UInt8] {
  [0xf0] + (0..<count - 2).map { UInt8(($0 * 7 + $0 / 128) % 128) } + [0xf7]
}

/// Situations besides transport changes: long messages, lateness, new subscribers, restarted hosts.
extension SequencerOutputTests {
  /// The last message is longer than the kernel's buffer for a client.
  @Test func systemExclusiveMessagesComeWholeHoweverLong() throws {
    let lengths = [3, 4_096, 4_104, 9_000, 70_000]
    var events = lengths.indices.map { MIDIEvent(frame: TimelineFrame(9_600 + $0 * 9_600), bytesIndex: UInt32($0)) }
    // Right after each message, so that these notes have to wait for all of its parts.
    for index in lengths.indices {
      events += note(UInt8(60 + index), TimelineFrame(9_601 + index * 9_600)..<TimelineFrame(9_700 + index * 9_600))
    }
    let stage = try Stage(events, systemExclusive: lengths.map(exclusive))
    stage.host.roll(from: 0)
    stage.listener.listen(seconds: 20) { $0.events.count >= 15 }
    stage.output.stop()
    #expect(stage.listener.exclusive.map(\.count) == lengths)
    #expect(stage.listener.exclusive == lengths.map(exclusive))
    #expect(stage.listener.faults == [])
    let expected = lengths.indices.flatMap { ["exclusive \(lengths[$0])", "on \(60 + $0) 80", "off \(60 + $0)"] }
    #expect(Array(stage.listener.texts.prefix(15)) == expected)
    #expect(stage.listener.isSilent)
  }

  /// An edit withdraws queued events, but not the rest of a message whose beginning is sent.
  @Test func anEditLeavesALongMessageWhole() throws {
    let bytes = exclusive(70_000)
    let first = [MIDIEvent(frame: 9_600, bytesIndex: 0)]
    var stage = try Stage(first + note(60, 9_700..<4_800_000), systemExclusive: [bytes])
    stage.host.roll(from: 0)
    for pitch in UInt8(70)..<76 {
      usleep(40_000)
      stage.publish(first + note(60, 9_700..<4_800_000) + note(pitch, 96_000..<4_800_000), systemExclusive: [bytes])
    }
    stage.listener.listen(seconds: 10) { $0.notes.isSuperset(of: [60, 75]) }
    #expect(stage.listener.exclusive == [bytes])
    #expect(stage.listener.notes == [60, 75])
    stage.output.stop()
    stage.expectSilence()
  }

  @Test func lateEventsAreSentAndCounted() throws {
    var events: [MIDIEvent] = []
    for index in 0..<200 {
      let start = TimelineFrame(index * 960 + 4_800)
      events += note(UInt8(20 + index % 100), start..<start + 900)
    }
    let stage = try Stage(events)
    stage.host.roll(from: 0)
    stage.listener.listen(seconds: 10) { $0.events.count >= 20 }
    let before = stage.output.status.lateCount
    stage.host.skip(microseconds: 600_000)
    stage.listener.listen(seconds: 20) { $0.texts.count { $0 == "off 119" } >= 2 }
    let status = stage.output.status
    stage.output.stop()
    // 0.6 s of events, less those queued ahead.
    #expect(status.lateCount >= before + 10)
    #expect(status.lateCount < events.count)
    // Notes that may have been sent when the clock jumped are ended once more, and may be struck once more.
    var struck: [String] = []
    for text in stage.listener.texts where text.hasPrefix("on") && struck.last != text { struck.append(text) }
    #expect(struck == (0..<200).map { "on \(20 + $0 % 100) 80" })
    #expect(stage.listener.faults == [])
    #expect(stage.listener.isSilent)
  }

  /// Each note is struck once, in order, however often the server is late; sounding notes continue.
  @Test func xrunsNeitherRepeatNorLoseAnything() throws {
    var events = long
    for index in 0..<150 {
      let start = TimelineFrame(index * 960)
      events += note(UInt8(61 + index % 60), start..<start + 900)
    }
    let stage = try Stage(events)
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    stage.host.roll(from: 0)
    for _ in 0..<25 {
      stage.listener.listen(seconds: Double.random(in: 0...0.12, using: &random))
      stage.host.passOver(frames: Int.random(in: 1...20, using: &random) * 256)
    }
    stage.listener.listen(seconds: 20) { $0.texts.count { $0.hasPrefix("on") } >= 151 }
    #expect(stage.listener.notes.contains(60), "seed \(seed)")
    stage.output.stop()
    let struck = stage.listener.texts.filter { $0.hasPrefix("on") }
    let expected = (0..<150).map { "on \(61 + $0 % 60) 80" }
    #expect(struck.filter { $0 != "on 60 80" } == expected, "seed \(seed)")
    #expect(struck.count { $0 == "on 60 80" } == 1, "seed \(seed)")
    stage.expectSilence()
  }

  /// A server that misses more than half of its blocks.
  @Test func whereEveryBlockIsLateNotesStillEnd() throws {
    var stage = try Stage(long)
    stage.playLong()
    func storm(until isEnough: (SequencerListener) -> Bool = { _ in false }) {
      for _ in 0..<100 where !isEnough(stage.listener) {
        stage.listener.listen(seconds: 0.02)
        stage.host.passOver(frames: 1_536)
      }
    }
    storm()
    #expect(stage.listener.notes == [60])
    stage.publish(long, isMuted: true)
    storm { $0.isSilent }
    #expect(stage.listener.isSilent)
    stage.publish(long)
    storm()
    stage.host.stop()
    storm { $0.isSilent }
    #expect(stage.listener.isSilent)
    stage.output.stop()
  }

  @Test func aNewSubscriberGetsTheSettingsAndNotTheNotes() throws {
    func setting(_ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0, at frame: TimelineFrame = 0) -> MIDIEvent {
      MIDIEvent(frame: frame, status: status, data1: data1, data2: data2)
    }
    let settings = [
      setting(0xb2, 0, 1), setting(0xb2, 32, 2), setting(0xc2, 17), setting(0xb2, 7, 90), setting(0xb2, 101, 0),
      setting(0xb2, 100, 0), setting(0xb2, 6, 12), setting(0xd2, 44), setting(0xe2, 0, 96), setting(0xa2, 60, 33),
    ]
    let later = [setting(0xc2, 99, at: 4_799_000), setting(0xb2, 1, 55, at: 96_000)]
    let stage = try Stage(settings + long + later)
    stage.playLong()
    let told = stage.listener.texts
    let other = try SequencerListener(name: "other")
    let source = try #require(other.source(named: "daw test"))
    _ = other.client.library.snd_seq_connect_from(other.client.handle, other.port, source.client, source.port)
    other.listen(seconds: 20) { $0.texts.contains("2 c1=55") }
    let expected = [
      "2 c0=1", "2 c32=2", "2 p17", "2 c7=90", "2 c101=0", "2 c100=0", "2 c6=12", "2 a44", "2 b4096",
      "touch \(2 * 128 + 60) 33",
    ]
    #expect(other.texts == expected + ["2 c1=55"])
    stage.listener.listen(seconds: 20) { $0.texts.contains("2 c1=55") }
    #expect(stage.listener.texts == told + ["2 c1=55"], "who has listened all the time is told nothing twice")
    #expect(stage.output.status.connections[1]?.count == 2)
    stage.output.stop()
    stage.expectSilence()
  }

  /// As after a restart of the JACK server, or after suspend.
  @Test func aHostThatCountsItsFramesAnewIsFollowed() throws {
    let stage = try Stage(long)
    // Far ahead, so that all queued events are later than the new ones.
    stage.host.skip(microseconds: 3_000_000_000)
    for _ in 0..<3 {
      stage.playLong()
      stage.host.beginAnew()
      stage.expectSilence()
      stage.host.roll(from: 0)
      stage.listener.listen(seconds: 10) { !$0.notes.isEmpty }
      #expect(stage.listener.notes == [60])
      stage.host.skip(microseconds: 700_000_000)
      stage.host.stop()
      stage.expectSilence()
    }
    stage.output.stop()
    #expect(stage.output.status.problem == nil)
  }

  /// Any program may write to any port.
  @Test func aFloodOfEventsDoesNotHoldUpThePorts() throws {
    let stage = try Stage(long)
    let flooder = try SequencerListener(name: "flooder")
    for _ in 0..<500 where flooder.announcements(of: "daw test") == nil { usleep(10_000) }
    let inlet = try #require(flooder.announcements(of: "daw test"))
    stage.host.roll(from: 0)
    let note = MIDIEvent(frame: 0, status: 0x90, data1: 1, data2: 1)
    for _ in 0..<20_000 {
      guard var event = snd_seq_event_t(note, from: flooder.port, to: inlet) else { continue }
      _ = try? flooder.client.send(&event)
    }
    stage.listener.listen(seconds: 10) { !$0.notes.isEmpty }
    #expect(stage.listener.notes == [60])
    stage.output.stop()
    stage.expectSilence()
    #expect(stage.output.status.problem == nil)
  }
}
