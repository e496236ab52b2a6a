import DAWModel

extension Name {
  /// A name for what references name, such as a track, a region or a marker.
  /// - Throws: `RuleViolation` of `.name`; also for `id:` and digits, which every reference reads as an id.
  package init(ofItem text: String) throws {
    self = try Name(text)
    guard let reference = try? IDReference(self.text), reference.forced != nil else { return }
    throw RuleViolation(
      .name, value: "the name '\(self.text)'",
      accepted: "'id:' with \(ShortIDs.minimumLength) or more hexadecimal digits always means an id. "
        + "Choose another name.")
  }
}
