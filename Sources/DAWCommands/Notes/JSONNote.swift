import DAWInterchange
import DAWProject
import DAWTime
import Foundation

/// A note as a line of JSON, with the keys of the project's JSON.
struct JSONNote {
  private let document: NoteDocument

  /// - Throws: `BadNote`.
  init(_ line: Substring) throws {
    do {
      document = try JSONDecoder().decode(NoteDocument.self, from: Data(line.utf8))
    } catch let error as DecodingError {
      throw BadNote(Self.sentence(error, noun: "note"))
    }
  }

  /// - Throws: `BadNote`.
  func draft(_ clock: NoteClock) throws -> NoteDraft {
    let start = try document.startTicks.map(TickCount.init(ticks:)) ?? clock.start(try seconds(document.startTime))
    return NoteDraft(
      pitch: document.pitch, velocity: document.velocity, start: start,
      duration: try document.durationTicks.map(TickCount.init(ticks:))
        ?? clock.duration(try seconds(document.duration), from: start),
      channel: document.channel, releaseVelocity: document.releaseVelocity)
  }

  private func seconds(_ value: Double) throws -> TypedDistance {
    guard let flicks = FlickCount(seconds: value) else {
      throw BadNote("\(value) seconds are beyond the end of the timeline.")
    }
    return TypedDistance(flicks)
  }

  static func sentence(_ error: DecodingError, noun: String) -> String {
    switch error {
    case .dataCorrupted(let context):
      context.codingPath.isEmpty ? "That is no JSON object." : context.debugDescription
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "The value of '\(context.codingPath.last?.stringValue ?? "?")' is of the wrong kind."
    case .keyNotFound(let key, _): "The key '\(key.stringValue)' is missing."
    @unknown default: "That is no \(noun)."
    }
  }
}
