import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation

/// A transcript that was written.
public struct ExportedTranscript: Sendable {
  /// Absolute; `nil`: for standard output.
  public var path: String?
  public var format: TranscriptFormat
  public var text: String
  public var captionCount: Int
  public var wordCount: Int
  public var warnings: [String]
}

extension Session {
  /// Writes what was spoken in a track, a region, a recording or an audio file.
  /// - Parameters:
  ///   - path: absolute, or relative to the current folder; `nil`: only the text is returned.
  ///   - overwrites: whether an existing file is replaced.
  /// - Throws: `Failure`; nothing is written then.
  public func exportTranscript(
    of reference: String, as format: TranscriptFormat, to path: String?, overwrites: Bool
  ) throws -> ExportedTranscript {
    try failing {
      let place = try path.map { try outputPlace($0) }
      let (captions, missing) = try read { view in
        let transcripts = try view.placedTranscripts(of: reference)
        return (transcripts.captions, transcripts.missing)
      }
      var result = ExportedTranscript(
        path: place?.path, format: format, text: try format.text(captions), captionCount: captions.count,
        wordCount: captions.reduce(0) { $0 + $1.words.count }, warnings: [])
      if missing > 0 {
        result.warnings.append(
          "\(counted(missing, "piece")) of '\(reference)' \(missing == 1 ? "is" : "are") not transcribed yet.")
      }
      if captions.isEmpty { result.warnings.append("No word was heard in '\(reference)'.") }
      if let place { try writeWholeFile(Array(result.text.utf8), at: place, replaces: overwrites) }
      return result
    }
  }
}

extension PlacedTranscripts {
  /// In order of start; none has words of two tracks.
  var captions: [Caption] {
    tracks.flatMap { Caption.captions(of: $0.flatMap { $0.words() }) }.sorted { $0.start < $1.start }
  }
}
