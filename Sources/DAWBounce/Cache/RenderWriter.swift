import DAWMedia
import Glibc

/// A render that is being kept: it lies hidden beside its final name until it is whole. The system's lock on it goes with
/// the process, so that one that was killed leaves a file that anyone can tell to be nobody's. Used by one thread at a
/// time, hence `@unchecked Sendable`.
final class RenderWriter: @unchecked Sendable {
  private let folder: Folder
  private let name: String
  private let partialName: String
  private let number: Int32
  /// For as many blocks as there can be; written anew with those there are.
  private let planned: RenderLayout
  private var checksums: [UInt64] = []
  private var isPending = true

  static let partialMark = ".partial-"

  /// - Parameters:
  ///   - place: what it will be called; what has that name makes way.
  ///   - planned: `blockCount` is the most that there will be.
  /// - Returns: `nil` where the folder cannot be written.
  init?(at place: Place, planned: RenderLayout) {
    name = place.name
    self.planned = planned
    partialName = name + Self.partialMark + "\(getpid())-\(UInt32.random(in: .min ... .max))"
    guard let folder = try? place.parent.open(),
      let number = try? folder.openFile(partialName, O_RDWR | O_CREAT | O_EXCL)
    else { return nil }
    self.folder = folder
    self.number = number
    flock(number, LOCK_EX | LOCK_NB)
  }

  deinit {
    discard()
    close(number)
  }

  /// Adds a block.
  /// - Parameter samples: both sides.
  /// - Returns: bytes that it takes on the disk; `nil` where the disk does not take it: the render is given up then.
  func append(_ samples: UnsafePointer<Float>, isSilent: Bool) -> Int? {
    let bytes = UnsafeRawBufferPointer(start: samples, count: RenderLayout.blockBytes)
    let offset = planned.offset(ofBlock: checksums.count)
    checksums.append(RenderChecksum.of(bytes))
    if isSilent { return 0 }
    guard write(bytes, at: offset) else {
      discard()
      return nil
    }
    return bytes.count
  }

  /// Gives the render its name. The disk is not waited for: what a power cut leaves of it does not fit its checksums.
  func commit(endsInSilence: Bool) {
    guard isPending else { return }
    // The header keeps its size, so that the blocks stay where they are; unused ones are silence that takes no room.
    let silence = [UInt8](repeating: 0, count: RenderLayout.blockBytes)
    let silent = silence.withUnsafeBytes(RenderChecksum.of)
    var layout = planned
    layout.endsInSilence = endsInSilence
    checksums += [UInt64](repeating: silent, count: max(0, planned.blockCount - checksums.count))
    let isWritten = layout.header(checksums).withUnsafeBytes { write($0, at: 0) }
    guard isWritten, ftruncate(number, off_t(layout.fileSize)) == 0,
      (try? folder.rename(partialName, to: folder, as: name)) != nil
    else { return discard() }
    isPending = false
  }

  func discard() {
    guard isPending else { return }
    isPending = false
    try? folder.remove(partialName)
  }

  private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = pwrite(number, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
      if count >= 0 { done += count } else if errno != EINTR { return false }
    }
    return true
  }
}
