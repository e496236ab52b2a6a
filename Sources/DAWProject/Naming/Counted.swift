/// "1 note", "2 notes".
/// - Parameter plural: `nil`: the noun with an s.
public func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
  count.magnitude == 1 ? "\(count) \(noun)" : "\(count) \(plural ?? noun + "s")"
}
