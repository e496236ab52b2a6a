/// A complete file of a pass whose hash is still to be computed. Used by one thread at a time.
///
/// A hash covers the file's header first, which is complete last. So the file is read again, which need not be done by
/// the thread that writes.
public struct SealedSegment: Sendable {
  private let pass: Int64
  private var segment: RecordedSegmentFile
  private let file: RecordedFile
  private var hash = StreamingSHA256()
  private var hashedByteCount: Int64 = 0

  /// Bytes that are hashed at a time: some hundredths of a second.
  private static let step = 1 << 24

  init(_ segment: RecordedSegmentFile, of pass: Int64, in file: RecordedFile) {
    self.segment = segment
    self.pass = pass
    self.file = file
  }

  /// Hashes a piece of the file.
  /// - Returns: the ledger's record of the file with its hash; `nil` if there is more to read.
  public mutating func hashPiece() throws(SystemCallFailure) -> LedgerRecord? {
    let count = try hash.update(file: file.number, at: hashedByteCount, byteCount: Self.step)
    hashedByteCount += Int64(count)
    guard count < Self.step else { return nil }
    segment.sha256 = hash.hexDigest()
    return .segment(pass: pass, segment)
  }

  /// Hashes the rest of the file.
  func hashed() throws(SystemCallFailure) -> LedgerRecord {
    var rest = self
    while true { if let hashed = try rest.hashPiece() { return hashed } }
  }
}
