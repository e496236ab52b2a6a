import CJack

/// JACK's library, opened once per process, on first use by a control thread.
///
/// Immutable, hence `@unchecked Sendable`.
public final class JackLibrary: @unchecked Sendable {
  public let functions: cjack

  private static let opened: Result<JackLibrary, JackError> = open()

  init(functions: cjack) { self.functions = functions }

  /// - Throws: `JackError.libraryUnavailable`.
  public static func shared() throws(JackError) -> JackLibrary { try opened.get() }

  private static func open() -> Result<JackLibrary, JackError> {
    var problem: UnsafePointer<CChar>?
    guard let functions = cjack_open(&problem)?.pointee else {
      return .failure(.libraryUnavailable(reason: problem.map { String(cString: $0) } ?? "no reason given"))
    }
    // By default they write to stdout and stderr. Errors are reported by results.
    functions.jack_set_error_function { _ in }
    functions.jack_set_info_function { _ in }
    return .success(JackLibrary(functions: functions))
  }
}
