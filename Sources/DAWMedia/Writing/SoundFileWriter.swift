import CSndFile
import Glibc

/// Writes files with libsndfile: FLAC, AIFF and the lossy formats. Samples are rounded to integers here, not by the
/// library, so that they are the same in every container.
public final class SoundFileWriter: AudioFileSink {
  public let format: AudioFileFormat
  public private(set) var frameCount: Int64 = 0
  public private(set) var clippedSampleCount: Int64 = 0

  private let file: PartialFile
  private var handle: OpaquePointer?
  private let quantizer: SampleQuantizer
  private let slices: SliceBuffer
  private let integers: UnsafeMutablePointer<Int32>
  private let tags: FileTags?

  /// - Parameters:
  ///   - replaces: whether an existing file is replaced; otherwise it is `.exists`.
  ///   - tags: ignored by AIFF.
  ///   - mode: the file's.
  /// - Throws: `.unsupported` if the container does not support the encoding, rate or number of channels.
  public init(
    at place: Place, format: AudioFileFormat, replaces: Bool = false, tags: FileTags? = nil, mode: mode_t = 0o666
  ) throws(AudioFileWriteError) {
    var description = SF_INFO()
    description.samplerate = Int32(clamping: format.sampleRate.hertz)
    description.channels = Int32(clamping: format.channelCount)
    description.format = Int32(Self.code(of: format))
    guard format.container.encodings.contains(format.encoding), sf_format_check(&description) != 0,
      format.container.rate(nearest: format.sampleRate) == format.sampleRate,
      AudioFileFacts.acceptedChannelCounts.contains(format.channelCount)
    else { throw .unsupported(path: place.path, format: format.description) }
    let file = try PartialFile(at: place, replaces: replaces, mode: mode)
    let handle: OpaquePointer
    do throws(SoundFileOpening.Refusal) {
      handle = try SoundFileOpening.open(descriptor: file.number, mode: SFM_WRITE, &description)
    } catch {
      throw .unsupported(path: place.path, format: format.description)
    }
    // The PEAK chunk has a timestamp.
    sf_command(handle, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
    Self.setQuality(of: handle, format)
    self.file = file
    self.handle = handle
    self.format = format
    self.tags = tags
    quantizer = SampleQuantizer(bits: min(format.encoding.bitsPerSample, 32))
    slices = SliceBuffer(channelCount: format.channelCount)
    integers = .allocate(capacity: SamplePacker.maximumCount)
  }

  deinit {
    cancel()
    integers.deallocate()
  }

  public func append(interleaved samples: UnsafePointer<Float>, frameCount: Int) throws(AudioFileWriteError) {
    try slices.slice(interleaved: samples, frameCount: frameCount, write)
  }

  public func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError) {
    try slices.slice(planar: channels, frameCount: frameCount, write)
  }

  public func finish() throws(AudioFileWriteError) {
    errno = 0
    let status = sf_close(handle)
    // It does not say whether what it wrote while closing, such as the last block of a FLAC, was written.
    let code = errno
    handle = nil
    guard status == 0, !Self.diskFailures.contains(code) else {
      file.discard()
      throw failure(code, "")
    }
    do throws(SystemCallFailure) {
      try tags?.put(intoFile: file.number, format.container)
      if format.container == .vorbis || format.container == .opus {
        try OggPageNumbers.set(serial: 0, inFile: file.number)
      }
    } catch {
      file.discard()
      throw AudioFileWriteError(path: file.path, error)
    }
    try file.commit()
  }

  public func cancel() {
    if let handle { sf_close(handle) }
    handle = nil
    file.discard()
  }

  private func write(_ samples: UnsafePointer<Float>, _ frames: Int) throws(AudioFileWriteError) {
    let count = frames * format.channelCount
    let bytes = (frameCount + Int64(frames)) * Int64(format.channelCount * format.encoding.bytesPerSample)
    if format.container == .aiff, bytes > Self.longestAIFF {
      cancel()
      throw .tooLong(path: file.path, format: "AIFF")
    }
    errno = 0
    let written: sf_count_t
    if format.encoding.isFloat {
      if format.container.isLossy { clippedSampleCount += Samples.countBeyondFullScale(samples, count: count) }
      written = sf_writef_float(handle, samples, sf_count_t(frames))
    } else {
      clippedSampleCount += quantize(samples, count)
      // libsndfile takes shorter integers left-aligned in 32 bits.
      let shift = 32 - format.encoding.bitsPerSample
      for index in 0..<count { integers[index] <<= shift }
      written = sf_writef_int(handle, integers, sf_count_t(frames))
    }
    let code = errno
    // Of the lossy formats it takes all frames, though the disk does not take their bytes.
    guard written == sf_count_t(frames), sf_error(handle) != Int32(SF_ERR_SYSTEM) else {
      let failure = failure(code, String(cString: sf_strerror(handle)))
      cancel()
      throw failure
    }
    frameCount += Int64(frames)
  }

  private func quantize(_ samples: UnsafePointer<Float>, _ count: Int) -> Int64 {
    switch format.dither {
    case .none: quantizer.quantize(samples, count: count, into: integers)
    case .triangular:
      quantizer.quantize(
        samples, count: count, into: integers, dither: TriangularDither(), frame: frameCount,
        channelCount: format.channelCount)
    }
  }

  /// 2 GiB, less a margin for the header: many readers treat AIFF's sizes as signed.
  private static let longestAIFF: Int64 = 0x7fff_0000

  /// What a disk answers that does not take bytes.
  private static let diskFailures = [ENOSPC, EDQUOT, EFBIG, EIO]

  /// - Parameters:
  ///   - code: `errno`, which may be that of an encoder's arithmetic by now.
  ///   - sentence: libsndfile's, with the system's if that has failed.
  private func failure(_ code: Int32, _ sentence: String) -> AudioFileWriteError {
    let told = Self.diskFailures.first { sentence.contains(String(cString: strerror($0))) }
    return AudioFileWriteError(
      path: file.path, SystemCallFailure(call: "write", code: told ?? (code == 0 ? EIO : code)))
  }

  /// The quality of lossy formats: transparent to most listeners, at a moderate size.
  private static func setQuality(of handle: OpaquePointer, _ format: AudioFileFormat) {
    var level: Double
    switch format.container {
    case .wave, .rf64, .flac, .aiff, .m4a: return
    // libsndfile counts from 0, the best, to 1. Vorbis quality 6; 6 … 256 kbit/s for each channel of Opus; LAME's V2.
    case .vorbis: level = format.quality.map { 1 - $0.vorbisQuality } ?? 0.4
    case .opus: level = 0.7
    case .mp3:
      var mode = Int32(SF_BITRATE_MODE_VARIABLE)
      sf_command(handle, Int32(SFC_SET_BITRATE_MODE), &mode, Int32(MemoryLayout<Int32>.size))
      level = 0.2
    }
    sf_command(handle, Int32(SFC_SET_COMPRESSION_LEVEL), &level, Int32(MemoryLayout<Double>.size))
  }

  private static func code(of format: AudioFileFormat) -> Int {
    let container: Int
    switch format.container {
    case .flac: container = SF_FORMAT_FLAC
    case .wave, .rf64, .aiff, .m4a: container = SF_FORMAT_AIFF
    case .vorbis: return SF_FORMAT_OGG | SF_FORMAT_VORBIS
    case .opus: return SF_FORMAT_OGG | SF_FORMAT_OPUS
    case .mp3: return SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III
    }
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
