import DAWErrors

/// A refused change: which rule, what value, and what would be accepted. Nothing was changed.
public struct RuleViolation: Error, Hashable, Sendable {
  public var rule: Rule
  /// What was given, in words: "a volume of 20 dB".
  public var value: String
  /// Whose value it is, in words: "track 'Bass'"; empty where that is plain.
  public var subject: String
  /// What would be accepted; the rule's own sentence unless something nearer is known.
  public var accepted: String

  public init(_ rule: Rule, value: String, subject: String = "", accepted: String? = nil) {
    self.rule = rule
    self.value = value
    self.subject = subject
    self.accepted = accepted ?? rule.accepted
  }
}

extension RuleViolation: CustomStringConvertible {
  public var description: String {
    "\(subject.isEmpty ? "" : "\(subject): ")\(value) is not accepted (rule \(rule.rawValue)). \(accepted)"
  }
}

extension RuleViolation: DAWError {
  public var kind: ErrorKind { .invalid }
  public var code: String { rule.rawValue }
  public var message: String {
    "Not accepted: \(value)\(subject.isEmpty ? "" : ", of \(subject)"). Nothing was changed."
  }
  public var hint: String? { accepted }
}
