import DAWEngine
import DAWMedia

/// What the engine cannot read straight from the file, decoded for it.
final class DecodedReader: SampleReader {
  private let reader: AudioFileReader

  init(_ source: AudioSource) throws(StreamError) {
    do {
      reader = try AudioFileReader(path: source.path)
    } catch {
      throw .unreadable(path: source.path, reason: "\(error)")
    }
  }

  func read(from frame: Int64, frameCount: Int, into samples: UnsafeMutablePointer<Float>) throws(StreamError) {
    do {
      let count = try reader.read(at: frame, count: frameCount, into: samples)
      guard count == frameCount else { throw StreamError.cutShort(path: reader.path, frame: frame + Int64(count)) }
    } catch let error as StreamError {
      throw error
    } catch {
      throw .unreadable(path: reader.path, reason: "\(error)")
    }
  }
}
