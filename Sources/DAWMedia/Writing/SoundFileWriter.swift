import CSndFile
import Glibc

/// Writes what libsndfile writes: FLAC and AIFF. Integers are rounded here, not by the library, so that they are the
/// same in every container.
public final class SoundFileWriter: AudioFileSink {
  public let format: AudioFileFormat
  public private(set) var frameCount: Int64 = 0
  public private(set) var clippedSampleCount: Int64 = 0

  private let file: PartialFile
  private var handle: OpaquePointer?
  private let quantizer: SampleQuantizer
  private let scratch: UnsafeMutablePointer<Float>
  private let integers: UnsafeMutablePointer<Int32>

  /// - Parameters:
  ///   - replaces: whether a file of that name makes way; otherwise that is `.exists`.
  /// - Throws: `.unsupported` where the container cannot hold the encoding, rate or number of channels.
  public init(path: String, format: AudioFileFormat, replaces: Bool = false) throws(AudioFileWriteError) {
    var description = SF_INFO()
    description.samplerate = Int32(clamping: format.sampleRate.hertz)
    description.channels = Int32(clamping: format.channelCount)
    description.format = Int32(Self.code(of: format))
    guard format.container.encodings.contains(format.encoding), sf_format_check(&description) != 0,
      AudioFileFacts.acceptedChannelCounts.contains(format.channelCount)
    else { throw .unsupported(path: path, format: format.description) }
    let file = try PartialFile(path: path, replaces: replaces)
    guard let handle = sf_open_fd(file.number, Int32(SFM_WRITE), &description, Int32(SF_FALSE)) else {
      throw .unsupported(path: path, format: format.description)
    }
    // It would carry the time of day.
    sf_command(handle, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
    self.file = file
    self.handle = handle
    self.format = format
    quantizer = SampleQuantizer(bits: min(format.encoding.bitsPerSample, 32))
    scratch = .allocate(capacity: SamplePacker.maximumCount)
    integers = .allocate(capacity: SamplePacker.maximumCount)
  }

  deinit {
    cancel()
    scratch.deallocate()
    integers.deallocate()
  }

  public func append(interleaved samples: UnsafePointer<Float>, frameCount: Int) throws(AudioFileWriteError) {
    var done = 0
    while done < frameCount {
      let count = min(framesPerSlice, frameCount - done)
      try write(samples + done * format.channelCount, frames: count)
      done += count
    }
  }

  public func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError) {
    var done = 0
    while done < frameCount {
      let count = min(framesPerSlice, frameCount - done)
      Samples.interleave(channels, from: done, frames: count, into: scratch)
      try write(scratch, frames: count)
      done += count
    }
  }

  public func finish() throws(AudioFileWriteError) {
    errno = 0
    let status = sf_close(handle)
    handle = nil
    guard status == 0 else {
      file.discard()
      throw failure()
    }
    try file.commit()
  }

  public func cancel() {
    if let handle { sf_close(handle) }
    handle = nil
    file.discard()
  }

  private var framesPerSlice: Int { SamplePacker.maximumCount / format.channelCount }

  private func write(_ samples: UnsafePointer<Float>, frames: Int) throws(AudioFileWriteError) {
    let count = frames * format.channelCount
    let bytes = (frameCount + Int64(frames)) * Int64(format.channelCount * format.encoding.bytesPerSample)
    if format.container == .aiff, bytes > Self.longestAIFF {
      cancel()
      throw .tooLong(path: file.path, format: "AIFF")
    }
    errno = 0
    let written: sf_count_t
    if format.encoding.isFloat {
      written = sf_writef_float(handle, samples, sf_count_t(frames))
    } else {
      clippedSampleCount += quantizer.quantize(samples, count: count, into: integers)
      // libsndfile takes integers of fewer bits from the top of 32.
      let shift = 32 - format.encoding.bitsPerSample
      for index in 0..<count { integers[index] <<= shift }
      written = sf_writef_int(handle, integers, sf_count_t(frames))
    }
    guard written == sf_count_t(frames) else {
      let failure = failure()
      cancel()
      throw failure
    }
    frameCount += Int64(frames)
  }

  /// 2 GiB, less some for the header: many readers take AIFF's sizes for signed.
  private static let longestAIFF: Int64 = 0x7fff_0000

  private func failure() -> AudioFileWriteError {
    AudioFileWriteError(path: file.path, SystemCallFailure(call: "write", code: errno == 0 ? EIO : errno))
  }

  private static func code(of format: AudioFileFormat) -> Int {
    let container = format.container == .flac ? SF_FORMAT_FLAC : SF_FORMAT_AIFF
    switch format.encoding {
    case .uint8: return container | SF_FORMAT_PCM_U8
    case .int16: return container | SF_FORMAT_PCM_16
    case .int24: return container | SF_FORMAT_PCM_24
    case .int32: return container | SF_FORMAT_PCM_32
    case .float32: return container | SF_FORMAT_FLOAT
    case .float64: return container | SF_FORMAT_DOUBLE
    }
  }
}
