import DAWErrors
import DAWMedia
import DAWModel
import DAWStore
import Foundation

/// Which copies of the project file stay in `Backups/`: the newest ones, and younger ones whatever their number.
public struct BackupLimits: Equatable, Sendable {
  public var count: Int
  public var age: Days

  public init(count: Int, age: Days) {
    self.count = count
    self.age = age
  }

  public static let standard = BackupLimits(count: 20, age: Days(90))
  public static let acceptedCount = 1...1_000_000
}

extension Session {
  /// Removes the backups beyond the newest ones that are older than an age. Only copies that daw has made go, by their
  /// names; links, folders and everything else stay.
  /// - Returns: the names of those that were removed, the oldest first.
  /// - Throws: `Failure`; what was removed until then stays removed.
  @discardableResult
  public func removeOldBackups(
    _ limits: BackupLimits = .standard, now: Timestamp = .now(), isTrial: Bool = false
  ) throws -> [String] {
    try failing {
      guard let backups = try? folder.place("Backups").open() else { return [] }
      let files = backups.names().compactMap { name -> (name: String, time: Int64)? in
        guard Self.isBackup(name), let status = backups.status(of: name), status.isFile else { return nil }
        return (name, Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000)
      }
      let cutoff = now.milliseconds - limits.age.milliseconds
      let old = files.sorted { ($0.time, $0.name) > ($1.time, $1.name) }.dropFirst(limits.count)
        .filter { $0.time < cutoff }.reversed().map(\.name)
      for name in old where !isTrial {
        do throws(SystemCallFailure) {
          try backups.remove(name)
        } catch {
          // Another process was faster.
          if error.code == ENOENT { continue }
          throw Failure(
            .io, code: "io", "The old backup '\(name)' could not be removed: \(String(cString: strerror(error.code))).")
        }
      }
      return old
    }
  }

  /// Whether a name is one that daw gives to backups.
  private static func isBackup(_ name: String) -> Bool {
    name.hasSuffix(".sqlite") && ["project-", "before-repair-", "before-version-"].contains(where: name.hasPrefix)
  }
}
