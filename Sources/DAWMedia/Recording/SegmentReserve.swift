import CFileSystem
import Glibc
import Synchronization

/// Makes the files of a pass, the next one beforehand. Any thread.
final class SegmentReserve: Sendable {
  /// An empty file for a segment.
  struct NewFile {
    var folder: RecordingFolder
    var name: String
    /// The number in the name.
    var index: Int
    var file: RecordedFile
    /// Whether it is in the folder of `spill`.
    var isSpilled: Bool
    /// Whether the disk keeps space for all of it.
    var hasSpace = false

    fileprivate func remove() { try? folder.folder.remove(name) }
  }

  private let folder: RecordingFolder
  private let pass: PassHeader
  /// Bytes of a full file.
  private let byteCount: Int64
  /// Bytes that are to stay free on the disk of the recording's folder.
  private let leastFree: Int64
  private let state: Mutex<State>

  private struct State {
    /// The number of the next file.
    var index: Int
    var spill: RecordingFolder?
    var reserved: NewFile?
    /// Whether none is to follow.
    var isOver = false
    /// Whether no space is to be kept any more on the recording's disk.
    var keepsNone = false
  }

  init(in folder: RecordingFolder, of pass: PassHeader, firstIndex: Int, byteCount: Int64, leastFree: Int64 = 0) {
    self.leastFree = leastFree
    self.folder = folder
    self.pass = pass
    self.byteCount = byteCount
    state = Mutex(State(index: firstIndex))
  }

  deinit { end() }

  /// Where files are made instead of the recording's folder; `nil` for there.
  var spill: RecordingFolder? {
    get { state.withLock { $0.spill } }
    set { state.withLock { $0.spill = newValue } }
  }

  /// Space on the recording's disk that is kept for a file which is not begun.
  var heldByteCount: Int64 {
    state.withLock { state in
      guard let reserved = state.reserved, reserved.hasSpace, !reserved.isSpilled else { return 0 }
      return byteCount
    }
  }

  /// Space on the recording's disk that is kept for the rest of a file.
  func heldByteCount(of file: OpenSegment) -> Int64 { max(0, byteCount - file.byteCount) }

  /// Makes the next file and reserves its space on disk. Does nothing after `end`.
  /// - Throws: `.diskFull` and others; then nothing is reserved.
  func reserve() throws(AudioFileWriteError) {
    try state.withLock { (state) throws(AudioFileWriteError) in
      if state.isOver { return }
      if let reserved = state.reserved {
        if reserved.folder === state.spill ?? folder { return }
        reserved.remove()
        state.reserved = nil
      }
      var made = try make(&state)
      do throws(AudioFileWriteError) {
        made.hasSpace = try keepSpace(for: made, state)
      } catch {
        made.remove()
        // The next one that is tried has its number.
        state.index = made.index
        throw error
      }
      state.reserved = made
    }
  }

  /// The file that was reserved, or a new one.
  func take() throws(AudioFileWriteError) -> NewFile {
    try state.withLock { (state) throws(AudioFileWriteError) in
      if let reserved = state.reserved {
        state.reserved = nil
        if reserved.folder === state.spill ?? folder { return reserved }
        reserved.remove()
      }
      var made = try make(&state)
      // Without room for all of it, there may still be some for a part.
      made.hasSpace = (try? keepSpace(for: made, state)) ?? false
      return made
    }
  }

  /// Gives back the space that is kept on the recording's disk, and keeps none from now on.
  /// - Parameter file: the one under way, if it is there.
  func giveBack(_ file: OpenSegment?) {
    state.withLock { state in
      state.keepsNone = true
      guard let reserved = state.reserved, !reserved.isSpilled else { return }
      reserved.remove()
      state.reserved = nil
      state.index = reserved.index
    }
    // Frees what lies beyond its end.
    var status = stat()
    if let number = file?.file.number, fstat(number, &status) == 0 { ftruncate(number, status.st_size) }
  }

  /// Removes the file that was reserved, and reserves no more: another thread may be about to.
  func end() {
    state.withLock { state in
      state.isOver = true
      state.reserved?.remove()
      state.reserved = nil
    }
  }

  /// Makes the file with the next number that is free.
  private func make(_ state: inout State) throws(AudioFileWriteError) -> NewFile {
    let target = state.spill ?? folder
    while true {
      let number = state.index
      let name = folder.segmentName(of: pass, index: number)
      state.index += 1
      do throws(AudioFileWriteError) {
        return NewFile(
          folder: target, name: name, index: number, file: try target.makeFile(name), isSpilled: target !== folder)
      } catch .exists {
        continue
      } catch {
        state.index = number
        throw error
      }
    }
  }

  private func keepSpace(for made: NewFile, _ state: State) throws(AudioFileWriteError) -> Bool {
    if state.keepsNone, !made.isSpilled { return false }
    return try allocate(made)
  }

  /// Reserves space for a full file beyond its end; its length stays.
  /// - Returns: false on a file system that cannot, and where it would take what is to stay free.
  private func allocate(_ made: NewFile) throws(AudioFileWriteError) -> Bool {
    if leastFree > 0, !made.isSpilled, (made.folder.freeByteCount ?? .max) - byteCount < leastFree { return false }
    while daw_reserve_space(made.file.number, byteCount) != 0 {
      if errno == EINTR { continue }
      guard errno == ENOSPC || errno == EDQUOT else { return false }
      throw AudioFileWriteError(
        path: made.folder.place.appending(made.name).path, SystemCallFailure(call: "reserve", code: errno))
    }
    return true
  }
}
