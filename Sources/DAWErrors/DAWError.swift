/// An error as it is reported, to a person and to a script. Every error that a user can meet conforms.
public protocol DAWError: Error {
  /// The class of the error, which decides the exit status.
  var kind: ErrorKind { get }
  /// One word in camel case that scripts can rely on: a rule's name, `trackNotFound`.
  var code: String { get }
  /// What happened, to what, and what state it leaves. Unless it says otherwise, nothing was changed.
  var message: String { get }
  /// What to do next.
  var hint: String? { get }
}

extension DAWError {
  public var hint: String? { nil }
}

extension DAWError where Self: CustomStringConvertible {
  public var message: String { description }
}

/// What went wrong, as far as a caller has to tell apart.
public enum ErrorKind: String, Sendable, CaseIterable {
  /// The command line cannot be read.
  case usage
  /// A value breaks a rule, or data is bad.
  case invalid
  /// There is no such input.
  case noInput
  /// A service or a library is not there.
  case unavailable
  /// A fault of our own.
  case `internal`
  case cannotCreate
  case io
  /// Locked, or another process was faster.
  case tryAgain
  case interrupted
}
