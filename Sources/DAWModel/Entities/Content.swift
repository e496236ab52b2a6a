/// Rows that are kept by the row that they belong to, of which there may be millions: notes and events of regions,
/// points of lanes.
public protocol Content: Entity {
  associatedtype Owner: Entity
  /// The second column of the table refers to it.
  var owner: Identifier<Owner> { get }
  /// Ticks or flicks. An owner's rows are in order of place and then of id.
  var place: Int64 { get }
  static var contents: ContentCollection<Self> { get }
}

/// Where a project keeps rows by their owner.
public typealias ContentCollection<C: Content> = any WritableKeyPath<Project, [Identifier<C.Owner>: [C]]> & Sendable

extension Content {
  public static var collection: RowCollection<Self>? { nil }

  /// Whether it comes before another row of its owner.
  public func precedes(_ other: Self) -> Bool { (place, id.rawValue) < (other.place, other.id.rawValue) }
}
