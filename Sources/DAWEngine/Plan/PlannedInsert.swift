/// An effect on a strip.
public struct PlannedInsert: Hashable, Sendable {
  /// It identifies the effect's memory from plan to plan.
  public var effectID: Int64
  public var setup: EffectSetup
  /// In the order of the effect's list.
  public var parameters: [Parameter]
  /// The share of the processed signal, 0 … 1, beside the unprocessed one, which has the effect's latency too; 0 is a
  /// bypass.
  public var share: Control

  public init(effectID: Int64, setup: EffectSetup, parameters: [Parameter], share: Control = .unity) {
    self.effectID = effectID
    self.setup = setup
    self.parameters = parameters
    self.share = share
  }

  /// A value of an effect's parameter over time, in the parameter's unit.
  public enum Parameter: Hashable, Sendable {
    case constant(Double)
    case curve(Curve)
    /// In a passage alone: from one value to another in a line over its frames.
    indirect case passage(from: Parameter, to: Parameter)
  }

  /// Frames by which its output lags behind its input; a bypass does not change it.
  public var latency: Int { setup.latency }
}
