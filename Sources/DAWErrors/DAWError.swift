/// An error as it is reported to the user and to scripts. Every error that a user can meet conforms.
public protocol DAWError: Error {
  /// The class of the error, which decides the exit status.
  var kind: ErrorKind { get }
  /// A noun phrase in camel case that scripts can rely on: a rule's name, or one such as `trackNotFound`.
  var code: String { get }
  /// What happened, to what, and the state left. Unless it says otherwise, nothing was changed.
  var message: String { get }
  /// The next step; `nil` if there is none.
  var hint: String? { get }
}

extension DAWError {
  public var hint: String? { nil }
}

extension DAWError where Self: CustomStringConvertible {
  public var message: String { description }
}

/// The class of an error; each has its own exit status.
public enum ErrorKind: String, Sendable, CaseIterable {
  /// The command line cannot be parsed.
  case usage
  /// A value breaks a rule, or data is malformed.
  case invalid
  /// The named input does not exist.
  case noInput
  /// A service or a library is missing.
  case unavailable
  /// A defect in daw.
  case `internal`
  case cannotCreate
  case io
  /// Locked, or another process changed the project first. Trying again may succeed.
  case tryAgain
  case interrupted
}
