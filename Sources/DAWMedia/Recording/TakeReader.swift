import Glibc

/// The segments of a take, opened by the rules that hold for names in a manifest.
final class TakeFiles {
  let take: TakeManifest
  let path: String
  private let folder: Folder
  private let owner: uid_t

  /// - Parameter path: the manifest's.
  init(_ take: TakeManifest, path: String) throws(AudioFileError) {
    self.take = take
    self.path = path
    owner = try OpenAudioFile(path: path).owner()
    do { folder = try Folder(path: Path.folder(of: path)) } catch { throw .system(path: path, failure: error) }
  }

  /// Opens a segment, which has at least the frames that the manifest says.
  func open(_ index: Int) throws(AudioFileError) -> OpenSegmentFile {
    let segment = take.segments[index]
    let file: OpenAudioFile
    if segment.isSpilled {
      file = try SpilledSegment.open(path: segment.name, recording: take.recording, pass: take.pass, owner: owner)
    } else {
      let name = CompressedSegment.nameAtHand(of: segment.name, in: folder) ?? segment.name
      file = try OpenAudioFile(name, in: folder)
      if name != segment.name { return .compressed(file) }
    }
    let bytesPerFrame = Int64(take.channelCount * take.encoding.bytesPerSample)
    guard file.byteCount >= segment.byteCount else {
      throw .endsEarly(
        path: file.path, atFrame: max(0, file.byteCount - segment.dataOffset) / bytesPerFrame,
        expectedFrames: segment.frames)
    }
    return .recorded(file)
  }

  /// Whether a segment is there compressed only.
  var holdsCompressed: Bool {
    take.segments.contains { segment in
      guard !segment.isSpilled, let name = CompressedSegment.nameAtHand(of: segment.name, in: folder) else {
        return false
      }
      return name != segment.name
    }
  }

  func sound(_ index: Int) -> SegmentSound {
    SegmentSound(
      sampleRate: take.sampleRate, channelCount: take.channelCount, frames: take.segments[index].frames)
  }
}

/// The file of a segment.
enum OpenSegmentFile {
  case recorded(OpenAudioFile)
  case compressed(OpenAudioFile)
}

/// Reads the frames of a segment.
private enum SegmentReader {
  case recorded(PCMReader)
  case compressed(CompressedSegmentReader)

  func read(at frame: Int64, count: Int, into samples: UnsafeMutablePointer<Float>) throws(AudioFileError) -> Int {
    switch self {
    case .recorded(let reader): try reader.read(at: frame, count: count, into: samples)
    case .compressed(let reader): try reader.read(at: frame, count: count, into: samples)
    }
  }
}

/// Reads a take's samples. Used by one thread at a time.
final class TakeReader {
  private let files: TakeFiles
  /// The segments used last, the latest at the end.
  private var open: [(index: Int, reader: SegmentReader)] = []

  /// Enough for a few regions of a take; each has a descriptor and 32 KiB.
  private static let capacity = 4

  /// - Parameter path: the manifest's.
  init(path: String) throws(AudioFileError) {
    guard let take = try TakeManifest.read(path: path) else { throw .changedWhileRead(path: path) }
    files = try TakeFiles(take, path: path)
  }

  var channelCount: Int { files.take.channelCount }

  /// - Parameter samples: room for `count` frames, interleaved.
  /// - Returns: frames read; fewer than `count` where the take ends.
  func read(at frame: Int64, count: Int, into samples: UnsafeMutablePointer<Float>) throws(AudioFileError) -> Int {
    let take = files.take
    let wanted = Int(min(Int64(count), take.frames - frame))
    var done = 0
    var index = firstSegment(endingAfter: frame)
    while done < wanted {
      let place = frame + Int64(done)
      let target = samples + done * channelCount
      let start = index < take.segments.count ? take.segments[index].startFrame : take.frames
      if start > place {
        let silent = Int(min(Int64(wanted - done), start - place))
        target.update(repeating: 0, count: silent * channelCount)
        done += silent
      } else {
        let segment = take.segments[index]
        let step = Int(min(Int64(wanted - done), segment.end - place))
        guard try reader(index).read(at: place - start, count: step, into: target) == step else {
          throw .endsEarly(path: files.path, atFrame: place, expectedFrames: take.frames)
        }
        done += step
        index += 1
      }
    }
    return done
  }

  /// By binary search.
  private func firstSegment(endingAfter frame: Int64) -> Int {
    let segments = files.take.segments
    var (low, high) = (0, segments.count)
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].end <= frame { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func reader(_ index: Int) throws(AudioFileError) -> SegmentReader {
    if let place = open.lastIndex(where: { $0.index == index }) {
      let found = open.remove(at: place)
      open.append(found)
      return found.reader
    }
    let take = files.take
    let reader: SegmentReader
    switch try files.open(index) {
    case .recorded(let file):
      let layout = PCMLayout(
        dataOffset: take.segments[index].dataOffset, encoding: take.encoding, channelCount: take.channelCount)
      reader = .recorded(PCMReader(file: file, layout: layout))
    case .compressed(let file): reader = .compressed(try CompressedSegmentReader(file, as: files.sound(index)))
    }
    if open.count == Self.capacity { open.removeFirst() }
    open.append((index, reader))
    return reader
  }
}
