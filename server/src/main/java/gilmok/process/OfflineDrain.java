package gilmok.process;

import gilmok.app.NodeLog;
import gilmok.app.ServerConfig;
import gilmok.app.Stores;
import gilmok.background.BackgroundLoops;
import gilmok.inventory.DataFolderInventory;
import gilmok.inventory.EssentialFile;
import gilmok.log.LogSettings;
import gilmok.log.SegmentOwner;
import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import gilmok.observe.SlowRequests;
import gilmok.privacy.RestoredRiders;
import gilmok.redis.Redis;
import gilmok.runtime.CloseStack;
import gilmok.runtime.StopConfig;
import gilmok.sinks.LedgerRow;
import gilmok.sinks.Shipper;
import gilmok.sinks.SinkStatus;
import gilmok.sinks.setup.SinkFlush;
import gilmok.sinks.setup.SinksModule;
import gilmok.storage.DataFolder;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The drain of a data folder into the sinks of its settings, without a server. */
final class OfflineDrain implements AutoCloseable {
  private static final int EMPTY = 0;
  private static final int SOMETHING_LEFT = 1;

  private final ServerConfig config;
  private final CloseStack closeStack = new CloseStack();
  private final NodeLog node;
  private final @Nullable Redis redis;
  private final SinksModule sinks;
  private boolean stopped;

  /**
   * Opens the folder and starts shipping; paused sinks are resumed.
   *
   * @param onLogFailure is called when the log has failed for good
   */
  OfflineDrain(ServerConfig config, Consumer<Throwable> onLogFailure)
      throws IOException, InterruptedException {
    this.config = config;
    SecureRandom random = new SecureRandom();
    InstantSource clock = InstantSource.system();
    DataFolder folder =
        DataFolder.open(config.data(), SegmentOwner::ofNewest, config.onClone(), random);
    closeStack.add(folder);
    try {
      RestoredRiders.refuse(folder.path(), new FileDisk());
      SinkFlush.unmark(folder.path());
      DataFolderInventory dataFolderInventory =
          DataFolderInventory.checked(
              folder.path(), EnumSet.of(EssentialFile.REPEATS), config.beginAnew());
      Meters meters = new Meters();
      closeStack.add(meters);
      node =
          NodeLog.open(
              config.of(LogSettings.class),
              Stores.REAL,
              folder,
              meters,
              clock,
              random,
              new Readiness(),
              BackgroundLoops.unwatched(),
              onLogFailure);
      dataFolderInventory.note();
      closeStack.add(node.log());
      redis = SinksModule.redis(config.sinks().redis(), meters, closeStack);
      sinks =
          new SinksModule(
              config.sinks(),
              folder.path(),
              new SinksModule.Means(
                  node.log(),
                  node.recordKeys(),
                  meters,
                  BackgroundLoops.unwatched(),
                  new SlowRequests(System::nanoTime), // shown nowhere
                  clock,
                  random,
                  redis,
                  closeStack),
              null);
      for (Shipper shipper : sinks.sinks().shippers()) {
        shipper.resume();
      }
    } catch (IOException | InterruptedException | RuntimeException failed) {
      closeStack.close(failed);
      throw failed;
    }
  }

  /** The status of every sink. */
  List<SinkStatus> sinks() {
    return sinks.sinks().shippers().stream().map(Shipper::status).toList();
  }

  /** Whether every required sink has received everything, or has stopped for good. */
  boolean isDone() {
    return sinks().stream()
        .allMatch(
            sink ->
                sink.progress().waiting() == 0
                    || sink.state() == SinkStatus.State.BROKEN
                    || !config.of(StopConfig.class).requires(sink.name()));
  }

  /** Stops, and prints the result of every sink. Returns the exit code. */
  int finish(PrintWriter out, PrintWriter err) throws IOException, InterruptedException {
    stop();
    int exit = EMPTY;
    for (LedgerRow row : sinks.sinks().ledger().rows()) {
      if (row.accepted() > 0) {
        out.printf(
            "%-16s %-12s accepted %,d = delivered %,d + waiting %,d + quarantined %,d + skipped"
                + " %,d + erased %,d + lost %,d%n",
            row.sink(),
            row.stream().label(),
            row.accepted(),
            row.delivered(),
            row.waiting(),
            row.quarantined(),
            row.skipped(),
            row.erased(),
            row.lost());
      }
      if (row.residue() != 0 && config.of(StopConfig.class).requires(row.sink())) {
        err.printf("gilmok: %s does not add up: residue %,d%n", row.sink(), row.residue());
        exit = SOMETHING_LEFT;
      }
    }
    for (SinkStatus sink : sinks.sinks().statuses()) {
      if (sink.progress().waiting() > 0 && config.of(StopConfig.class).requires(sink.name())) {
        boolean isNamed = sink.state() != SinkStatus.State.UNCONFIGURED;
        String why = isNamed ? ": " + sink.fault() : ", which the settings do not name";
        err.printf(
            "gilmok: %,d records wait for the sink %s%s%n",
            sink.progress().waiting(), sink.name(), why);
        exit = SOMETHING_LEFT;
      }
    }
    out.flush();
    err.flush();
    if (exit == EMPTY) {
      SinkFlush.mark(config.data(), sinks.sinks());
    }
    return exit;
  }

  /** Stops what is still running, in order. */
  @Override
  public void close() throws IOException {
    IOException unclosed = new IOException("the data folder could not be closed in order");
    try {
      stop();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    closeStack.close(unclosed);
    if (unclosed.getSuppressed().length > 0) {
      throw unclosed;
    }
  }

  private void stop() throws InterruptedException {
    if (!stopped) {
      stopped = true;
      sinks.drain(config.of(StopConfig.class).patience());
      if (redis != null) {
        redis.close();
      }
    }
  }
}
