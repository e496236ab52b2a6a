import DAWModel
import DAWTestSupport
import DAWTime
import Foundation
import GRDB
import Testing

@testable import DAWStore

extension AgreementTests {
  @Test("accept the same events, with their region")
  func events() throws {
    guard
      case .addRegion(let region)? = try SampleProject.edits().first(where: {
        if case .addRegion(let region) = $0 { region.regionType == .midi } else { false }
      })
    else { return }
    try compare(2000) { generator in
      func sevenBits() -> Int { Int(integer([0, 127], &generator)) }
      let bytes = [
        [], [0xf0, 0xf7], [0xf7, 1], [0x7f], [UInt8](repeating: 0xf0, count: RegionEvent.maximumByteCount),
      ]
      var body = bytes.randomElement(using: &generator) ?? []
      if body.count > 2, Bool.random(using: &generator) { body.append(0) }
      let messages: [RegionEvent.Message] = [
        .controller(number: sevenBits(), value: sevenBits()), .pitchBend(Int(integer([-8192, 8191], &generator))),
        .program(sevenBits(), bank: Bool.random(using: &generator) ? Int(integer([0, 16_383], &generator)) : nil),
        .channelPressure(sevenBits()), .polyPressure(pitch: sevenBits(), value: sevenBits()), .systemExclusive(body),
        .meta(type: Int(integer([0, 0x2f, 0x51, 0x58, 127], &generator)), body),
      ]
      guard let message = messages.randomElement(using: &generator) else { return nil }
      let event = RegionEvent(
        id: EventID(rawValue: integer([90], &generator)), region: region.id,
        start: TickCount(ticks: integer([0, 61_440], &generator)), channel: Int(integer([0, 0, 15], &generator)),
        message: message)
      let stored = message.stored
      let arguments: StatementArguments = [
        event.id.rawValue, event.region.rawValue, event.start.ticks, message.kind.rawValue, event.channel,
        stored.number, stored.value, stored.bytes.map { Data($0) },
      ]
      return Sample(
        sql: RegionEvent.insertSQL, arguments: arguments,
        text: "\(event.start) \(event.channel) \(body.count > 9 ? "\(message.kind) of \(body.count)" : "\(message)")"
      ) {
        try event.validate()
        try event.validate(in: region)
      }
    }
  }

  @Test("accept the same marks of the timeline")
  func marks() throws {
    try compare(2000) { generator in
      let id = integer([90], &generator)
      let place = integer([0, 1, TimelineLimit.ticks, TimelineLimit.flicks], &generator)
      let meter = TimeSignature(Int(integer([1, 64], &generator)), over: Int(integer([1, 4, 64], &generator)))
      let isMusical = Bool.random(using: &generator)
      let length = integer([1, TimelineLimit.ticks, TimelineLimit.flicks], &generator)
      let marks: [TimelineMark] = [
        .tempo(
          TempoMark(
            id: TempoMarkID(rawValue: id), position: TickPosition(ticks: place),
            tempo: Tempo(nanoBPM: integer([Tempo(bpm: 5).nanoBPM, Tempo(bpm: 999).nanoBPM], &generator)))),
        .meter(
          MeterMark(
            id: MeterMarkID(rawValue: id), bar: integer([2, 4, 262_144], &generator), timeSignature: meter)),
        .key(
          KeyMark(
            id: KeyMarkID(rawValue: id), position: TickPosition(ticks: place == 0 ? 5 : place),
            fifths: Int(integer([-7, 7], &generator)))),
        .marker(
          Marker(
            id: MarkerID(rawValue: id),
            name: Name(unchecked: ["Verse", "", " x"].randomElement(using: &generator) ?? ""),
            kind: .cue,
            start: isMusical
              ? .musical(TickPosition(ticks: place)) : .absolute(FlickPosition(flicks: place)),
            length: Bool.random(using: &generator)
              ? (isMusical ? .musical(TickCount(ticks: length)) : .absolute(FlickCount(flicks: length))) : nil)),
      ]
      guard let mark = marks.randomElement(using: &generator) else { return nil }
      let stored = mark.stored
      return Sample(sql: type(of: stored).insertSQL, arguments: stored.arguments, text: "\(mark)") {
        try mark.validate()
      }
    }
  }
}
