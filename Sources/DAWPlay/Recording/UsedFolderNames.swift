import DAWMedia
import Synchronization

/// The names that the folders of recordings have had, so that one that comes back from the trash finds its own free.
/// Any thread.
final class UsedFolderNames: Sendable {
  private let names: Mutex<Set<String>>

  init(_ names: Set<String> = []) { self.names = Mutex(names) }

  /// - Parameter startTime: milliseconds since 1970.
  func makeFolder(in recordings: Place, title: String, startTime: Int64) throws(AudioFileWriteError) -> RecordingFolder
  {
    let taken = names.withLock { $0 }
    let folder = try RecordingFolder(creatingIn: recordings, title: title, startTime: startTime, avoiding: taken)
    names.withLock { _ = $0.insert(folder.name) }
    return folder
  }
}
