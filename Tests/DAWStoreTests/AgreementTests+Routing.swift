import DAWModel
import DAWTestSupport
import GRDB
import Testing

@testable import DAWStore

extension AgreementTests {
  @Test("accept the same sends and groups")
  func routing() throws {
    try compare(1000) { generator in
      if Bool.random(using: &generator) {
        var group = TrackGroup(id: TrackGroupID(rawValue: 81), name: Name(literal: "Strings"))
        group.volume = Level(decibels: number(-60...12, &generator))
        return Sample(sql: TrackGroup.sql.insert, arguments: group.arguments, text: "\(group)") { [group] in
          try group.validate()
        }
      }
      var send = Send(id: SendID(rawValue: 71), from: TrackID(rawValue: 11), to: TrackID(rawValue: 12))
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: send.level = Level(decibels: number(-60...12, &generator))
      case 1: send.pan = Pan(position: number(-1...1, &generator))
      default: send.track = TrackID(rawValue: [11, 12].randomElement(using: &generator) ?? 11)
      }
      // SQLite stores a NaN as NULL, which is no pan.
      guard send.pan.map({ !$0.position.isNaN }) ?? true else { return nil }
      return Sample(sql: Send.sql.insert, arguments: send.arguments, text: "\(send)") { [send] in try send.validate() }
    }
  }
}
