/// The files of live streams, each opened once. Any thread but the audio thread.
final class SourceFiles: Sendable {
  private let plainFiles = OpenFiles<Key, OpenFile>(capacity: 128)
  private let decodedFiles = OpenFiles<Key, DecodedFile>(capacity: 64)
  private let openReader: SampleReaderOpener

  private struct Key: Hashable {
    var path: String
    var sha256: String
    var frameCount: Int64
  }

  /// - Parameter openReader: opens a source for decoding.
  init(openReader: @escaping SampleReaderOpener) { self.openReader = openReader }

  /// Reads frames in the encoding of the source's stream.
  /// - Parameters:
  ///   - frame: within the source.
  ///   - frameCount: at least 1, within the source.
  ///   - bytes: room for them.
  /// - Returns: frames read, at least 1.
  func read(
    _ source: AudioSource, from frame: Int64, frameCount: Int, into bytes: UnsafeMutableRawPointer
  ) throws(StreamError) -> Int {
    let key = Key(path: source.path, sha256: source.sha256, frameCount: source.frameCount)
    switch source.content {
    case .plain(let layout):
      let file = try plainFiles.file(of: key) { () throws(StreamError) in try OpenFile(path: source.path) }
      try file.read(
        at: layout.dataOffset + frame * Int64(source.bytesPerFrame), into: bytes,
        count: frameCount * source.bytesPerFrame, frame: frame)
      return frameCount
    case .decoded:
      let file = try decodedFiles.file(of: key) { () throws(StreamError) in
        DecodedFile(source, reader: try openReader(source))
      }
      return try file.read(from: frame, frameCount: frameCount, into: bytes)
    }
  }
}
