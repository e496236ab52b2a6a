import DAWMedia
import Glibc

/// Writes a render to the cache: under a temporary name until it is complete. The file is locked with `flock`, which
/// ends with the process, so other processes recognise an abandoned file by its free lock. Used by one thread at a
/// time, hence `@unchecked Sendable`.
final class RenderWriter: @unchecked Sendable {
  /// `nil` when it is done.
  private var folder: Folder?
  private let name: String
  private let partialName: String
  private let number: Int32
  /// The layout for the largest possible number of frames.
  let planned: RenderLayout
  private var checksums: [UInt64] = []
  /// Frames appended.
  private(set) var frameCount: Int64 = 0
  /// Bytes on disk, without holes.
  private(set) var byteCount = 0
  private var isPending = true

  static let partialMark = ".partial-"

  /// - Parameters:
  ///   - place: the final name; an existing file is replaced.
  ///   - planned: with the largest possible `frameCount`.
  /// - Returns: `nil` if the folder is not writable.
  init?(at place: Place, planned: RenderLayout, longerThan minimumFrames: Int64) {
    name = place.name
    self.minimumFrames = minimumFrames
    self.planned = planned
    partialName = name + Self.partialMark + "\(getpid())-\(UInt32.random(in: .min ... .max))"
    guard let folder = try? place.parent.open(),
      let number = try? folder.openFile(partialName, O_RDWR | O_CREAT | O_EXCL)
    else { return nil }
    self.folder = folder
    self.number = number
    flock(number, LOCK_EX | LOCK_NB)
  }

  deinit { discard() }

  /// Frames that a render already in the cache has: one with fewer does not replace it.
  let minimumFrames: Int64

  /// Bytes that can still be written to its disk; `nil` if unknown, or it is done.
  var freeByteCount: Int64? { folder?.freeByteCount }

  /// Appends a block.
  /// - Parameters:
  ///   - samples: the sides, each of a whole block.
  ///   - frameCount: those that are valid; fewer than a block's in the last one alone.
  /// - Returns: bytes written to disk; `nil` on an error, after which the render is discarded.
  func append(_ samples: UnsafePointer<Float>, frameCount count: Int, isSilent: Bool) -> Int? {
    guard isPending, checksums.count < planned.blockCount else { return nil }
    let bytes = UnsafeRawBufferPointer(start: samples, count: planned.blockBytes)
    let offset = planned.offset(ofBlock: checksums.count)
    checksums.append(RenderChecksum.of(bytes))
    frameCount += Int64(count)
    if isSilent { return 0 }
    guard write(bytes, at: offset) else {
      discard()
      return nil
    }
    byteCount += bytes.count
    return bytes.count
  }

  /// Renames the render to its final name. Without fsync: a file damaged by a power cut does not match its checksums.
  func commit(endsInSilence: Bool) {
    guard isPending else { return }
    // The header keeps its size, so that blocks keep their offsets; unused blocks are silent holes.
    let silence = [UInt8](repeating: 0, count: planned.blockBytes)
    let silent = silence.withUnsafeBytes(RenderChecksum.of)
    var layout = planned
    layout.endsInSilence = endsInSilence
    layout.frameCount = frameCount
    checksums += [UInt64](repeating: silent, count: max(0, planned.blockCount - checksums.count))
    let isWritten = layout.header(checksums).withUnsafeBytes { write($0, at: 0) }
    guard isWritten, ftruncate(number, off_t(layout.fileSize)) == 0,
      let folder, (try? folder.rename(partialName, to: folder, as: name)) != nil
    else { return discard() }
    end()
  }

  func discard() {
    guard isPending else { return }
    try? folder?.remove(partialName)
    end()
  }

  /// Closes the file and its folder, so that a bounce of many instruments does not run out of descriptors.
  private func end() {
    isPending = false
    checksums = []
    folder = nil
    close(number)
  }

  private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    (try? FileDescriptor.write(bytes, to: number, at: Int64(offset))) != nil
  }
}
