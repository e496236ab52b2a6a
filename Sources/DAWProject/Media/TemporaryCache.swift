import DAWMedia
import Foundation

/// A cache folder for this process alone, where neither the project's nor the user's can be written, as for users of
/// services and in containers, which have no home. It is removed when the process ends, unless a signal ends it at once.
enum TemporaryCache {
  /// Made when it is first needed; `nil` if it cannot be made.
  static let place: Place? = make()

  /// In `$TMPDIR`, else in `/tmp`, its user's alone. The name cannot be known beforehand.
  private static func make() -> Place? {
    for folder in [ProcessInfo.processInfo.environment["TMPDIR"] ?? "", "/tmp"] where folder.hasPrefix("/") {
      let place = Place(root: folder, ["daw-cache-\(UUID().uuidString)"])
      guard (try? place.make(mode: 0o700)) != nil else { continue }
      atexit { TemporaryCache.place?.removeAll() }
      return place
    }
    return nil
  }
}
