/// Where the frames of a bounce go, block by block, in order. Used by one thread.
public protocol BounceSink: AnyObject {
  /// - Parameters:
  ///   - left: `frameCount` samples, full scale ±1, finite, never −0.
  ///   - right: likewise.
  func write(left: UnsafePointer<Float>, right: UnsafePointer<Float>, frameCount: Int) throws

  /// All frames are written; makes the file whole and gives it its name.
  func finish() throws

  /// The bounce has failed or was cancelled; nothing is left behind.
  func discard()
}
