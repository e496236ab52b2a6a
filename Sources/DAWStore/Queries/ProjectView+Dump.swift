import DAWModel
import GRDB

extension ProjectView {
  /// Every row of the model's tables as bytes: equal bytes if and only if the rows are equal.
  ///
  /// Tables in order of name, each as `T`, its name and its columns' names in their order; rows in order of id, each as
  /// `R` and its values: `N` for NULL; `I` and eight bytes; `F` and the eight bytes of a double; `S` (text) or `B`
  /// (blob), eight bytes of length, and the bytes. Names are encoded like text; numbers are little-endian.
  public func dump(_ write: (UnsafeRawBufferPointer) -> Void) throws {
    for table in Migrator.released.modelTables.sorted() {
      let rows = try Row.fetchCursor(database, sql: "SELECT * FROM \(table) ORDER BY id")
      var bytes = Array("T".utf8)
      bytes.append(text: table)
      for column in rows.columnNames { bytes.append(text: column) }
      while let row = try rows.next() {
        bytes += Array("R".utf8)
        for value in row.databaseValues { bytes.append(value) }
        bytes.withUnsafeBytes(write)
        bytes.removeAll(keepingCapacity: true)
      }
      bytes.withUnsafeBytes(write)
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self += Array("N".utf8)
    case .int64(let number):
      self += Array("I".utf8)
      append(number: UInt64(bitPattern: number))
    case .double(let number):
      self += Array("F".utf8)
      append(number: number.bitPattern)
    case .string(let text): append(text: text)
    case .blob(let blob):
      self += Array("B".utf8)
      append(number: UInt64(blob.count))
      self += blob
    }
  }

  fileprivate mutating func append(text: String) {
    self += Array("S".utf8)
    append(number: UInt64(text.utf8.count))
    self += text.utf8
  }

  fileprivate mutating func append(number: UInt64) {
    Swift.withUnsafeBytes(of: number.littleEndian) { self += $0 }
  }
}
