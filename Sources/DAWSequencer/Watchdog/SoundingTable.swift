import DAWEngine
import Glibc

/// What sounds on each port, or is about to, and where it is heard, in memory that another process sees: the watchdog,
/// when this one is gone. One thread writes. It may name notes that never began; it never lacks one that did.
final class SoundingTable: @unchecked Sendable {
  /// For another process, that maps the same memory.
  let descriptor: Int32
  private let words: UnsafeMutablePointer<UInt64>

  /// More ports than a client of the sequencer can have.
  static let rowCount = 256
  /// Of a row: 32 words of notes, a bit each; then pedals, channels used and how many destinations, 16 bits each; then
  /// destinations, client × 256 + port, 16 bits each.
  private static let noteWords = 32
  private static let mostDestinations = 32
  private static let rowWords = noteWords + 1 + mostDestinations / 4
  private static let byteCount = rowCount * rowWords * MemoryLayout<UInt64>.size

  /// - Throws: `SequencerError.failed`.
  init() throws(SequencerError) {
    // A name for a moment only: the process that shares it inherits the descriptor, which closes when others are started.
    let name = "/daw-sounding-\(getpid())"
    descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
    shm_unlink(name)
    guard descriptor >= 0 else { throw .failed("share memory with its watchdog", String(cString: strerror(errno))) }
    guard ftruncate(descriptor, off_t(Self.byteCount)) == 0, let words = Self.map(descriptor) else {
      let problem = String(cString: strerror(errno))
      close(descriptor)
      throw .failed("share memory with its watchdog", problem)
    }
    self.words = words
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
    return memory == MAP_FAILED ? nil : memory?.bindMemory(to: UInt64.self, capacity: rowCount * rowWords)
  }

  deinit {
    munmap(words, Self.byteCount)
    close(descriptor)
  }

  private func row(_ number: Int) -> UnsafeMutablePointer<UInt64> { words + number * Self.rowWords }

  /// A message is about to be handed to the kernel.
  func add(_ message: MIDIEvent, toRow number: Int) {
    let channel = Int(message.status & 0x0f)
    if message.beginsNote {
      let note = channel * 128 + Int(message.data1 & 0x7f)
      row(number)[note / 64] |= 1 << UInt64(note % 64)
      row(number)[Self.noteWords] |= 1 << UInt64(16 + channel)
    } else if message.status & 0xf0 == 0xb0, message.data1 == 64, message.data2 >= 64 {
      row(number)[Self.noteWords] |= 1 << UInt64(channel)
    }
  }

  /// What is known now.
  func set(_ number: Int, _ port: borrowing PortAhead) {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.noteWords) { notes in
      notes.initialize(repeating: 0)
      port.forEachNote { notes[$0 / 64] |= 1 << UInt64($0 % 64) }
      for index in notes.indices { row(number)[index] = notes[index] }
    }
    let channels = port.channels
    row(number)[Self.noteWords] =
      row(number)[Self.noteWords] & ~0xffff_ffff | UInt64(channels.withPedal) | UInt64(channels.used) << 16
  }

  func setDestinations(_ number: Int, _ destinations: [SequencerAddress]) {
    let kept = destinations.prefix(Self.mostDestinations)
    let places = row(number) + Self.noteWords + 1
    for index in 0..<Self.mostDestinations / 4 { places[index] = 0 }
    for (index, address) in kept.enumerated() {
      places[index / 4] |= UInt64(address.client & 0xff) << UInt64(index % 4 * 16 + 8)
      places[index / 4] |= UInt64(address.port & 0xff) << UInt64(index % 4 * 16)
    }
    row(number)[Self.noteWords] = row(number)[Self.noteWords] & 0xffff_ffff | UInt64(kept.count) << 32
  }

  func clear(_ number: Int) { row(number).update(repeating: 0, count: Self.rowWords) }

  /// What silences each destination of a row, note by note.
  func owed(_ number: Int) -> (messages: [MIDIEvent], destinations: [SequencerAddress]) {
    let facts = row(number)[Self.noteWords]
    var messages: [MIDIEvent] = []
    func add(_ status: Int, _ data1: Int, _ data2: Int = 0) {
      messages.append(MIDIEvent(frame: 0, status: UInt8(status), data1: UInt8(data1), data2: UInt8(data2)))
    }
    for note in 0..<2_048 where row(number)[note / 64] >> UInt64(note % 64) & 1 == 1 {
      add(0x80 | note / 128, note % 128)
    }
    for channel in 0..<16 where facts >> UInt64(channel) & 1 == 1 { add(0xb0 | channel, 64) }
    for channel in 0..<16 where facts >> UInt64(16 + channel) & 1 == 1 {
      add(0xb0 | channel, 120)
      add(0xb0 | channel, 123)
    }
    let count = min(Int(facts >> 32 & 0xffff), Self.mostDestinations)
    let places = row(number) + Self.noteWords + 1
    let destinations = (0..<count).map { index in
      let packed = places[index / 4] >> UInt64(index % 4 * 16)
      return SequencerAddress(client: Int32(packed >> 8 & 0xff), port: Int32(packed & 0xff))
    }
    return (messages, destinations)
  }
}
