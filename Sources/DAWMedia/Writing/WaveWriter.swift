import Synchronization

/// Writes WAV, or RF64 if it exceeds 4 GiB, in large pieces.
///
/// Used by one thread at a time, except for the placer.
public final class WaveWriter: AudioFileSink, @unchecked Sendable {
  public let format: AudioFileFormat
  public var frameCount: Int64 { packing.frame + placedFrameCount }
  public var clippedSampleCount: Int64 { packing.clippedSampleCount + placedClippedSampleCount }

  private let target: Target
  private var header: WaveFileHeader
  private let headerByteCount: Int
  private let loudness: () -> Loudness?
  /// The buffer for frames in order.
  private let packing: PackingBuffer
  /// Buffers for placers, for reuse.
  private let spare = Mutex<[PackingBuffer]>([])
  private var placedFrameCount: Int64 = 0
  private var placedClippedSampleCount: Int64 = 0

  private enum Target {
    case file(PartialFile)
    /// A pipe, for instance, which cannot be rewritten.
    case stream(Int32, announcedFrames: Int64)

    var announcedFrames: Int64 {
      if case .stream(_, let count) = self { count } else { 0 }
    }
  }

  /// Opens a file under a temporary name.
  /// - Parameters:
  ///   - replaces: whether an existing file is replaced; otherwise it is `.exists`.
  ///   - description: the file's metadata.
  ///   - loudness: called after the last sample; added to the description.
  public convenience init(
    at place: Place, format: AudioFileFormat, replaces: Bool = false, description: WaveDescription? = nil,
    loudness: @escaping () -> Loudness? = { nil }
  ) throws(AudioFileWriteError) {
    try self.init(
      at: place, format: format, replaces: replaces, riffLimit: 0xffff_ffff, description: description,
      loudness: loudness)
  }

  /// - Parameter riffLimit: the largest size of RIFF; for tests.
  convenience init(
    at place: Place, format: AudioFileFormat, replaces: Bool, riffLimit: UInt64, description: WaveDescription? = nil,
    loudness: @escaping () -> Loudness? = { nil }
  ) throws(AudioFileWriteError) {
    try Self.check(place.path, format)
    let file = try PartialFile(at: place, replaces: replaces)
    self.init(
      .file(file), WaveFileHeader(format: format, riffLimit: riffLimit, description: description), loudness: loudness)
  }

  /// Writes to an open descriptor that may be a pipe, such as standard output. The header is written first, so the
  /// length must be known.
  /// - Parameters:
  ///   - descriptor: not closed, flushed or removed.
  ///   - frameCount: the exact number of frames to be appended.
  public convenience init(
    descriptor: Int32, format: AudioFileFormat, frameCount: Int64
  ) throws(AudioFileWriteError) {
    try Self.check(Self.streamName, format)
    self.init(.stream(descriptor, announcedFrames: frameCount), WaveFileHeader(format: format))
  }

  private init(_ target: Target, _ header: WaveFileHeader, loudness: @escaping () -> Loudness? = { nil }) {
    self.target = target
    self.loudness = loudness
    self.header = header
    format = header.format
    // In a file the header's length is final; its sizes are filled in at the end.
    let bytes = header.bytes(frameCount: target.announcedFrames)
    headerByteCount = bytes.count
    // Thousands of markers take more than is usual.
    packing = PackingBuffer(format: header.format, byteCount: max(PackingBuffer.usualByteCount, bytes.count))
    packing.store(bytes)
  }

  deinit { cancel() }

  public func append(interleaved samples: UnsafePointer<Float>, frameCount: Int) throws(AudioFileWriteError) {
    try packing.append(interleaved: samples, frameCount: frameCount, to: write)
  }

  public func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError) {
    try packing.append(planar: channels, frameCount: frameCount, to: write)
  }

  /// Only a file can be written at any position.
  public var placer: FramePlacer? {
    guard case .file(let file) = target else { return nil }
    let (path, number) = (file.path, file.number)
    return FramePlacer { (channels, frameCount, frame) throws(AudioFileWriteError) in
      let packing = self.spare.withLock { $0.popLast() } ?? PackingBuffer(format: self.format)
      defer { self.spare.withLock { $0.append(packing) } }
      packing.begin(at: frame)
      var place = self.byteOffset(of: frame)
      let output = { (bytes: UnsafeRawBufferPointer) throws(AudioFileWriteError) in
        do throws(SystemCallFailure) {
          try FileDescriptor.write(bytes, to: number, at: place)
        } catch {
          throw AudioFileWriteError(path: path, error)
        }
        place += Int64(bytes.count)
      }
      try packing.append(planar: channels, frameCount: frameCount, to: output)
      try packing.flush(to: output)
      return PlacedFrames(frameCount: frameCount, clippedSampleCount: packing.clippedSampleCount)
    } count: { frames in
      self.placedFrameCount += Int64(frames.frameCount)
      self.placedClippedSampleCount += frames.clippedSampleCount
    }
  }

  public func finish() throws(AudioFileWriteError) {
    let end = byteOffset(of: frameCount)
    // There is room: samples never fill the buffer completely.
    let padding: [UInt8] = (end - Int64(headerByteCount)) % 2 == 1 ? [0] : []
    switch target {
    case .file(let file):
      try packing.flush(to: write)
      header.description?.loudness = loudness()
      do throws(SystemCallFailure) {
        try FileDescriptor.write(padding, to: file.number, at: end)
        try FileDescriptor.write(header.bytes(frameCount: frameCount), to: file.number, at: 0)
      } catch {
        throw failed(error)
      }
      try file.commit()
    case .stream(_, let announced):
      packing.store(padding)
      try packing.flush(to: write)
      guard announced == frameCount else {
        throw .wrongLength(path: Self.streamName, announced: announced, written: frameCount)
      }
    }
  }

  public func cancel() {
    if case .file(let file) = target { file.discard() }
  }

  /// A frame's offset in the file.
  private func byteOffset(of frame: Int64) -> Int64 {
    Int64(headerByteCount) + frame * Int64(format.channelCount * format.encoding.bytesPerSample)
  }

  /// Writes the next bytes.
  private func write(_ bytes: UnsafeRawBufferPointer) throws(AudioFileWriteError) {
    do throws(SystemCallFailure) {
      switch target {
      case .file(let file): try FileDescriptor.write(bytes, to: file.number)
      case .stream(let number, _): try FileDescriptor.write(bytes, to: number)
      }
    } catch {
      throw failed(error)
    }
  }

  private func failed(_ failure: SystemCallFailure) -> AudioFileWriteError {
    switch target {
    case .file(let file): AudioFileWriteError(path: file.path, failure)
    case .stream: AudioFileWriteError(path: Self.streamName, failure)
    }
  }

  private static let streamName = "standard output"

  private static func check(_ path: String, _ format: AudioFileFormat) throws(AudioFileWriteError) {
    guard format.container.encodings.contains(format.encoding), format.sampleRate.hertz > 0,
      AudioFileFacts.acceptedChannelCounts.contains(format.channelCount)
    else { throw .unsupported(path: path, format: format.description) }
  }
}
