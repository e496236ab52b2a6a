import DAWErrors

/// `failing` for a render that makes no file: its errors do not say that nothing was written.
func failingWithoutFile<T>(_ body: () throws -> T) throws -> T {
  do {
    return try body()
  } catch {
    var failure = Failure(error)
    let state = " Nothing was written."
    if failure.message.hasSuffix(state) { failure.message.removeLast(state.count) }
    throw failure
  }
}
