import DAWErrors
import DAWMedia
import DAWModel
import Foundation

extension Session {
  /// Runs `body`, which moves at most one folder before it saves that. If it throws, the folder is moved back.
  /// - Parameter body: gets a function that moves a folder, which must not be a link, to a free name.
  /// - Throws: `Failure`; its message says where the folder is if it could not be moved back.
  func movingFolder<T>(_ body: (_ move: (Place, Place) throws -> Void) throws -> T) throws -> T {
    var last: (source: Place, target: Place)?
    do {
      return try body { source, target in
        last = (source, target)
        try move(source, to: target)
      }
    } catch {
      let failure = Failure(error)
      guard let last, isMoved(last.source, last.target) else { throw failure }
      try? move(last.target, to: last.source)
      // The move back may have failed behind the renaming, where it is flushed.
      guard isMoved(last.source, last.target) else { throw failure }
      throw failure.after(["the files were moved to '\(last.target.path)'"], "The same command goes on with them.")
    }
  }

  private func isMoved(_ source: Place, _ target: Place) -> Bool {
    (try? Self.exists(source)) == false && (try? Self.exists(target)) == true
  }

  /// Moves a folder, which must not be a link, to a free name.
  func move(_ place: Place, to target: Place) throws {
    let source: Folder
    do throws(SystemCallFailure) {
      // Refuses a link in its place.
      _ = try place.open()
      source = try place.parent.open()
    } catch {
      throw Self.notMoved(place, error)
    }
    let destination: Folder
    do throws(SystemCallFailure) {
      destination = try target.parent.makePrivate()
    } catch {
      throw Self.notMoved(target.parent, error)
    }
    do throws(SystemCallFailure) {
      try source.renameWithoutReplacing(place.name, to: destination, as: target.name)
      try destination.sync()
      try source.sync()
    } catch {
      if error.code == EEXIST {
        throw Failure(
          .cannotCreate, code: "alreadyExists", "'\(target.path)' exists already. Nothing was changed.",
          hint: "Move it away, and try again.")
      }
      throw Self.notMoved(place, error)
    }
  }

  static func notMoved(_ place: Place, _ error: SystemCallFailure) -> Failure {
    guard error.code == ELOOP else {
      let reason = String(cString: strerror(error.code))
      return Failure(.io, code: "io", "'\(place.path)' could not be moved or removed: \(reason).")
    }
    // It may be any of the folders on the way.
    let link = place.firstLink ?? place
    return Failure(
      .io, code: "io", "'\(link.path)' is a link, and none is followed.", hint: "Put what it leads to in its place.")
  }
}

extension Failure {
  /// This failure, of a command that had changed something before.
  /// - Parameters:
  ///   - done: what was done before, as clauses; where there is none, the failure stays as it is.
  ///   - next: a sentence.
  package func after(_ done: [String], _ next: String) -> Failure {
    guard !done.isEmpty else { return self }
    var failure = besideChanges
    failure.message += " Before that \(done.joined(separator: ", ")). \(next)"
    return failure
  }

  /// This failure without "Nothing was changed.", where something else was.
  package var besideChanges: Failure {
    var failure = self
    failure.message = message.replacing(" Nothing was changed.", with: "")
    return failure
  }
}

extension RecordedSegment {
  /// Whether it was written outside the project's folder.
  package var isOutside: Bool { path.hasPrefix("/") }

  package var fileName: String { (path as NSString).lastPathComponent }
}
