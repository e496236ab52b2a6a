import Glibc

/// Writes WAV, and RF64 where it passes 4 GiB, in large pieces.
public final class WaveWriter: AudioFileSink {
  public let format: AudioFileFormat
  public private(set) var frameCount: Int64 = 0
  public private(set) var clippedSampleCount: Int64 = 0

  private let target: Target
  private var header: WaveFileHeader
  private let loudness: () -> Loudness?
  private let buffer: UnsafeMutableRawBufferPointer
  private var filled = 0
  private let slices: SliceBuffer
  private let integers: UnsafeMutablePointer<Int32>
  private let packer: SamplePacker

  private enum Target {
    case file(PartialFile)
    /// A pipe, say, where nothing can be put right afterwards.
    case stream(Int32, announcedFrames: Int64)
  }

  /// Large enough that the cost of a call to the system does not count, and small enough for the second-level cache.
  private static let bufferBytes = 1 << 18

  /// Opens a file beside its final name.
  /// - Parameters:
  ///   - replaces: whether a file of that name makes way; otherwise that is `.exists`.
  ///   - description: what the file says of itself.
  ///   - loudness: asked when all samples have come, and put into the description.
  public convenience init(
    path: String, format: AudioFileFormat, replaces: Bool = false, description: WaveDescription? = nil,
    loudness: @escaping () -> Loudness? = { nil }
  ) throws(AudioFileWriteError) {
    try self.init(
      path: path, format: format, replaces: replaces, riffLimit: 0xffff_ffff, description: description,
      loudness: loudness)
  }

  /// - Parameter riffLimit: from which size of the file on it is RF64; for tests.
  convenience init(
    path: String, format: AudioFileFormat, replaces: Bool, riffLimit: UInt64, description: WaveDescription? = nil,
    loudness: @escaping () -> Loudness? = { nil }
  ) throws(AudioFileWriteError) {
    try Self.check(path, format)
    let file = try PartialFile(path: path, replaces: replaces)
    self.init(
      .file(file), WaveFileHeader(format: format, riffLimit: riffLimit, description: description), loudness: loudness)
    // Its length is right already; its numbers are put in at the end.
    store(header.bytes(frameCount: 0))
  }

  /// Writes to an open file that may be a pipe, such as standard output. Its header comes first, and so must know.
  /// - Parameters:
  ///   - descriptor: stays the caller's; it is not closed, synced or removed.
  ///   - frameCount: exactly as many frames must follow.
  public convenience init(
    descriptor: Int32, format: AudioFileFormat, frameCount: Int64
  ) throws(AudioFileWriteError) {
    try Self.check(Self.streamName, format)
    self.init(.stream(descriptor, announcedFrames: frameCount), WaveFileHeader(format: format))
    store(header.bytes(frameCount: frameCount))
  }

  private init(_ target: Target, _ header: WaveFileHeader, loudness: @escaping () -> Loudness? = { nil }) {
    self.target = target
    self.loudness = loudness
    self.header = header
    format = header.format
    buffer = .allocate(byteCount: Self.bufferBytes, alignment: 64)
    slices = SliceBuffer(channelCount: format.channelCount)
    integers = .allocate(capacity: SamplePacker.maximumCount)
    packer = SamplePacker(
      encoding: header.format.encoding, channelCount: header.format.channelCount, dither: header.format.dither,
      integers: integers)
  }

  deinit {
    cancel()
    buffer.deallocate()
    integers.deallocate()
  }

  public func append(interleaved samples: UnsafePointer<Float>, frameCount: Int) throws(AudioFileWriteError) {
    try slices.slice(interleaved: samples, frameCount: frameCount, pack)
  }

  public func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError) {
    guard format.encoding == .float32 else { return try slices.slice(planar: channels, frameCount: frameCount, pack) }
    try storeAsTheyAre(channels, frameCount)
  }

  /// Floats need no packing: they are put in order where they are written from.
  private func storeAsTheyAre(
    _ channels: UnsafeBufferPointer<UnsafePointer<Float>>, _ frameCount: Int
  ) throws(AudioFileWriteError) {
    let bytesPerFrame = 4 * format.channelCount
    // The header's length may be an odd number of halves.
    if filled % 4 != 0 { try flush() }
    guard let base = buffer.baseAddress else { return }
    var done = 0
    while done < frameCount {
      let room = (buffer.count - 1 - filled) / bytesPerFrame
      let count = min(frameCount - done, room)
      let target = (base + filled).assumingMemoryBound(to: Float.self)
      Samples.interleave(channels, from: done, frames: count, into: target)
      filled += count * bytesPerFrame
      done += count
      if count == room { try flush() }
    }
    self.frameCount += Int64(frameCount)
  }

  public func finish() throws(AudioFileWriteError) {
    let dataBytes = frameCount * Int64(format.channelCount * format.encoding.bytesPerSample)
    // There is room: a slice never fills the buffer to its last byte.
    if dataBytes % 2 == 1 { store([0]) }
    try flush()
    switch target {
    case .file(let file):
      header.description?.loudness = loudness()
      let bytes = header.bytes(frameCount: frameCount)
      do throws(SystemCallFailure) {
        try FileDescriptor.write(bytes, to: file.number, at: 0)
      } catch {
        throw AudioFileWriteError(path: file.path, error)
      }
      try file.commit()
    case .stream(_, let announced):
      guard announced == frameCount else {
        throw .wrongLength(path: Self.streamName, announced: announced, written: frameCount)
      }
    }
  }

  public func cancel() {
    if case .file(let file) = target { file.discard() }
  }

  private func pack(_ samples: UnsafePointer<Float>, _ frames: Int) throws(AudioFileWriteError) {
    let count = frames * format.channelCount
    let bytes = count * format.encoding.bytesPerSample
    if filled + bytes >= buffer.count { try flush() }
    guard let base = buffer.baseAddress else { return }
    clippedSampleCount += packer.pack(samples, count: count, frame: frameCount, into: base + filled)
    filled += bytes
    frameCount += Int64(frames)
  }

  private func store(_ bytes: [UInt8]) {
    UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyBytes(from: bytes)
    filled += bytes.count
  }

  private func flush() throws(AudioFileWriteError) {
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<filled])
    filled = 0
    switch target {
    case .file(let file):
      do {
        try FileDescriptor.write(bytes, to: file.number)
      } catch {
        file.discard()
        throw AudioFileWriteError(path: file.path, error)
      }
    case .stream(let number, _):
      do {
        try FileDescriptor.write(bytes, to: number)
      } catch {
        throw AudioFileWriteError(path: Self.streamName, error)
      }
    }
  }

  private static let streamName = "standard output"

  private static func check(_ path: String, _ format: AudioFileFormat) throws(AudioFileWriteError) {
    guard format.container.encodings.contains(format.encoding), format.sampleRate.hertz > 0,
      AudioFileFacts.acceptedChannelCounts.contains(format.channelCount)
    else { throw .unsupported(path: path, format: format.description) }
  }
}
