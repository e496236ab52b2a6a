import Glibc
import Synchronization

/// The folder of one recording, `Audio/Recordings/2026-11-22 14.03 Verse/`. Its files have mode 0600, and are made and
/// opened by its descriptor, never through a link. Any thread.
public final class RecordingFolder: Sendable {
  public let place: Place
  let folder: Folder
  /// The names of tracks' files without their numbers, by the tracks' ids.
  private let fileNames = Mutex<[Int64: String]>([:])

  /// The folder's name.
  public var name: String { place.name }

  private init(place: Place, folder: Folder) {
    self.place = place
    self.folder = folder
  }

  /// Makes a folder for a recording: a number is appended if its name is taken.
  /// - Parameters:
  ///   - recordings: the folder in which it is made; made as well if it is missing.
  ///   - title: may be empty.
  ///   - startTime: milliseconds since 1970.
  ///   - names: taken as well, such as those of folders that may come back from the trash.
  public convenience init(
    creatingIn recordings: Place, title: String, startTime: Int64, avoiding names: Set<String> = []
  ) throws(AudioFileWriteError) {
    do throws(SystemCallFailure) {
      // A folder's name has the title. That of '--spill' is the user's, and stays as it is; it is not made where its
      // disk is not mounted any more.
      let parent = try recordings.makePrivate()
      let time = LocalTime(milliseconds: startTime)
      let wanted = Self.cleaned("\(time.date) \(time.hour).\(time.minute) " + title, byteCount: 240)
      var name = wanted
      var number = 2
      while true {
        do throws(SystemCallFailure) {
          if !names.contains(name) {
            try parent.makeFolder(name, mode: 0o700)
            break
          }
        } catch {
          guard error.code == EEXIST else { throw error }
        }
        name = "\(wanted) \(number)"
        number += 1
      }
      try parent.sync()
      self.init(place: recordings.appending(name), folder: try parent.folder(name))
    } catch {
      throw AudioFileWriteError(path: recordings.path, error)
    }
  }

  /// Opens the folder of a recording that is there.
  /// - Throws: with the code `ELOOP` if it is a link.
  public convenience init(opening place: Place) throws(SystemCallFailure) {
    self.init(place: place, folder: try place.open())
  }

  /// Whether it is still where it was opened: neither removed nor moved away.
  public var isInPlace: Bool { (try? place.open().isSame(as: folder)) ?? false }

  /// Tries to lock it for one who replaces files in it, until this object is gone. On a file system without locks that
  /// always succeeds.
  /// - Returns: false where another process has it.
  public func lockForReplacing() -> Bool {
    while flock(folder.number, LOCK_EX | LOCK_NB) != 0 {
      if errno != EINTR { return errno != EWOULDBLOCK }
    }
    return true
  }

  /// The names in it, sorted.
  public func names() throws(SystemCallFailure) -> [String] { try folder.readNames() }

  /// Flushes its list of names to disk.
  public func sync() throws(SystemCallFailure) { try folder.sync() }

  /// Flushes everything on its file system to disk (syncfs): with many files much faster than one by one.
  public func syncFileSystem() throws(SystemCallFailure) { try folder.syncFileSystem() }

  /// Whether a file is on its file system.
  public func isOnFileSystem(of file: RecordedFile) -> Bool { folder.isOnFileSystem(of: file.number) }

  /// Bytes that this user can still write on its file system; `nil` if unknown.
  public var freeByteCount: Int64? { folder.freeByteCount }

  /// Removes the files that were reserved and never written to.
  public func removeReserved() {
    for name in folder.names() where Self.isSegment(name) {
      if let status = folder.status(of: name), status.isFile, status.st_size == 0 { try? folder.remove(name) }
    }
  }

  /// Removes the folder itself, if nothing was written to it.
  public func removeIfEmpty() { try? place.parent.open().removeFolder(place.name) }

  func makeFile(_ name: String) throws(AudioFileWriteError) -> RecordedFile {
    do {
      return RecordedFile(owning: try folder.openFile(name, O_RDWR | O_CREAT | O_EXCL, mode: 0o600))
    } catch {
      throw AudioFileWriteError(path: place.appending(name).path, error)
    }
  }

  // MARK: Names

  /// Whether a file stays when the sound of a finished recording is not used any more.
  public static func isLasting(_ name: String) -> Bool {
    name == Ledger.fileName || name.hasPrefix(Ledger.unreadName) || isEvents(name)
  }

  static func isSegment(_ name: String) -> Bool { !name.hasPrefix(".") && name.hasSuffix(".wav") }
  static func isEvents(_ name: String) -> Bool { !name.hasPrefix(".") && name.hasSuffix(".events") }

  /// `Vox.0001.wav`.
  public func segmentName(of pass: PassHeader, index: Int) -> String {
    let digits = String(index)
    return fileName(of: pass) + "." + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ".wav"
  }

  /// `Keys.events`, for all passes of a track.
  public func eventsName(of pass: PassHeader) -> String { fileName(of: pass) + ".events" }

  /// `Vox.1.take`.
  public func takeName(of pass: PassHeader) -> String { fileName(of: pass) + ".\(pass.number).take" }

  /// What the names of a track's files begin with: its name, with a number where another track has it.
  private func fileName(of pass: PassHeader) -> String {
    fileNames.withLock { names in
      if let name = names[pass.track] { return name }
      let wanted = Self.cleaned(pass.trackName, byteCount: 200)
      var name = wanted
      var number = 2
      while names.values.contains(where: { $0.lowercased() == name.lowercased() }) {
        name = "\(wanted) \(number)"
        number += 1
      }
      names[pass.track] = name
      return name
    }
  }

  /// Text as a name for a file: without slashes and control characters, not hidden, not empty.
  static func cleaned(_ text: String, byteCount: Int) -> String {
    var name = ""
    for character in text.unicodeScalars.map({ $0 == "/" || $0.properties.generalCategory == .control ? "_" : $0 }) {
      guard name.utf8.count + character.utf8.count <= byteCount else { break }
      name.unicodeScalars.append(character)
    }
    while name.last == " " { name.removeLast() }
    if name.hasPrefix(".") { name = "_" + name.dropFirst() }
    return name.isEmpty ? "_" : name
  }
}

extension Unicode.Scalar {
  fileprivate var utf8: Unicode.UTF8.EncodedScalar { UTF8.encode(self) ?? UTF8.encodedReplacementCharacter }
}
