import DAWMedia
import Foundation

extension Session {
  /// A notice for each link in the project's folder. Links are only followed for reading, so the project is in order.
  func linkFindings() -> [CheckFinding] {
    guard let root = try? folder.place().open() else { return [] }
    return Self.links(in: root, folder.place(), depth: 0).map { place, target in
      CheckFinding(
        code: "symbolicLink", message: "'\(place.names.joined(separator: "/"))' is a link to '\(target)'.",
        hint: Self.hint(place), isNotice: true)
    }
  }

  private static let greatestDepth = 32

  private static func links(in folder: Folder, _ place: Place, depth: Int) -> [(place: Place, target: String)] {
    guard depth < greatestDepth else { return [] }
    return folder.names().flatMap { name in
      let inner = place.appending(name)
      if let target = folder.target(ofLink: name) { return [(inner, target)] }
      guard folder.status(of: name)?.isFolder == true, let next = try? folder.folder(name) else { return [] }
      return links(in: next, inner, depth: depth + 1)
    }
  }

  private static func hint(_ place: Place) -> String {
    switch place.names {
    case ["Cache"]: "It is not used: the cache is in '\(UserFolders.cache())' meanwhile."
    case ["Audio"]: "Media are read through it; no file is brought in or removed. Put a folder there, or use --link."
    case ["Bounces"], ["Backups"]: "Nothing is written through it. Put a folder in its place."
    default: "It is read through, and never written through or followed by 'daw clean'. Media outside: --link."
    }
  }
}
