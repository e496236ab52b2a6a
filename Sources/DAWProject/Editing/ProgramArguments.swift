import CArguments

/// What the program was started with; known also where /proc cannot be read, as in a bare chroot.
public enum ProgramArguments {
  /// Behind the program's own name. What is no UTF-8 has U+FFFD in its place; see `firstBroken`.
  public static let words: [String] = (1..<max(1, Int(daw_argument_count()))).compactMap { index in
    daw_argument(Int32(index)).map { String(cString: $0) }
  }

  /// The first word that is no UTF-8, as far as it can be shown.
  public static var firstBroken: String? {
    (1..<max(1, Int(daw_argument_count()))).lazy.compactMap { daw_argument(Int32($0)) }
      .first { String(validatingCString: $0) == nil }.map { String(cString: $0) }
  }
}
