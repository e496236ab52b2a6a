import CArguments

/// The program's arguments; available also where /proc is not, as in a bare chroot.
public enum ProgramArguments {
  /// Without the program's name. Bytes that are not UTF-8 are replaced by U+FFFD; see `firstBroken`.
  public static let words: [String] = (1..<max(1, Int(daw_argument_count()))).compactMap { index in
    daw_argument(Int32(index)).map { String(cString: $0) }
  }

  /// The first argument that is not UTF-8, with U+FFFD for invalid bytes.
  public static var firstBroken: String? {
    (1..<max(1, Int(daw_argument_count()))).lazy.compactMap { daw_argument(Int32($0)) }
      .first { String(validatingCString: $0) == nil }.map { String(cString: $0) }
  }
}
