import DAWStore
import Foundation

extension EditOrigin {
  /// This user on this machine, or whom `DAW_AUTHOR` names, and the command line of this process, quoted so that a shell
  /// reads it the same.
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

/// As the kernel has it: Foundation would ask the name service.
private var hostName: String {
  var name = utsname()
  guard uname(&name) == 0 else { return "localhost" }
  return withUnsafeBytes(of: name.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}

/// The word as a shell has to read it.
func shellQuoted(_ word: String) -> String {
  let plain = word.unicodeScalars.allSatisfy {
    $0.properties.isAlphabetic || "0123456789-_./:=,+@%".unicodeScalars.contains($0)
  }
  return plain && !word.isEmpty ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
}
