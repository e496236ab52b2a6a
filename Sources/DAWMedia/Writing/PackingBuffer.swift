/// A write buffer for WAV files: packs frames and writes the bytes whenever it is full. Used by one thread at a time.
final class PackingBuffer: @unchecked Sendable {
  /// Writes bytes to the file; the pointer is valid during the call.
  typealias Output = (UnsafeRawBufferPointer) throws(AudioFileWriteError) -> Void

  private(set) var clippedSampleCount: Int64 = 0
  /// The number of the next frame, for dither.
  private(set) var frame: Int64 = 0
  private let format: AudioFileFormat
  private let bytes: UnsafeMutableRawBufferPointer
  /// Bytes that are not written yet.
  private(set) var filled = 0
  private let slices: SliceBuffer
  private let integers: UnsafeMutablePointer<Int32>
  private let packer: SamplePacker

  /// Large enough to amortise a system call, small enough for the L2 cache.
  static let usualByteCount = 1 << 18

  /// - Parameter byteCount: at least that of a header that is stored.
  init(format: AudioFileFormat, byteCount: Int = PackingBuffer.usualByteCount) {
    self.format = format
    bytes = .allocate(byteCount: byteCount, alignment: 64)
    slices = SliceBuffer(channelCount: format.channelCount)
    integers = .allocate(capacity: SamplePacker.maximumCount)
    packer = SamplePacker(
      encoding: format.encoding, channelCount: format.channelCount, dither: format.dither, integers: integers)
  }

  deinit {
    bytes.deallocate()
    integers.deallocate()
  }

  /// Resets the buffer and the clip count, at a frame.
  func begin(at frame: Int64) {
    self.frame = frame
    clippedSampleCount = 0
    filled = 0
  }

  /// Stores bytes other than samples; there must be room, as there is after `begin` and between calls.
  /// - Parameter raw: at most a few hundred bytes after samples; before samples, a header.
  func store(_ raw: [UInt8]) {
    UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]).copyBytes(from: raw)
    filled += raw.count
  }

  func append(
    interleaved samples: UnsafePointer<Float>, frameCount: Int, to output: Output
  ) throws(AudioFileWriteError) {
    try slices.slice(interleaved: samples, frameCount: frameCount) { (samples, count) throws(AudioFileWriteError) in
      try pack(samples, count, output)
    }
  }

  func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int, to output: Output
  ) throws(AudioFileWriteError) {
    guard format.encoding != .float32 else { return try storeAsTheyAre(channels, frameCount, output) }
    try slices.slice(planar: channels, frameCount: frameCount) { (samples, count) throws(AudioFileWriteError) in
      try pack(samples, count, output)
    }
  }

  /// Writes what is left.
  func flush(to output: Output) throws(AudioFileWriteError) {
    let ready = UnsafeRawBufferPointer(rebasing: bytes[..<filled])
    filled = 0
    try output(ready)
  }

  private func pack(
    _ samples: UnsafePointer<Float>, _ frames: Int, _ output: Output
  ) throws(AudioFileWriteError) {
    let count = frames * format.channelCount
    let byteCount = count * format.encoding.bytesPerSample
    if filled + byteCount >= bytes.count { try flush(to: output) }
    guard let base = bytes.baseAddress else { return }
    clippedSampleCount += packer.pack(samples, count: count, frame: frame, into: base + filled)
    filled += byteCount
    frame += Int64(frames)
  }

  /// Floats need no packing: they are interleaved into the buffer directly.
  private func storeAsTheyAre(
    _ channels: UnsafeBufferPointer<UnsafePointer<Float>>, _ frameCount: Int, _ output: Output
  ) throws(AudioFileWriteError) {
    let bytesPerFrame = 4 * format.channelCount
    // The header's length may not be a multiple of 4.
    if filled % 4 != 0 { try flush(to: output) }
    guard let base = bytes.baseAddress else { return }
    var done = 0
    while done < frameCount {
      let room = (bytes.count - 1 - filled) / bytesPerFrame
      let count = min(frameCount - done, room)
      let target = (base + filled).assumingMemoryBound(to: Float.self)
      Samples.interleave(channels, from: done, frames: count, into: target)
      filled += count * bytesPerFrame
      done += count
      if count == room { try flush(to: output) }
    }
    frame += Int64(frameCount)
  }
}
