/// Makes the frames of a stream one after the other: an instrument, for one. Used by one thread at a time, never the audio
/// thread.
public protocol StreamProducer: AnyObject {
  /// Makes the next frames, from timeline frame 0 on; how they are cut into calls changes no sample.
  /// - Parameters:
  ///   - frameCount: at least 1.
  ///   - left: room for `frameCount` samples, full scale ±1; overwritten.
  ///   - right: likewise.
  func produce(frameCount: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>)
}
