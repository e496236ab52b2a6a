import DAWErrors
import DAWMedia
import Foundation

extension Session {
  /// Whether a name is there.
  /// - Throws: `Failure` where the folder that it would be in cannot be opened.
  static func exists(_ place: Place) throws -> Bool {
    do throws(SystemCallFailure) {
      return try place.parent.open().status(of: place.name) != nil
    } catch {
      if Cleaning.isNoFolder(error) { return false }
      throw unlisted(place.parent, error)
    }
  }

  /// The names in the folder of a recording; none where there is no folder, or a link.
  /// - Throws: `Failure` where it is there and cannot be listed.
  static func names(in place: Place) throws -> [String] {
    do throws(SystemCallFailure) {
      return try place.open().readNames()
    } catch {
      if Cleaning.isNoFolder(error) { return [] }
      throw unlisted(place, error)
    }
  }

  private static func unlisted(_ place: Place, _ error: SystemCallFailure) -> Failure {
    let reason = String(cString: strerror(error.code))
    return Failure(
      .io, code: "io", "'\(place.path)' could not be listed: \(reason). Nothing was changed.",
      hint: "Let it be read, and try again.")
  }
}
