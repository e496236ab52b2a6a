import ArgumentParser
import DAWProject

/// Refuses a path that has no name for a new project: an empty one, and one that ends with `.`, `..` or the root.
/// - Parameter noun: what is made, for the message.
/// - Throws: `ValidationError`.
func requireName(ofNew path: String, _ noun: String) throws {
  if path.isEmpty { throw ValidationError("The path of \(noun) is empty.") }
  let name = path.split(separator: "/").last.map(String.init) ?? ""
  guard !["", ".", "..", ProjectFolder.ending].contains(name) else {
    throw ValidationError("'\(path)' has no name for \(noun). End it with one, such as 'Song' or 'Albums/Song'.")
  }
}
