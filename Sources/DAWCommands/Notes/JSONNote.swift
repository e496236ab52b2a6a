import DAWInterchange
import DAWProject
import DAWTime

/// A note as a line of JSON, with the keys of the project's JSON.
struct JSONNote {
  private let document: NoteDocument

  /// - Throws: `BadNote`, `RuleViolation`.
  init(_ line: Substring) throws { document = try Self.read(line) }

  /// The object that is a line.
  /// - Throws: `BadNote`, `RuleViolation`.
  static func read<Document: JSONRecord>(_ line: Substring) throws -> Document {
    do {
      return try Document(line: line.utf8)
    } catch let error as JSONLineError {
      throw BadNote("\(error)")
    }
  }

  /// - Throws: `BadNote`.
  func draft(_ clock: NoteClock) throws -> NoteDraft {
    let start = try document.startTicks ?? clock.start(Self.seconds(document.startTime))
    return NoteDraft(
      pitch: document.pitch, velocity: document.velocity, start: start,
      duration: try document.durationTicks ?? clock.duration(Self.seconds(document.duration), from: start),
      channel: document.channel, releaseVelocity: document.releaseVelocity)
  }

  /// - Throws: `BadNote`.
  static func seconds(_ value: Double) throws -> TypedDistance {
    guard let flicks = FlickCount(seconds: value) else {
      throw BadNote("\(value) seconds are beyond the end of the timeline.")
    }
    return TypedDistance(flicks)
  }
}
