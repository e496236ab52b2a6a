import DAWMedia
import DAWTime

/// Decodes one audio file. Used by one thread at a time, never the audio thread.
public protocol SampleReader: AnyObject {
  /// - Parameters:
  ///   - frame: the file's first frame to read; fastest where the last read ended.
  ///   - frameCount: at least 1, within the file.
  ///   - samples: room for `frameCount` frames of all channels, interleaved, full scale ±1.
  /// - Throws: `StreamError`; the samples are not valid then.
  func read(
    from frame: FileFrame, frameCount: Int, into samples: UnsafeMutablePointer<Float>
  ) throws(StreamError)
}

/// Opens a source for decoding.
public typealias SampleReaderOpener = @Sendable (AudioSource) throws(StreamError) -> any SampleReader

/// Opens a source with `AudioFileReader`. Not on the audio thread.
/// - Throws: `StreamError.unreadable`.
@Sendable public func openAudioFile(_ source: AudioSource) throws(StreamError) -> any SampleReader {
  try DecodedSamples(source)
}

private final class DecodedSamples: SampleReader {
  private let reader: AudioFileReader

  init(_ source: AudioSource) throws(StreamError) {
    do throws(AudioFileError) {
      if case .decoded(let facts?) = source.content {
        reader = try AudioFileReader(path: source.path, facts: facts)
      } else {
        reader = try AudioFileReader(path: source.path)
      }
    } catch {
      throw .unreadable(path: source.path, reason: String(describing: error))
    }
  }

  func read(from frame: FileFrame, frameCount: Int, into samples: UnsafeMutablePointer<Float>) throws(StreamError) {
    let count: Int
    do throws(AudioFileError) {
      count = try reader.read(at: Int64(frame.number), count: frameCount, into: samples)
    } catch {
      throw .unreadable(path: reader.path, reason: String(describing: error))
    }
    guard count == frameCount else { throw .cutShort(path: reader.path, frame: frame + count) }
  }
}
