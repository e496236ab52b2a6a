import DAWTestSupport
import Foundation

/// What traced programs did to one folder, and what a disk may hold of it after a power cut.
///
/// The disk need not have what was not synced: any writes may be missing or torn, whatever their order, and any names.
/// A file's content is sure once `fsync` or `fdatasync` of it has returned, a name once its folder was synced. A rename
/// is there as a whole or not at all.
final class RecordedDisk {
  /// A call that this model does not know.
  struct Unknown: Error, CustomStringConvertible {
    var description: String
  }

  /// A file, more than 0, or a folder, whatever its names.
  typealias Node = Int

  static let root: Node = 0

  private static func isFolder(_ node: Node) -> Bool { node <= 0 }

  /// A change that is atomic but for torn writes.
  enum Change {
    case write(Node, offset: Int, bytes: [UInt8])
    case resize(Node, count: Int)
    /// Names given or, where there is no node, taken away.
    case names([(folder: Node, name: String, node: Node?)])
  }

  struct Event {
    var change: Change
    /// As `TracedCall` has them.
    var begin: Int
    var end: Int
    /// When it was sure: the end of the first call that synced it.
    fileprivate(set) var isSureFrom = Int.max
  }

  struct Sync {
    var node: Node
    /// `fsync`, which is ours, or `fdatasync`, which is SQLite's.
    var call: String
    var begin: Int
    var end: Int
  }

  /// Files and folders at one time.
  struct Tree {
    fileprivate(set) var contents: [Node: [UInt8]] = [:]
    fileprivate(set) var folders: [Node: [String: Node]] = [:]

    /// Every file by its path, relative to a folder; folders with a slash at the end and nothing in them.
    func files(below node: Node = RecordedDisk.root, _ prefix: String = "") -> [String: [UInt8]] {
      guard isFolder(node) else { return [prefix: contents[node] ?? []] }
      var files: [String: [UInt8]] = [:]
      for (name, child) in folders[node] ?? [:] {
        let path = prefix + name + (isFolder(child) ? "/" : "")
        if isFolder(child) { files[path] = [] }
        files.merge(self.files(below: child, path)) { $1 }
      }
      return files
    }

    /// A path of a file or folder, relative to the root and without a slash at its end.
    func path(of node: Node, below folder: Node = RecordedDisk.root) -> String? {
      if node == folder { return "" }
      for (name, child) in folders[folder] ?? [:] {
        if child == node { return name }
        if isFolder(child), let path = path(of: node, below: child) { return name + "/" + path }
      }
      return nil
    }

    func has(_ name: String, in folder: Node) -> Bool { folders[folder]?[name] != nil }

    /// Makes all of it in a folder that is there.
    func make(in folder: URL, below node: Node = RecordedDisk.root) throws {
      for (name, child) in folders[node] ?? [:] {
        let url = folder.appendingPathComponent(name)
        if isFolder(child) {
          try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
          try make(in: url, below: child)
        } else {
          try Data(contents[child] ?? []).write(to: url)
        }
      }
    }

    mutating func apply(_ change: Change) {
      switch change {
      case .write(let node, let offset, let bytes):
        let count = contents[node]?.count ?? 0
        if count < offset + bytes.count {
          contents[node, default: []] += [UInt8](repeating: 0, count: offset + bytes.count - count)
        }
        contents[node]?.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
      case .resize(let node, let size):
        let content = contents[node] ?? []
        contents[node] = content.prefix(size) + [UInt8](repeating: 0, count: max(0, size - content.count))
      case .names(let names):
        for (folder, name, node) in names { folders[folder, default: [:]][name] = node }
      }
    }
  }

  private let path: String
  let initial: Tree
  /// All that has happened, as a program sees it.
  private var now: Tree
  private(set) var events: [Event] = []
  private(set) var syncs: [Sync] = []
  private var nodeCount = 0

  private func newNode(isFolder: Bool) -> Node {
    nodeCount += 1
    return isFolder ? -nodeCount : nodeCount
  }
  private var open: [Int64: OpenFile] = [:]

  private struct OpenFile {
    var node: Node
    var position = 0
    var isAppending = false
  }

  /// - Parameter folder: as it is on the disk now. All below it is recorded, and nothing else.
  init(_ folder: URL) throws {
    path = folder.resolvingSymlinksInPath().path
    var tree = Tree()
    try Self.load(path, as: Self.root, into: &tree, &nodeCount)
    now = tree
    initial = tree
  }

  private static func load(_ path: String, as node: Node, into tree: inout Tree, _ count: inout Int) throws {
    guard isFolder(node) else {
      return tree.contents[node] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      count += 1
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder)
      let child = isFolder.boolValue ? -count : count
      tree.folders[node, default: [:]][name] = child
      try load(path + "/" + name, as: child, into: &tree, &count)
    }
  }

  // MARK: - States

  /// What the disk has for sure.
  func sure(at line: Int) -> Tree { tree { $0.isSureFrom < line } }

  /// What the programs saw.
  func seen(at line: Int) -> Tree { tree { $0.begin < line } }

  /// What the disk may have: of what was not sure, some.
  /// - Parameter share: of the changes that were not sure, how many are there, 0...1.
  func possible(at line: Int, share: Double, using generator: inout SeededGenerator) -> Tree {
    var tree = initial
    // Half the time names come in the order in which they were given, as on a file system with a log.
    var namesAreKept = Bool.random(using: &generator)
    let isOrdered = namesAreKept
    for event in events where event.begin < line {
      if event.isSureFrom < line {
        tree.apply(event.change)
        continue
      }
      let isKept = Double.random(in: 0..<1, using: &generator) < share
      switch event.change {
      case .names:
        if isOrdered {
          namesAreKept = namesAreKept && isKept
          if namesAreKept { tree.apply(event.change) }
        } else if isKept {
          tree.apply(event.change)
        }
      case .write(let node, let offset, let bytes) where isKept && Bool.random(using: &generator):
        for piece in Self.sectors(offset, bytes) where Bool.random(using: &generator) {
          tree.apply(.write(node, offset: piece.offset, bytes: piece.bytes))
        }
      default: if isKept { tree.apply(event.change) }
      }
    }
    return tree
  }

  private func tree(_ isThere: (Event) -> Bool) -> Tree {
    var tree = initial
    for event in events where isThere(event) { tree.apply(event.change) }
    return tree
  }

  /// The pieces of a write that a disk writes as a whole.
  private static func sectors(_ offset: Int, _ bytes: [UInt8]) -> [(offset: Int, bytes: [UInt8])] {
    let size = 512
    var pieces: [(Int, [UInt8])] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, (offset + start) / size * size + size - offset)
      pieces.append((offset + start, Array(bytes[start..<end])))
      start = end
    }
    return pieces
  }

  // MARK: - Recording

  /// Takes what one program did, from its start to its end.
  func record(_ calls: [TracedCall]) throws {
    open = [:]
    for call in calls where call.result >= 0 { try record(call) }
    settle()
  }

  /// Finds out anew what is sure when, as if some calls had not been made.
  func settle(without isMissing: (Sync) -> Bool = { _ in false }) {
    let syncs = Dictionary(grouping: syncs.filter { !isMissing($0) }, by: \.node)
    for index in events.indices {
      let event = events[index]
      let nodes =
        switch event.change {
        case .write(let node, _, _), .resize(let node, _): [node]
        case .names(let names): names.map(\.folder)
        }
      let ends = nodes.flatMap { syncs[$0] ?? [] }.filter { $0.begin > event.end }.map(\.end)
      events[index].isSureFrom = ends.min() ?? .max
    }
  }

  private func record(_ call: TracedCall) throws {
    switch call.name {
    case "open", "creat": try opened(call, call.path(0), flags: 1)
    case "openat": try opened(call, try place(call, 0, 1), flags: 2)
    case "close": open[call.number(0) ?? -1] = nil
    case "dup", "dup2", "dup3": open[call.result] = open[call.number(0) ?? -1]
    case "fcntl": if call.has("F_DUPFD", in: 1) || call.has("F_DUPFD_CLOEXEC", in: 1) { open[call.result] = file(call) }
    case "lseek": open[call.number(0) ?? -1]?.position = Int(call.result)
    case "read", "readv": advance(call)
    case "write", "writev":
      guard let file = file(call) else { return }
      let offset = file.isAppending ? count(file.node) : file.position
      write(call, file.node, offset)
      open[call.number(0) ?? -1]?.position = offset + Int(call.result)
    case "pwrite64": if let file = file(call) { write(call, file.node, Int(call.number(3) ?? 0)) }
    case "ftruncate": if let file = file(call) { add(.resize(file.node, count: Int(call.number(1) ?? 0)), call) }
    case "fallocate":
      guard let file = file(call) else { return }
      guard call.number(1) == 0 else { throw unknown(call) }
      let end = Int((call.number(2) ?? 0) + (call.number(3) ?? 0))
      if end > count(file.node) { add(.resize(file.node, count: end), call) }
    case "copy_file_range": try copied(call, from: 0, offset: 1, to: 2, offset: 3)
    case "sendfile": try copied(call, from: 1, offset: 2, to: 0, offset: nil)
    case "mmap":
      // The write-ahead log's index is in memory that is shared by its file; nothing in it has to outlive a power cut.
      guard call.has("PROT_WRITE", in: 2), call.has("MAP_SHARED", in: 3), let number = call.number(4),
        let file = open[number], !(now.path(of: file.node) ?? "").hasSuffix("-shm")
      else { return }
      throw unknown(call)
    case "rename": try renamed(call, call.path(0), call.path(1))
    case "renameat", "renameat2":
      if call.name == "renameat2", call.has("RENAME_EXCHANGE", in: 4) { throw unknown(call) }
      try renamed(call, place(call, 0, 1), place(call, 2, 3))
    case "link": try linked(call, call.path(0), call.path(1))
    case "linkat": try linked(call, place(call, 0, 1), place(call, 2, 3))
    case "unlink", "rmdir": removed(call, call.path(0))
    case "unlinkat": removed(call, try place(call, 0, 1))
    case "mkdir": made(call, call.path(0))
    case "mkdirat": made(call, try place(call, 0, 1))
    case "fsync", "fdatasync": if let file = file(call) { synced(file.node, call) }
    case "sync", "syncfs": for node in -nodeCount...nodeCount { synced(node, call) }
    case "ioctl", "sync_file_range": break
    case "clone", "clone3":
      guard String(decoding: call.arguments.joined(), as: UTF8.self).contains("CLONE_THREAD") else {
        throw unknown(call)
      }
    default:
      // By a path or descriptor elsewhere it does not matter what it does.
      if call.path(0).hasPrefix(path) || call.path(1).hasPrefix(path) || file(call) != nil
        || ["chdir", "fchdir", "fork", "vfork"].contains(call.name)
      {
        throw unknown(call)
      }
    }
  }

  private func unknown(_ call: TracedCall) -> Unknown {
    Unknown(description: "The model of the disk does not know what '\(call.name)' does here.")
  }

  private func file(_ call: TracedCall) -> OpenFile? { open[call.number(0) ?? -1] }

  private func count(_ node: Node) -> Int { now.contents[node]?.count ?? 0 }

  private func add(_ change: Change, _ call: TracedCall) {
    now.apply(change)
    events.append(Event(change: change, begin: call.begin, end: call.end))
  }

  private func synced(_ node: Node, _ call: TracedCall) {
    syncs.append(Sync(node: node, call: call.name, begin: call.begin, end: call.end))
  }

  private func write(_ call: TracedCall, _ node: Node, _ offset: Int) {
    add(.write(node, offset: offset, bytes: Array(call.bytes(1).prefix(Int(call.result)))), call)
  }

  private func advance(_ call: TracedCall) {
    // Of a raw call all numbers are hexadecimal.
    let number = Int64(String(decoding: call.arguments[0], as: UTF8.self).dropFirst(2), radix: 16) ?? -1
    open[number]?.position += Int(call.result)
  }

  private func copied(
    _ call: TracedCall, from source: Int, offset sourceOffset: Int, to target: Int, offset targetOffset: Int?
  ) throws {
    guard let number = call.number(target), let file = open[number] else { return }
    guard let sourceNumber = call.number(source), let from = open[sourceNumber],
      targetOffset.map({ call.has("NULL", in: $0) }) ?? true
    else { throw unknown(call) }
    // Printed as what it was and what it is: [0] => [4096].
    let given = String(decoding: call.arguments[sourceOffset], as: UTF8.self).split { "[]".contains($0) }.first
    let start = given.flatMap { Int($0) }
    if start == nil { open[sourceNumber]?.position += Int(call.result) }
    let bytes = Array((now.contents[from.node] ?? []).dropFirst(start ?? from.position).prefix(Int(call.result)))
    add(.write(file.node, offset: file.position, bytes: bytes), call)
    open[number]?.position += bytes.count
  }

  // MARK: Names

  /// A path that is given by a folder's descriptor and a path below it.
  private func place(_ call: TracedCall, _ folder: Int, _ path: Int) throws -> String {
    let below = call.path(path)
    guard !below.hasPrefix("/"), !call.has("AT_FDCWD", in: folder) else { return below }
    guard let file = open[call.number(folder) ?? -1] else { return "/" }
    return self.path + "/" + (now.path(of: file.node) ?? "") + "/" + below
  }

  /// The folder that a path's last part lies in, and that part; `nil` for what is not below the root.
  private func resolve(_ path: String) -> (folder: Node, name: String)? {
    let absolute = path.hasPrefix("/") ? path : self.path + "/" + path
    let parts = absolute.split(separator: "/").filter { $0 != "." }
    let root = self.path.split(separator: "/")
    guard parts.starts(with: root), let last = parts.last, parts.count > root.count else { return nil }
    var folder = Self.root
    for part in parts.dropFirst(root.count).dropLast() {
      guard let next = now.folders[folder]?[String(part)], Self.isFolder(next) else { return nil }
      folder = next
    }
    return (folder, String(last))
  }

  private func node(_ path: String) -> Node? {
    let absolute = path.hasPrefix("/") ? path : self.path + "/" + path
    if absolute.split(separator: "/").filter({ $0 != "." }) == self.path.split(separator: "/") { return Self.root }
    return resolve(path).flatMap { now.folders[$0.folder]?[$0.name] }
  }

  private func opened(_ call: TracedCall, _ path: String, flags: Int) throws {
    open[call.result] = nil
    if call.has("O_TMPFILE", in: flags), resolve(path) != nil { throw unknown(call) }
    var found = node(path)
    if found == nil, let (folder, name) = resolve(path) {
      guard call.name == "creat" || call.has("O_CREAT", in: flags) else { throw unknown(call) }
      let node = newNode(isFolder: false)
      add(.names([(folder, name, node)]), call)
      found = node
    }
    guard let found else { return }
    if call.name == "creat" || call.has("O_TRUNC", in: flags), count(found) > 0 { add(.resize(found, count: 0), call) }
    open[call.result] = OpenFile(node: found, isAppending: call.has("O_APPEND", in: flags))
  }

  private func renamed(_ call: TracedCall, _ old: String, _ new: String) throws {
    switch (resolve(old), resolve(new)) {
    case (nil, nil): return
    case (let from?, let to?):
      guard let node = now.folders[from.folder]?[from.name] else { throw unknown(call) }
      add(.names([(from.folder, from.name, nil), (to.folder, to.name, node)]), call)
    default: throw unknown(call)
    }
  }

  private func linked(_ call: TracedCall, _ old: String, _ new: String) throws {
    guard let to = resolve(new) else { return }
    guard let node = node(old) else { throw unknown(call) }
    add(.names([(to.folder, to.name, node)]), call)
  }

  private func removed(_ call: TracedCall, _ path: String) {
    if let (folder, name) = resolve(path) { add(.names([(folder, name, nil)]), call) }
  }

  private func made(_ call: TracedCall, _ path: String) {
    guard let (folder, name) = resolve(path) else { return }
    add(.names([(folder, name, newNode(isFolder: true))]), call)
  }
}
