import DAWBounce
import DAWEngine
import DAWInstruments

extension Failure {
  init(_ error: BounceError) {
    switch error {
    case .cancelled: self.init(.interrupted, code: "interrupted", "Interrupted. Nothing was written.")
    case .sink(let error): self.init(error)
    case .stream(let error):
      switch error {
      case .unreadable: self.init(.io, code: "io", "\(error) Nothing was written.")
      case .cutShort: self.init(.invalid, code: "changed", "\(error) Nothing was written.")
      case .instrument: self.init(.unavailable, code: "instrument", "\(error) Nothing was written.")
      case .stopped: self.init(.interrupted, code: "interrupted", "Interrupted. Nothing was written.")
      // A bounce asks in order, and has no such limits.
      case .tooManyRegions, .tooManyInstruments, .tooFarAhead: self.init(.internal, code: "internal", "\(error)")
      }
    }
  }
}
