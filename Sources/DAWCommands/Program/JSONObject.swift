import DAWInterchange
import DAWPlay
import DAWProject

/// A JSON object that is put together from parts; a member that is `nil` is left out.
struct JSONObject: JSONWritable {
  private(set) var members: [String: any JSONWritable]

  init(_ members: [String: (any JSONWritable)?]) { self.members = members.compactMapValues { $0 } }

  func merging(_ other: JSONObject) -> JSONObject { JSONObject(members.merging(other.members) { _, new in new }) }

  func write(to writer: inout JSONWriter) throws {
    try writer.object { writer in
      for (name, value) in members.sorted(by: { $0.key < $1.key }) { try writer.member(name, value) }
    }
  }

  func text() throws -> String { try JSONWriter.text(self) }
}

// MARK: Reports

extension JournalLine: JSONEncoded {}
extension PlayerStatus: JSONEncoded {}
extension PresetEntry: JSONEncoded {}
extension SoundFontEntry: JSONEncoded {}
extension TimingReport: JSONEncoded {}
extension UInt64: JSONEncoded {}
