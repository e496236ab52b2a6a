import Glibc

/// The notes that sound on each port, and the port's destinations, in memory shared with the watchdog process.
///
/// A destination is a 16-bit number: an address of the ALSA sequencer, or the index of a name in the same memory.
public final class SoundingTable: @unchecked Sendable {
  // Unchecked: in each row, one thread at a time writes the notes and one the destinations.
  /// Inherited by the watchdog, which maps the same memory.
  let descriptor: Int32
  private let words: UnsafeMutablePointer<UInt64>

  /// The most ports; more than an ALSA sequencer client can have.
  public static let rowCount = 256
  /// A row: the `SoundingRow`, the count of destinations, the destinations.
  private static let maximumDestinations = 32
  private static let countWord = SoundingRow.wordCount
  private static let rowWords = countWord + 1 + maximumDestinations / 4
  /// After the rows: names of destinations, each preceded by its length in bytes.
  private static let nameCount = 256
  private static let nameWords = 1 + maximumNameBytes / 8
  public static let maximumNameBytes = 320
  private static let wordCount = rowCount * rowWords + nameCount * nameWords
  private static let byteCount = wordCount * MemoryLayout<UInt64>.size

  /// - Throws: `WatchdogError`.
  public init() throws(WatchdogError) {
    // Unlinked at once: the watchdog inherits the descriptor, which is closed in all other child processes.
    let name = "/daw-sounding-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
    let problem = errno
    shm_unlink(name)
    guard descriptor >= 0 else { throw WatchdogError("share memory with its watchdog", problem) }
    guard ftruncate(descriptor, off_t(Self.byteCount)) == 0, let words = Self.map(descriptor) else {
      let problem = errno
      close(descriptor)
      throw WatchdogError("share memory with its watchdog", problem)
    }
    self.words = words
    // Touches every page, so that the audio thread does not page-fault.
    words.update(repeating: 0, count: Self.wordCount)
  }

  /// Maps a table that the parent process has made.
  /// - Returns: `nil` if `descriptor` is not such memory.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size == off_t(Self.byteCount), let words = Self.map(descriptor)
    else { return nil }
    self.descriptor = descriptor
    self.words = words
  }

  private static func map(_ descriptor: Int32) -> UnsafeMutablePointer<UInt64>? {
    let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    return memory == MAP_FAILED ? nil : memory?.bindMemory(to: UInt64.self, capacity: wordCount)
  }

  deinit {
    munmap(words, Self.byteCount)
    close(descriptor)
  }

  /// A port's row.
  public func row(_ number: Int) -> SoundingRow { SoundingRow(words: words + number * Self.rowWords) }

  /// Clears a port's notes and destinations.
  public func clear(_ number: Int) { (words + number * Self.rowWords).update(repeating: 0, count: Self.rowWords) }

  // MARK: Destinations

  /// Sets a port's destinations; those beyond 32 are left out.
  public func setDestinations(_ number: Int, _ destinations: [UInt16]) {
    let row = words + number * Self.rowWords
    let kept = destinations.prefix(Self.maximumDestinations)
    // Count first, so that a reader in between finds none rather than wrong ones.
    row[Self.countWord] = 0
    for index in 0..<Self.maximumDestinations / 4 { row[Self.countWord + 1 + index] = 0 }
    for (index, destination) in kept.enumerated() {
      row[Self.countWord + 1 + index / 4] |= UInt64(destination) << UInt64(index % 4 * 16)
    }
    row[Self.countWord] = UInt64(kept.count)
  }

  /// A port's destinations, at most 32.
  public func destinations(_ number: Int) -> [UInt16] {
    let row = words + number * Self.rowWords
    let count = Int(min(row[Self.countWord], UInt64(Self.maximumDestinations)))
    return (0..<count).map { UInt16(truncatingIfNeeded: row[Self.countWord + 1 + $0 / 4] >> UInt64($0 % 4 * 16)) }
  }

  /// Sets a port's destinations by name; names of more than `maximumNameBytes` bytes, and more than 256 names in all,
  /// are left out.
  public func setDestinations(_ number: Int, named names: [String]) {
    var places: [UInt16] = []
    for name in names {
      if let place = place(of: name, besides: places) { places.append(place) }
    }
    setDestinations(number, places)
  }

  /// The names set by `setDestinations(_:named:)`.
  public func destinationNames(_ number: Int) -> [String] { destinations(number).compactMap { self.name(Int($0)) } }

  private func name(_ place: Int) -> String? {
    guard place < Self.nameCount else { return nil }
    let name = words + Self.rowCount * Self.rowWords + place * Self.nameWords
    let count = Int(min(name[0], UInt64(Self.maximumNameBytes)))
    return String(decoding: UnsafeRawBufferPointer(start: name + 1, count: count), as: UTF8.self)
  }

  /// The index of a name, written to a free place if it is new; `nil` if there is none.
  private func place(of name: String, besides taken: [UInt16]) -> UInt16? {
    let bytes = Array(name.utf8)
    guard 1...Self.maximumNameBytes ~= bytes.count else { return nil }
    if let known = (0..<Self.nameCount).first(where: { self.name($0) == name }) { return UInt16(known) }
    let used = Set((0..<Self.rowCount).flatMap { destinations($0) } + taken)
    guard let free = (0..<Self.nameCount).first(where: { !used.contains(UInt16($0)) }) else { return nil }
    let memory = words + Self.rowCount * Self.rowWords + free * Self.nameWords
    UnsafeMutableRawPointer(memory + 1).copyMemory(from: bytes, byteCount: bytes.count)
    memory[0] = UInt64(bytes.count)
    return UInt16(free)
  }
}
