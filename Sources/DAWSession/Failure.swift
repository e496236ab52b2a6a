import DAWBounce
import DAWEngine
import DAWInstruments
import DAWMedia
import DAWModel
import DAWStore
import DAWTime

/// Why a task was not done, for a person and for a script. Unless the message says otherwise, nothing was changed.
public struct Failure: Error, Equatable, Sendable {
  /// What went wrong, as far as a caller has to tell apart.
  public enum Kind: String, Sendable, CaseIterable {
    /// What was typed cannot be read.
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
    /// Locked, or somebody was faster.
    case tryAgain
    case interrupted
  }

  public var kind: Kind
  /// One word in camel case that scripts can rely on: a rule's name, `trackNotFound`.
  public var code: String
  /// What happened, to what, and what state it leaves.
  public var message: String
  /// What to do next.
  public var hint: String?

  public init(_ kind: Kind, code: String, _ message: String, hint: String? = nil) {
    self.kind = kind
    self.code = code
    self.message = message
    self.hint = hint
  }
}

extension Failure {
  /// The failure that an error of a lower level comes to.
  public init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as EditError: self.init(error)
    case let violation as RuleViolation: self.init(EditError.rule(violation))
    case let error as StoreError: self.init(error)
    case let error as AudioFileError: self.init(error)
    case let error as AudioFileWriteError: self.init(error)
    case let error as MIDIFileError: self.init(error)
    case let error as MIDIFileWriteError: self.init(error)
    case let error as MediaWorkError: self.init(error)
    case let error as BounceError: self.init(error)
    case let error as InstrumentError: self.init(error)
    case let error as WatchdogError: self.init(error)
    default: self.init(.internal, code: "internal", "Something went wrong within daw: \(error)")
    }
  }

  private init(_ error: EditError) {
    switch error {
    case .rule(let violation):
      let subject = violation.subject.isEmpty ? "" : ", of \(violation.subject)"
      self.init(
        .invalid, code: violation.rule.rawValue, "Not accepted: \(violation.value)\(subject). Nothing was changed.",
        hint: violation.accepted)
    case .missing(let noun, _): self.init(.noInput, code: "\(noun)NotFound", "\(error) Nothing was changed.")
    }
  }

  private init(_ error: StoreError) {
    let (kind, code): (Kind, String) =
      switch error {
      case .missing: (.noInput, "projectNotFound")
      case .notAProject: (.noInput, "notAProject")
      case .newer: (.invalid, "newerProject")
      case .damaged: (.invalid, "damagedProject")
      case .unsafeFile: (.invalid, "unsafeFile")
      case .schemaDiffers: (.invalid, "schemaDiffers")
      case .schemaNotRepairable: (.invalid, "schemaNotRepairable")
      case .busy: (.tryAgain, "busy")
      case .readOnly: (.io, "readOnly")
      case .diskFull: (.io, "diskFull")
      case .io: (.io, "io")
      case .revisionChanged: (.tryAgain, "revisionChanged")
      case .nothingToUndo, .fewerToUndo: (.invalid, "nothingToUndo")
      case .historyFolded: (.invalid, "historyFolded")
      case .nothingToRedo, .fewerToRedo: (.invalid, "nothingToRedo")
      case .undoneEditIsNeeded: (.invalid, "undoneEditIsNeeded")
      case .journalDoesNotFit: (.invalid, "journalDoesNotFit")
      case .exists: (.cannotCreate, "exists")
      }
    self.init(kind, code: code, error.description)
  }
}
