import DAWErrors

/// A refused change: which rule, what value, and what would be accepted. Nothing was changed.
public struct RuleViolation: Error, Hashable, Sendable {
  public var rule: Rule
  /// The refused value, in words: "a volume of 20 dB".
  public var value: String
  /// What the value belongs to, in words: "track 'Bass'"; may be empty.
  public var subject: String
  /// What would be accepted: by default `rule.accepted`, or a more specific sentence.
  public var accepted: String

  /// Long texts in `value` and `subject` are cut.
  public init(_ rule: Rule, value: String, subject: String = "", accepted: String? = nil) {
    self.rule = rule
    self.value = value.shortenedForMessage
    self.subject = subject.shortenedForMessage
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
