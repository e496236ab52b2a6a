import DAWModel
import Foundation

extension Name {
  /// A name made from a file's name without its extension. Characters that names may not have become spaces.
  /// - Parameter other: used if nothing is left, or what references would read as an id.
  package init(ofFile path: String, orElse other: Name) {
    let stem = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    let spaced = String(
      String.UnicodeScalarView(stem.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    self = (try? Name(ofItem: spaced)) ?? other
  }
}
