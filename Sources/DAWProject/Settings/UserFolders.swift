import Foundation

/// The folders of the user's own files.
/// - SeeAlso: XDG Base Directory Specification: paths that are not absolute are ignored.
public enum UserFolders {
  /// `$XDG_CONFIG_HOME/daw`, else `~/.config/daw`.
  public static func configuration(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
    folder("XDG_CONFIG_HOME", environment) ?? home(environment) + "/.config/daw"
  }

  /// `$XDG_CACHE_HOME/daw`, else `~/.cache/daw`.
  public static func cache(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
    folder("XDG_CACHE_HOME", environment) ?? home(environment) + "/.cache/daw"
  }

  /// `$XDG_DATA_HOME/daw`, else `~/.local/share/daw`.
  public static func data(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
    folder("XDG_DATA_HOME", environment) ?? home(environment) + "/.local/share/daw"
  }

  private static func folder(_ variable: String, _ environment: [String: String]) -> String? {
    environment[variable].flatMap { $0.hasPrefix("/") ? $0 + "/daw" : nil }
  }

  private static func home(_ environment: [String: String]) -> String {
    environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
  }
}
