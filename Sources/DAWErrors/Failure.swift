/// A failed operation. Unless the message says otherwise, nothing was changed.
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

  /// The failure to report for any error. An error that does not conform to `DAWError` is reported as a defect in daw.
  public init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as any DAWError: self.init(error.kind, code: error.code, error.message, hint: error.hint)
    default: self.init(.internal, code: "internal", "Something went wrong within daw: \(error)")
    }
  }
}

/// Runs `body` and converts what it throws to a `Failure`.
package func failing<T>(_ body: () throws -> T) throws -> T {
  do { return try body() } catch { throw Failure(error) }
}
