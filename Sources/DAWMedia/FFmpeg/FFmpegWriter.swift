import Glibc

/// Writes M4A files with ffmpeg, which takes the samples from a pipe and writes the partial file by its descriptor. The
/// same samples give the same bytes with the same ffmpeg.
public final class FFmpegWriter: AudioFileSink {
  public let format: AudioFileFormat
  public private(set) var frameCount: Int64 = 0
  public private(set) var clippedSampleCount: Int64 = 0

  private let file: PartialFile
  private let process: ChildProcess
  /// The end of the pipe that is written to; -1 when closed.
  private var pipe: Int32
  private let slices: SliceBuffer

  /// - Parameter replaces: whether an existing file is replaced; otherwise it is `.exists`.
  /// - Throws: `.encoder` where ffmpeg is not installed; errors of creating a file.
  public init(
    at place: Place, format: AudioFileFormat, replaces: Bool = false, tags: FileTags
  ) throws(AudioFileWriteError) {
    guard format.container == .m4a, format.encoding == .float32, (1...2).contains(format.channelCount),
      format.container.rate(nearest: format.sampleRate) == format.sampleRate
    else { throw .unsupported(path: place.path, format: format.description) }
    guard let ffmpeg = FFmpeg.find() else { throw .encoder(path: place.path, reason: "it is not installed") }
    file = try PartialFile(at: place, replaces: replaces)
    self.format = format
    slices = SliceBuffer(channelCount: format.channelCount)
    do throws(SystemCallFailure) {
      var ends: [Int32] = [-1, -1]
      guard Glibc.pipe(&ends) == 0 else { throw SystemCallFailure(call: "make a pipe", code: errno) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      pipe = ends[1]
      defer { close(ends[0]) }
      let description = try MemoryFile(Array(tags.ffmpegMetadata.utf8))
      let cover: MemoryFile? = if let image = tags.cover { try MemoryFile(image.bytes) } else { nil }
      let inputs = [file.number, description.number] + (cover.map { [$0.number] } ?? [])
      process = try ChildProcess(
        path: ffmpeg.path, arguments: Self.arguments(format, tags, ffmpeg.version), input: ends[0],
        descriptors: inputs)
      _ = fcntl(pipe, F_SETFL, O_NONBLOCK)
    } catch {
      file.discard()
      throw AudioFileWriteError(path: place.path, error)
    }
  }

  deinit { cancel() }

  public func append(interleaved samples: UnsafePointer<Float>, frameCount: Int) throws(AudioFileWriteError) {
    try slices.slice(interleaved: samples, frameCount: frameCount, write)
  }

  public func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError) {
    try slices.slice(planar: channels, frameCount: frameCount, write)
  }

  public func finish() throws(AudioFileWriteError) {
    closePipe()
    guard process.wait() == .exited(0), !isWithoutEnd else { throw failure() }
    try file.commit()
  }

  /// Whether ffmpeg could not write the end of the file, without which nothing in it is found. Before version 6 its
  /// status is 0 nevertheless.
  private var isWithoutEnd: Bool {
    process.complaints.contains { $0.contains("Error writing trailer") || $0.contains("Error closing file") }
  }

  public func cancel() {
    process.kill()
    closePipe()
    file.discard()
  }

  private func write(_ samples: UnsafePointer<Float>, _ frames: Int) throws(AudioFileWriteError) {
    let count = frames * format.channelCount
    clippedSampleCount += Samples.countBeyondFullScale(samples, count: count)
    var bytes = UnsafeRawBufferPointer(start: samples, count: 4 * count)
    while !bytes.isEmpty {
      let done = Glibc.write(pipe, bytes.baseAddress, bytes.count)
      if done > 0 {
        bytes = UnsafeRawBufferPointer(rebasing: bytes[done...])
      } else if errno == EAGAIN {
        var poll = pollfd(fd: pipe, events: Int16(POLLOUT), revents: 0)
        if Glibc.poll(&poll, 1, Self.longestPause) == 0 { throw failure() }
      } else if errno != EINTR {
        throw failure()
      }
    }
    frameCount += Int64(frames)
  }

  /// Milliseconds in which ffmpeg takes nothing.
  private static let longestPause: Int32 = 300_000

  private func failure() -> AudioFileWriteError {
    closePipe()
    // It may be about to say why; it does not end by itself where it hangs.
    let deadline = ContinuousClock.now + .seconds(10)
    let ending = process.wait { .now < deadline }
    file.discard()
    let complaints = process.complaints
    return FFmpeg.isOfFullDisk(complaints)
      ? .diskFull(path: file.path) : .encoder(path: file.path, reason: FFmpeg.reason(ending, complaints))
  }

  private func closePipe() {
    if pipe >= 0 { close(pipe) }
    pipe = -1
  }

  private static func arguments(_ format: AudioFileFormat, _ tags: FileTags, _ version: String) -> [String] {
    let cover = tags.cover
    // With it the edit list has the length to the frame, otherwise to the millisecond: one frame would be 0. Chapters
    // would then be elsewhere to readers that take all files to count milliseconds, as mutagen does.
    let hasTimescale = tags.chapters.isEmpty && (Int(version.prefix { $0.isNumber }).map { $0 >= 5 } ?? false)
    let timescale: [String] = hasTimescale ? ["-movie_timescale", "\(format.sampleRate.hertz)"] : []
    let demuxer = cover?.mediaType == "image/png" ? "png_pipe" : "jpeg_pipe"
    let inputs: [String] =
      ["-v", "error", "-hide_banner", "-nostdin"]
      + ["-f", "f32le", "-ar", "\(format.sampleRate.hertz)", "-ac", "\(format.channelCount)", "-i", "pipe:0"]
      + ["-f", "ffmetadata", "-i", FFmpeg.url(4)]
      + (cover == nil ? [] : ["-f", demuxer, "-i", FFmpeg.url(5)])
    return inputs
      + ["-map", "0:a", "-c:a", "aac", "-b:a", "\((format.quality?.bitRate ?? 96_000) * format.channelCount / 1_000)k"]
      + (cover == nil ? [] : ["-map", "2:v", "-c:v", "copy", "-disposition:v:0", "attached_pic"])
      + ["-map_metadata", "1", "-map_chapters", "1", "-fflags", "+bitexact", "-flags:a", "+bitexact"]
      + timescale + ["-movflags", "+faststart", "-f", "ipod", "-y", FFmpeg.url(3)]
  }
}

extension FileTags {
  /// - SeeAlso: ffmpeg-formats(1), "Metadata".
  fileprivate var ffmpegMetadata: String {
    var lines = [";FFMETADATA1"]
    let fields = [
      ("title", title), ("artist", artist), ("album", album), ("track", trackNumber?.description), ("comment", comment),
    ]
    for (name, value) in fields { if let value { lines.append("\(name)=\(Self.escaped(value))") } }
    for chapter in chaptersFromStart {
      lines += ["[CHAPTER]", "TIMEBASE=1/1000", "START=\(chapter.start)", "END=\(chapter.end)"]
      lines.append("title=\(Self.escaped(chapter.name))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The chapters, behind one without a name where the first begins later than the file: the track of text that
  /// QuickTime's chapters are has no gap before its first sample, so that the first chapter would begin with the file.
  /// Without it where there are as many as ffmpeg writes, which would leave out the last.
  private var chaptersFromStart: [Chapter] {
    guard let first = chapters.first, first.start > 0, chapters.count < Self.maximumChapterCount else {
      return chapters
    }
    return [Chapter(start: 0, end: first.start, name: "")] + chapters
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if "=;#\\\n".unicodeScalars.contains(scalar) { escaped.append("\\") }
      escaped.unicodeScalars.append(scalar)
    }
    // ffmpeg 5.1 takes a backslash at the end of a line for the line's continuation, though it is escaped.
    return text.hasSuffix("\\") ? escaped + "\0" : escaped
  }
}
