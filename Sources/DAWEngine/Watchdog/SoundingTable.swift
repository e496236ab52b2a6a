import Glibc

/// What sounds on each port, or is about to, and where it is heard, in memory that another process sees: the watchdog, when
/// this one is gone.
///
/// A destination is a number of 16 bits: an address of the ALSA sequencer, or the place of a name in the same memory.
public final class SoundingTable: @unchecked Sendable {
  // Unchecked: of a row, one thread at a time writes what sounds, and one where it is heard.
  /// For another process, that maps the same memory.
  let descriptor: Int32
  private let words: UnsafeMutablePointer<UInt64>

  /// Ports that it has room for: more than a client of the ALSA sequencer can have.
  public static let rowCount = 256
  /// Of a row: what sounds, then how many destinations, then these.
  private static let mostDestinations = 32
  private static let countWord = SoundingRow.wordCount
  private static let rowWords = countWord + 1 + mostDestinations / 4
  /// Behind the rows: names of destinations, each with its bytes' count.
  private static let nameCount = 256
  private static let nameWords = 1 + mostNameBytes / 8
  public static let mostNameBytes = 320
  private static let wordCount = rowCount * rowWords + nameCount * nameWords
  private static let byteCount = wordCount * MemoryLayout<UInt64>.size

  /// - Throws: `WatchdogError`.
  public init() throws(WatchdogError) {
    // A name for a moment only: the process that shares it inherits the descriptor, which closes when others are started.
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
    // Now, so that the audio thread is not the first to touch a page.
    words.update(repeating: 0, count: Self.wordCount)
  }

  /// What another process shares.
  /// - Returns: `nil` where `descriptor` is not such memory.
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

  /// What sounds on a port.
  public func row(_ number: Int) -> SoundingRow { SoundingRow(words: words + number * Self.rowWords) }

  /// Nothing sounds on a port, and it is heard nowhere.
  public func clear(_ number: Int) { (words + number * Self.rowWords).update(repeating: 0, count: Self.rowWords) }

  // MARK: Where it is heard

  public func setDestinations(_ number: Int, _ destinations: [UInt16]) {
    let row = words + number * Self.rowWords
    let kept = destinations.prefix(Self.mostDestinations)
    // Whoever looks in between finds none, rather than wrong ones.
    row[Self.countWord] = 0
    for index in 0..<Self.mostDestinations / 4 { row[Self.countWord + 1 + index] = 0 }
    for (index, destination) in kept.enumerated() {
      row[Self.countWord + 1 + index / 4] |= UInt64(destination) << UInt64(index % 4 * 16)
    }
    row[Self.countWord] = UInt64(kept.count)
  }

  public func destinations(_ number: Int) -> [UInt16] {
    let row = words + number * Self.rowWords
    let count = Int(min(row[Self.countWord], UInt64(Self.mostDestinations)))
    return (0..<count).map { UInt16(truncatingIfNeeded: row[Self.countWord + 1 + $0 / 4] >> UInt64($0 % 4 * 16)) }
  }

  /// Destinations by name; those of more than `mostNameBytes`, and more than 256 names in all, are left out.
  public func setDestinations(_ number: Int, named names: [String]) {
    var places: [UInt16] = []
    for name in names {
      if let place = place(of: name, besides: places) { places.append(place) }
    }
    setDestinations(number, places)
  }

  /// The names of `setDestinations(_:named:)`.
  public func destinationNames(_ number: Int) -> [String] { destinations(number).compactMap { self.name(Int($0)) } }

  private func name(_ place: Int) -> String? {
    guard place < Self.nameCount else { return nil }
    let name = words + Self.rowCount * Self.rowWords + place * Self.nameWords
    let count = Int(min(name[0], UInt64(Self.mostNameBytes)))
    return String(decoding: UnsafeRawBufferPointer(start: name + 1, count: count), as: UTF8.self)
  }

  /// Where a name stands, now written where it did not yet.
  private func place(of name: String, besides taken: [UInt16]) -> UInt16? {
    let bytes = Array(name.utf8)
    guard 1...Self.mostNameBytes ~= bytes.count else { return nil }
    if let known = (0..<Self.nameCount).first(where: { self.name($0) == name }) { return UInt16(known) }
    let used = Set((0..<Self.rowCount).flatMap { destinations($0) } + taken)
    guard let free = (0..<Self.nameCount).first(where: { !used.contains(UInt16($0)) }) else { return nil }
    let memory = words + Self.rowCount * Self.rowWords + free * Self.nameWords
    UnsafeMutableRawPointer(memory + 1).copyMemory(from: bytes, byteCount: bytes.count)
    memory[0] = UInt64(bytes.count)
    return UInt16(free)
  }
}
