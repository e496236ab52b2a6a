/// Why a task was not done. Unless the message says otherwise, nothing was changed.
public struct Failure: DAWError, Equatable, Sendable {
  public var kind: ErrorKind
  public var code: String
  public var message: String
  public var hint: String?

  public init(_ kind: ErrorKind, code: String, _ message: String, hint: String? = nil) {
    self.kind = kind
    self.code = code
    self.message = message
    self.hint = hint
  }

  /// What is reported of any error; one that is no `DAWError` is a fault of our own.
  public init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as any DAWError: self.init(error.kind, code: error.code, error.message, hint: error.hint)
    default: self.init(.internal, code: "internal", "Something went wrong within daw: \(error)")
    }
  }

  /// The code of what could not go on because the reader of a pipe is gone.
  public static let readerIsGone = "readerIsGone"
}

/// Runs `body`; whatever it throws comes out as a `Failure`.
package func failing<T>(_ body: () throws -> T) throws -> T {
  do { return try body() } catch { throw Failure(error) }
}
