extension UnsafeMutablePointer where Pointee: BitwiseCopyable {
  /// Control thread. Memory that is written, so that the audio thread meets no page for the first time; free it with
  /// `deallocate`.
  static func filled(with value: Pointee, count: Int) -> Self {
    let memory = Self.allocate(capacity: Swift.max(1, count))
    memory.initialize(repeating: value, count: Swift.max(1, count))
    return memory
  }
}
