import CJack

/// JACK's library as this process has it: opened once, at the first use, on whichever control thread comes first.
///
/// The functions are fixed from then on, hence `@unchecked Sendable`.
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
    // They would write to the standard outputs, which belong to our own messages. What goes wrong is told by results.
    functions.jack_set_error_function { _ in }
    functions.jack_set_info_function { _ in }
    return .success(JackLibrary(functions: functions))
  }
}
