package gilmok.sinks.setup;

import gilmok.runtime.StopConfig;
import gilmok.sinks.LedgerRow;
import gilmok.sinks.Shipper;
import gilmok.sinks.SinkStatus;
import gilmok.sinks.Sinks;
import gilmok.storage.Disk;
import gilmok.storage.FileDisk;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The flush at the end of shipping: the sinks get time to deliver what they still lack. Then it
 * reports whether all required sinks have everything. If so, and only then, it leaves the file
 * {@value #MARK} in the data folder: a folder without this file must not be deleted.
 *
 * @param sinks the sinks of a node that ships; {@link #unmark} was called for it
 * @param isEarly whether it has accepted nothing since its start, and has to stop at once
 */
public record SinkFlush(SinksModule sinks, StopConfig settings, BooleanSupplier isEarly, Path data)
    implements Drainable {
  /** The file that marks a data folder as drained. */
  static final String MARK = "drained";

  private static final Logger LOG = System.getLogger("gilmok.sinks");
  private static final long LOOK_NANOS = 50_000_000L;

  @Override
  public String name() {
    return sinks.name();
  }

  /** Called when nothing is appended to the log any more except dead letters. */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    Sinks ship = sinks.sinks();
    try {
      if (settings.flush().isPositive() && !isEarly.getAsBoolean()) {
        ship.shippers().forEach(Shipper::hasten);
        await(ship);
      }
    } catch (UncheckedIOException cannot) {
      LOG.log(
          Level.WARNING,
          "the stop does not wait for the sinks; records that they lack stay in the"
              + " data folder for the next start: {0}",
          cannot.getMessage());
    } finally {
      sinks.drain(patience);
    }
    if (settings.isJudged() && !ship.statuses().isEmpty()) {
      judge(ship);
    }
  }

  private void await(Sinks ship) throws InterruptedException {
    long until = System.nanoTime() + settings.flush().toNanos();
    while (mayStillCome(ship) && System.nanoTime() - until < 0) {
      LockSupport.parkNanos(LOOK_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException("signalled to end at once");
      }
    }
  }

  /** Whether a sink lacks records that it can get without an operator's help. */
  private static boolean mayStillCome(Sinks ship) {
    for (Shipper shipper : ship.shippers()) {
      SinkStatus sink = shipper.status();
      if (sink.progress().waiting() > 0
          && sink.state() != SinkStatus.State.PAUSED
          && sink.state() != SinkStatus.State.BROKEN) {
        return true;
      }
    }
    return false;
  }

  private void judge(Sinks ship) {
    try {
      List<String> lacking = lacking(ship, settings);
      if (lacking.isEmpty()) {
        mark(data, ship);
        LOG.log(Level.INFO, "drained: the sinks have every record that was accepted here");
      } else {
        LOG.log(
            Level.WARNING,
            "not drained; these records stay in the data folder for the next start: {0}",
            String.join("; ", lacking));
      }
    } catch (IOException | UncheckedIOException cannot) {
      LOG.log(
          Level.WARNING,
          "the data folder could not be marked as drained; keep it: {0}",
          cannot.getMessage());
    }
  }

  /** Why this node is not drained, sink by sink; empty when it is. Reads a part of the log. */
  private static List<String> lacking(Sinks ship, StopConfig settings) {
    List<String> lacking = new ArrayList<>();
    for (SinkStatus sink : ship.statuses()) {
      if (settings.requires(sink.name()) && sink.progress().waiting() > 0) {
        String why = sink.fault() == null ? sink.state().name() : sink.fault().reason();
        lacking.add(
            "%,d records wait for %s (%s)".formatted(sink.progress().waiting(), sink.name(), why));
      }
    }
    for (LedgerRow row : ship.ledger().rows()) {
      if (settings.requires(row.sink()) && row.residue() != 0) {
        lacking.add("the account of %s does not add up".formatted(row.sink()));
      }
    }
    return lacking;
  }

  /** Marks a folder as drained, durably. */
  public static void mark(Path data, Sinks ship) throws IOException {
    StringBuilder text = new StringBuilder(Instant.now() + "\n");
    for (LedgerRow row : ship.ledger().rows()) {
      text.append(
          ("%s %s accepted %d = delivered %d + waiting %d + quarantined %d + skipped %d + erased %d"
                  + " + lost %d%n")
              .formatted(
                  row.sink(),
                  row.stream().label(),
                  row.accepted(),
                  row.delivered(),
                  row.waiting(),
                  row.quarantined(),
                  row.skipped(),
                  row.erased(),
                  row.lost()));
    }
    FileDisk disk = new FileDisk();
    Path draft = data.resolve(MARK + ".new");
    Files.deleteIfExists(draft);
    try (Disk.File file = disk.create(draft)) {
      file.write(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8)), 0);
      file.force();
    }
    disk.rename(draft, data.resolve(MARK));
    disk.forceFolder(data);
  }

  /** Removes the mark, durably, before anything can be accepted: a folder in use is not drained. */
  public static void unmark(Path data) throws IOException {
    if (Files.deleteIfExists(data.resolve(MARK))) {
      new FileDisk().forceFolder(data);
    }
  }
}
