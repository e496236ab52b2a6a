import DAWModel
import Foundation

extension Name {
  /// What is called after a file: the file's name without its ending. What no name may hold becomes a space.
  /// - Parameter other: where nothing is left that is a name.
  package init(ofFile path: String, orElse other: Name) {
    let stem = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    let spaced = String(
      String.UnicodeScalarView(stem.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    self = (try? Name(spaced)) ?? other
  }
}
