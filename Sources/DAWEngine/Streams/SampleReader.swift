/// Decodes one audio file. Used by one thread at a time, never the audio thread.
public protocol SampleReader: AnyObject {
  /// - Parameters:
  ///   - frame: the file's frame to begin at; reading on from the last read's end is the fast case.
  ///   - frameCount: at least 1, within the file.
  ///   - samples: room for `frameCount` frames of all channels, interleaved, full scale ±1.
  /// - Throws: `StreamError`; the samples are not valid then.
  func read(
    from frame: Int64, frameCount: Int, into samples: UnsafeMutablePointer<Float>
  ) throws(StreamError)
}
