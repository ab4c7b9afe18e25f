package gilmok.app;

import gilmok.collect.AckConfig;
import gilmok.collect.AckRule;
import gilmok.collect.AckSink;
import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import gilmok.log.Stream;
import gilmok.observe.Readiness;
import gilmok.sinks.AckPlan;
import gilmok.sinks.AckWaits;
import gilmok.sinks.Shipper;
import gilmok.sinks.setup.SinkPlan;
import gilmok.sinks.setup.SinksConfig;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Connects collecting with the sink whose acknowledgement counts in place of this node's disk. The
 * sink starts after the routes that wait for it, and before there are requests. Thread-safe.
 */
final class SinkAcks implements AckSink {
  /** What requests bring; what is invalid among it becomes a record of the quarantine. */
  private static final Set<Stream> COLLECTED =
      EnumSet.of(Stream.TRACES, Stream.ACTIONS, Stream.LOGS, Stream.QUARANTINE);

  private final AckConfig config;
  private volatile @Nullable AckWaits waits;

  SinkAcks(AckConfig config) {
    this.config = config;
  }

  /** Reports what keeps the sink from acknowledging what is collected. */
  static void check(Settings settings, AckConfig config, SinksConfig sinks, boolean hasSinks) {
    String name = config.sink();
    if (name == null) {
      return;
    }
    SinkPlan plan =
        sinks.sinks().stream()
            .filter(one -> one.common().name().equals(name))
            .findAny()
            .orElse(null);
    if (plan == null || !hasSinks) {
      settings.problem(
          config.key() + ": \"" + name + "\" is neither disk nor a sink that runs here");
    } else if (!plan.common().streams().containsAll(COLLECTED)) {
      settings.problem(
          config.key()
              + ": the sink "
              + name
              + " must ship traces, actions, logs and quarantine (sinks."
              + name
              + ".streams)");
    } else if (plan instanceof SinkPlan.Files) {
      settings.problem(config.key() + ": a sink of files is no second place: use disk");
    }
  }

  /** Who acknowledges. */
  AckRule rule() {
    return config.sink() == null
        ? AckRule.DISK
        : new AckRule(this, config.otherwise() == AckConfig.Else.DISK);
  }

  /** What the sinks need to know of it; null if this node's disk acknowledges. */
  @Nullable AckPlan plan() {
    return config.sink() == null ? null : new AckPlan(config.sink(), config.waitMax());
  }

  /**
   * The sinks have started.
   *
   * @throws InvalidSettings when the sink does not answer durably
   */
  void began(List<Shipper> shippers) {
    for (Shipper shipper : shippers) {
      AckWaits own = shipper.waits();
      if (own != null) {
        if (shipper.isDurable() == config.isUnsafe()) {
          throw new InvalidSettings(
              List.of(
                  config.isUnsafe()
                      ? config.key() + ": " + name() + " answers durably: use collect.ack"
                      : config.key()
                          + ": what "
                          + name()
                          + " acknowledges is not durable: collect.unsafe-ack allows it"));
        }
        waits = own;
      }
    }
  }

  /** What is lacking while the sink does not acknowledge; null for nothing. */
  Readiness.@Nullable Lack lack() {
    AckWaits own = waits;
    return own == null || !own.isAway()
        ? null
        : new Readiness.Lack("the sink " + name() + " does not acknowledge what is collected", true);
  }

  @Override
  public String name() {
    return String.valueOf(config.sink());
  }

  @Override
  public boolean mayWait() {
    AckWaits own = waits;
    return own != null && own.mayWait();
  }

  @Override
  public boolean isFull() {
    AckWaits own = waits;
    return own != null && own.isFull();
  }

  @Override
  public void await(long first, long last, Waiting waiting) {
    AckWaits own = waits;
    if (own == null) {
      waiting.late();
    } else {
      own.await(first, last, new Told(waiting));
    }
  }

  @Override
  public void awaitAll(long last, Waiting waiting) {
    AckWaits own = waits;
    if (own == null) {
      waiting.late();
    } else {
      own.awaitAll(last, new Told(waiting));
    }
  }

  private record Told(Waiting waiting) implements AckWaits.Waiter {
    @Override
    public void acknowledged() {
      waiting.acknowledged();
    }

    @Override
    public void late() {
      waiting.late();
    }
  }
}
