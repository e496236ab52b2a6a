import Glibc

/// A file that ffmpeg has converted.
public struct DecodedByFFmpeg: Sendable {
  /// The codec that it was converted from, such as "AAC".
  public var codec: String
  /// The encoding of the WAV, which is the decoder's own.
  public var encoding: SampleEncoding
  /// What ffmpeg complained of, though it went on; `nil` where it did not.
  public var complaint: String?
}

extension FFmpeg {
  /// Decodes the first audio stream of a file to a WAV in the decoder's own precision. The same bytes give the same
  /// WAV.
  /// - Parameter target: must not exist; removed if it fails.
  /// - Throws: `.reading` for what cannot be decoded, `.writing`.
  public func decode(from source: String, to target: Place) throws(MediaWorkError) -> DecodedByFFmpeg {
    let (file, time): (OpenAudioFile, Int64)
    do throws(AudioFileError) {
      file = try OpenAudioFile(path: source)
      time = try file.modificationTime()
    } catch {
      throw .reading(error)
    }
    let stream = try stream(of: file)
    let copy: FileDescriptor
    do throws(SystemCallFailure) {
      copy = FileDescriptor(owning: try target.openFile(O_RDWR | O_CREAT | O_EXCL))
    } catch {
      throw .writing(AudioFileWriteError(path: target.path, error))
    }
    var isComplete = false
    defer { if !isComplete { target.removeAll() } }
    let complaints = try write(stream, of: file, to: copy.number, target.path)
    do throws(AudioFileError) {
      guard try file.modificationTime() == time else { throw .changedWhileRead(path: source) }
    } catch {
      throw .reading(error)
    }
    do throws(SystemCallFailure) {
      try FileDescriptor.sync(copy.number)
    } catch {
      throw .writing(AudioFileWriteError(path: target.path, error))
    }
    isComplete = true
    return DecodedByFFmpeg(
      codec: stream.codec, encoding: stream.encoding, complaint: complaints.first.map(Self.plain))
  }

  /// Whether it knows the encoding of a file's first audio stream. Nothing is decoded to a file.
  public func knows(_ path: String) -> Bool {
    guard let file = try? OpenAudioFile(path: path) else { return false }
    return (try? stream(of: file)) != nil
  }

  private struct Stream {
    var codec: String
    var encoding: SampleEncoding
    /// Behind which an encoder has only filled up its last packet; `nil`: all that is decoded is sound.
    var end: Int64?
  }

  /// The first audio stream, as ffprobe describes it.
  private func stream(of file: OpenAudioFile) throws(MediaWorkError) -> Stream {
    let entries = "codec_name,sample_fmt,bits_per_raw_sample,sample_rate,time_base,duration_ts"
    let values = try probe(file, for: "stream=\(entries):format=format_name")
    guard let codec = values["codec_name"] else {
      throw .reading(.undecodable(path: file.path, reason: "it holds no sound"))
    }
    return Stream(
      codec: codec.uppercased(),
      encoding: Self.encoding(values["sample_fmt"] ?? "", bits: Int(values["bits_per_raw_sample"] ?? "") ?? 0),
      end: end(of: file, values))
  }

  /// The length in frames that an MP4 or QuickTime file states exactly: its media is as long as its packets say, the
  /// last one being a shorter one, without what the edit list skips at the start. The edit list's own length, which
  /// ffmpeg leaves to the caller, counts in ticks of the movie, mostly milliseconds, and only confirms that.
  /// - Parameter values: of the stream.
  private func end(of file: OpenAudioFile, _ values: [Substring: Substring]) -> Int64? {
    let accepted = 0...(Int64.max / 4)
    guard values["format_name"]?.hasPrefix("mov,") == true, let rate = Int64(values["sample_rate"] ?? ""), rate > 0,
      let timeBase = values["time_base"], timeBase == "1/\(rate)",
      let edited = Int64(values["duration_ts"] ?? ""), accepted.contains(edited),
      let first = try? probe(file, ["-read_intervals", "%+#1"], for: "packet_side_data=skip_samples"),
      let skipped = Int64(first["skip_samples"] ?? ""), accepted.contains(skipped),
      let media = try? probe(file, ["-ignore_editlist", "1"], for: "stream=duration_ts"),
      let whole = Int64(media["duration_ts"] ?? ""), accepted.contains(whole)
    else { return nil }
    // The coarsest tick that programs write is 1/600 s. Where no more than that is skipped, it cannot confirm anything.
    let (length, tick) = (whole - skipped, rate / 600)
    return skipped > tick && length > 0 && abs(length - edited) <= tick ? length : nil
  }

  /// What ffprobe, which comes with ffmpeg, says of the first audio stream: the first value of each entry.
  private func probe(
    _ file: OpenAudioFile, _ options: [String] = [], for entries: String
  ) throws(MediaWorkError) -> [Substring: Substring] {
    guard
      let probe = [Path.joining(Path.folder(of: path), "ffprobe")].first(where: { access($0, X_OK) == 0 })
        ?? Self.program("ffprobe")
    else { throw .reading(.undecodable(path: file.path, reason: "ffprobe is missing beside ffmpeg")) }
    let selection = ["-select_streams", "a:0", "-show_entries", entries, "-of", "default=noprint_wrappers=1"]
    let arguments = ["-v", "error", "-hide_banner"] + Self.inputLimits + options + selection + ["-i", Self.url(3)]
    let output: MemoryFile
    let process: ChildProcess
    do throws(SystemCallFailure) {
      output = try MemoryFile()
      process = try ChildProcess(path: probe, arguments: arguments, output: output.number, descriptors: [file.number])
    } catch {
      throw .reading(.system(path: file.path, failure: error))
    }
    let watch = Watch { 0 }
    let ending = process.wait { watch.isAlive() }
    guard ending == .exited(0) else {
      throw .reading(.undecodable(path: file.path, reason: Self.reason(ending, process.complaints)))
    }
    var values: [Substring: Substring] = [:]
    for line in output.text.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "=", maxSplits: 1)
      if parts.count == 2, values[parts[0]] == nil { values[parts[0]] = parts[1] }
    }
    return values
  }

  /// The encoding that keeps what the decoder gives.
  private static func encoding(_ format: Substring, bits: Int) -> SampleEncoding {
    switch format {
    case "u8", "u8p", "s16", "s16p": .int16
    case "s32", "s32p": (1...24).contains(bits) ? .int24 : .int32
    case "dbl", "dblp": .float64
    default: .float32
    }
  }

  private func write(
    _ stream: Stream, of file: OpenAudioFile, to number: Int32, _ target: String
  ) throws(MediaWorkError) -> [String] {
    let end: [String] = stream.end.map { ["-af", "atrim=end_sample=\($0)"] } ?? []
    let arguments =
      ["-v", "error", "-hide_banner", "-nostdin"] + Self.inputLimits + ["-i", Self.url(3)] + end + [
        "-map", "0:a:0", "-c:a", stream.encoding.ffmpegName, "-map_metadata", "-1", "-map_chapters", "-1",
        "-fflags", "+bitexact", "-flags:a", "+bitexact", "-rf64", "auto", "-f", "wav", "-y", Self.url(4),
      ]
    let process: ChildProcess
    do throws(SystemCallFailure) {
      process = try ChildProcess(path: path, arguments: arguments, descriptors: [file.number, number])
    } catch {
      throw .reading(.system(path: file.path, failure: error))
    }
    let watch = Watch {
      var status = stat()
      return fstat(number, &status) == 0 ? Int64(status.st_size) : 0
    }
    let ending = process.wait { watch.isAlive() }
    let complaints = process.complaints
    if FFmpeg.isOfFullDisk(complaints) { throw .writing(.diskFull(path: target)) }
    guard ending == .exited(0) else {
      throw .reading(.undecodable(path: file.path, reason: Self.reason(ending, complaints)))
    }
    return complaints
  }

  /// The name by which a child process opens what it was given: by the descriptor alone.
  static func url(_ descriptor: Int) -> String { "file:/dev/fd/\(descriptor)" }
}

/// Tells a process that works from one that waits for ever, by the length of what it writes.
private final class Watch {
  private let length: () -> Int64
  private var last: (length: Int64, time: ContinuousClock.Instant)

  /// Long enough for a machine that stands still.
  private static let longestPause = Duration.seconds(300)

  init(_ length: @escaping () -> Int64) {
    self.length = length
    last = (length(), .now)
  }

  func isAlive() -> Bool {
    let now = length()
    if now != last.length { last = (now, .now) }
    return .now - last.time < Self.longestPause
  }
}

extension SampleEncoding {
  /// Its encoder in ffmpeg.
  fileprivate var ffmpegName: String {
    switch self {
    case .uint8: "pcm_u8"
    case .int16: "pcm_s16le"
    case .int24: "pcm_s24le"
    case .int32: "pcm_s32le"
    case .float32: "pcm_f32le"
    case .float64: "pcm_f64le"
    }
  }
}
