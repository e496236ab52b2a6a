import DAWStore
import Foundation

extension EditOrigin {
  /// The author, from `DAW_AUTHOR` or else the current user and host, and this process's command line, quoted so that a
  /// shell parses it to the same words.
  public static var current: EditOrigin {
    let environment = ProcessInfo.processInfo.environment
    let account = getpwuid(geteuid()).flatMap { $0.pointee.pw_name.map { String(cString: $0) } }
    let user = account ?? environment["USER"] ?? "\(geteuid())"
    let words = ["daw"] + ProgramArguments.words
    let named = environment["DAW_AUTHOR"].flatMap { $0.isEmpty ? nil : $0 }
    return EditOrigin(
      author: named ?? "\(user)@\(hostName)", commandLine: words.map(shellQuoted).joined(separator: " "))
  }
}

/// The kernel's host name. Foundation would ask the name service.
private var hostName: String {
  var name = utsname()
  guard uname(&name) == 0 else { return "localhost" }
  return withUnsafeBytes(of: name.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}

/// The word, quoted for a shell if necessary.
package func shellQuoted(_ word: String) -> String {
  let plain = word.unicodeScalars.allSatisfy {
    $0.properties.isAlphabetic || "0123456789-_./:=,+@%".unicodeScalars.contains($0)
  }
  return plain && !word.isEmpty ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
}
