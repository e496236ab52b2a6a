import DAWErrors
import DAWMedia
import DAWModel

extension Session {
  /// The peaks of an audio file, in levels from 256 frames up; drawn now where they are not in the cache.
  /// - Throws: `Failure`.
  public func peaks(of file: AudioFile) throws -> PeakFile {
    try failing {
      guard let path = folder.find(file.location) else {
        throw Failure(.noInput, code: "missing", "The audio file '\(file.location.path)' is missing.")
      }
      return try PeakCache(cacheFolder)
        .peaks(of: path, facts: try AudioFileFacts.read(path: path), sha256: file.location.sha256)
    }
  }

  /// Draws the peaks of new files, so that whoever shows them finds them there.
  func drawPeaks(of files: [(file: AudioFile, facts: AudioFileFacts)]) {
    for (file, facts) in files {
      guard let path = folder.find(file.location) else { continue }
      // They are drawn again when they are asked for; an edit that is done does not fail for want of them.
      _ = try? PeakCache(cacheFolder).peaks(of: path, facts: facts, sha256: file.location.sha256)
    }
  }
}
