package gilmok.app;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.collect.AckConfig;
import gilmok.collect.AckRule;
import gilmok.collect.AckSink;
import gilmok.collect.RecordAppender;
import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import gilmok.event.DedupKey;
import gilmok.log.Log;
import gilmok.log.LogContext;
import gilmok.log.LogMeters;
import gilmok.log.LogSettings;
import gilmok.log.RecordKeys;
import gilmok.log.Stream;
import gilmok.log.StreamExpiry;
import gilmok.log.StreamRetention;
import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import gilmok.runtime.CloseStack;
import gilmok.sinks.AckPlan;
import gilmok.sinks.AckWaits;
import gilmok.sinks.Shipper;
import gilmok.sinks.setup.SinkPlan;
import gilmok.sinks.setup.SinksConfig;
import gilmok.storage.DataFolder;
import gilmok.storage.Disk;
import gilmok.storage.FileDisk;
import gilmok.storage.SecretFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The log of the data folder that this process owns, and the secret of its deduplication keys.
 *
 * @param disk the disk that holds it, for the files beside it
 * @param secret the secret of the deduplication keys ({@link DedupKey})
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record NodeLog(Log log, Stores stores, Disk disk, byte[] secret) {
  /**
   * Opens the log and its metrics.
   *
   * @param readiness names a log that accepts nothing: full, hung or failed
   * @param loops where its background work is watched
   * @param onFailure is called when the log has failed for good
   */
  public static NodeLog open(
      LogSettings settings,
      Stores stores,
      DataFolder folder,
      Meters meters,
      InstantSource clock,
      SecureRandom random,
      Readiness readiness,
      BackgroundLoops loops,
      Consumer<Throwable> onFailure)
      throws IOException, InterruptedException {
    Path data = folder.path();
    // The secret keeps outsiders from making two records collide. A new secret would only lose the
    // deduplication of older records.
    byte[] secret = SecretFile.of(data.resolve("repeats.secret"), DedupKey.SECRET_BYTES, random);
    Disk disk = stores.disk(new FileDisk());
    LogContext context =
        new LogContext(
            disk,
            clock,
            random,
            recordKeys(secret),
            new LogMeters(meters),
            failure -> {
              try {
                readiness.notReady("log", "the log failed for good");
              } finally { // even if memory is short, the process has to end
                onFailure.accept(failure);
              }
            });
    Log log = Log.open(settings.config(), context, folder, loops);
    readiness.condition("log-room", () -> lack(log.standstill().whyFull()));
    readiness.condition("log-commit", () -> lack(log.standstill().whyHung()));
    LogMeters.watch(meters, log, clock);
    meters.gauge(
        "gilmok_data_folder_moved",
        "1 if the data folder was found on another device, file system or machine at this start.",
        () -> folder.isMoved() ? 1 : 0);
    return new NodeLog(log, stores, disk, secret);
  }

  /** Another node can take the records: load balancers should choose that one. */
  private static Readiness.@Nullable Lack lack(@Nullable String why) {
    return why == null ? null : new Readiness.Lack(why, false);
  }

  /** Erases records of streams that are kept for a shorter time than the log. */
  void expire(
      StreamRetention retention,
      InstantSource clock,
      BackgroundLoops loops,
      CloseStack closeStack) {
    if (!retention.own().isEmpty()) {
      BackgroundLoop loop =
          loops.optional(
              "log-expiry",
              "records stay in the log for longer than settings say",
              new StreamExpiry(log, retention, clock));
      closeStack.add(() -> loop.stop(Duration.ZERO)); // what it has not done is done later
      loop.start();
    }
  }

  /** Appends collected records to the log. */
  RecordAppender acceptor() {
    return stores.acceptor(log::append);
  }

  /** The deduplication keys of this log, for one thread. */
  public RecordKeys recordKeys() {
    return recordKeys(secret);
  }

  private static RecordKeys recordKeys(byte[] secret) {
    DedupKey repeat = new DedupKey(secret);
    return (stream, bytes, offset, length, key) -> {
      repeat.hash(stream.code(), bytes, offset, length);
      key[0] = repeat.high();
      key[1] = repeat.low();
    };
  }

  /**
   * Connects collecting with the sink whose acknowledgement counts in place of this node's disk.
   * The sink starts after the routes that wait for it, and before there are requests. Thread-safe.
   */
  static final class SinkAcks implements AckSink {
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
          : new Readiness.Lack("the sink " + name() + " does not acknowledge records", true);
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
}
