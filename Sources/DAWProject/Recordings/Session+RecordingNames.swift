import DAWErrors
import DAWMedia
import Foundation

extension Session {
  /// Whether a name is there.
  /// - Throws: `Failure` where that cannot be told.
  static func exists(_ place: Place) throws -> Bool {
    let parent: Folder
    do throws(SystemCallFailure) {
      parent = try place.parent.open()
    } catch {
      if Cleaning.isNoFolder(error) { return false }
      throw unread(place.parent, error)
    }
    do throws(SystemCallFailure) {
      return try parent.existingStatus(of: place.name) != nil
    } catch {
      throw unread(place, error)
    }
  }

  /// The names in the folder of a recording; none where there is no folder, or a link.
  /// - Throws: `Failure` where it is there and cannot be listed.
  package static func names(in place: Place) throws -> [String] {
    do throws(SystemCallFailure) {
      return try place.open().readNames()
    } catch {
      if Cleaning.isNoFolder(error) { return [] }
      throw unread(place, error)
    }
  }

  private static func unread(_ place: Place, _ error: SystemCallFailure) -> Failure {
    let reason = String(cString: strerror(error.code))
    return Failure(
      .io, code: "io", "'\(place.path)' could not be read: \(reason). Nothing was changed.",
      hint: "Let it be read, and try again.")
  }
}
