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
    let region = try #require(try SampleProject.midiRegion())
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
      return Sample(
        sql: RegionEvent.sql.insert, arguments: event.arguments,
        text: "\(event.start) \(event.channel) \(body.count > 9 ? "\(message.kind) of \(body.count)" : "\(message)")"
      ) {
        try event.validate()
        try event.validate(in: region)
      }
    }
  }

  @Test("accept the same changes of tempo and meter, key signatures and markers")
  func timeline() throws {
    try compare(2000) { generator in
      let id = integer([90], &generator)
      let place = integer([0, 1, TimelineLimit.ticks, TimelineLimit.flicks], &generator)
      let meter = TimeSignature(Int(integer([1, 64], &generator)), over: Int(integer([1, 4, 64], &generator)))
      let isMusical = Bool.random(using: &generator)
      let length = integer([1, TimelineLimit.ticks, TimelineLimit.flicks], &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        return sample(
          TempoChange(
            id: TempoChangeID(rawValue: id), position: TickPosition(ticks: place),
            tempo: Tempo(nanoBPM: integer([Tempo(bpm: 5).nanoBPM, Tempo(bpm: 999).nanoBPM], &generator))))
      case 1:
        return sample(
          MeterChange(id: MeterChangeID(rawValue: id), bar: integer([2, 4, 262_144], &generator), timeSignature: meter))
      case 2:
        return sample(
          KeySignature(
            id: KeySignatureID(rawValue: id), position: TickPosition(ticks: place == 0 ? 5 : place),
            fifths: Int(integer([-7, 7], &generator))))
      default:
        return sample(
          Marker(
            id: MarkerID(rawValue: id),
            name: Name(unchecked: ["Verse", "", " x"].randomElement(using: &generator) ?? ""), kind: .cue,
            start: isMusical ? .musical(TickPosition(ticks: place)) : .absolute(FlickPosition(flicks: place)),
            length: Bool.random(using: &generator)
              ? (isMusical ? .musical(TickCount(ticks: length)) : .absolute(FlickCount(flicks: length))) : nil))
      }
    }
  }

  private func sample<E: Entity>(_ row: E) -> Sample {
    Sample(sql: E.sql.insert, arguments: row.arguments, text: "\(row)") { try row.validate() }
  }
}
