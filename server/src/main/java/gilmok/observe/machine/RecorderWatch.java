package gilmok.observe.machine;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.background.LowPriority;
import gilmok.observe.Meters;
import gilmok.observe.machine.FlightRecorderConfig.Mode;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What only Java's flight recorder tells, as metrics: virtual threads that are pinned, long pauses
 * of the JVM, slow forced writes. Starting it takes a second of a processor, so a loop of low
 * priority does so beside the server's work. The loop ends it when the recorder's files have no
 * room, as the JVM would end the process then, and begins again when there is room. Thread-safe.
 */
public final class RecorderWatch implements AutoCloseable {
  private static final Logger LOG = System.getLogger("gilmok.observe");
  private static final long LOOK_NANOS = 1_000_000_000L;

  /** It begins with this much room: a container's /dev/shm has 64 MiB. */
  private static final long BEGIN_BYTES = 48 << 20;

  /** It ends with less; its own files are some 2 MiB. */
  private static final long LEAST_BYTES = 16 << 20;

  private static final Duration END = Duration.ofSeconds(5);

  private final Meters meters;
  private final Path data;
  private final RecorderFolder folder;
  private final BackgroundLoop loop;
  private volatile FlightRecorderConfig config = FlightRecorderConfig.OFF;
  private volatile boolean isRunning;
  private boolean isStarted;

  /** What is in force; owned by the loop, as all below. */
  private FlightRecorderConfig inForce = FlightRecorderConfig.OFF;

  private RecorderStream.@Nullable Waits waits;
  private @Nullable AutoCloseable stream;
  private @Nullable Path place;

  /** Where the place is; kept, as finding it reads the list of all mounts. */
  private @Nullable FileStore store;

  private boolean isWaiting;
  private boolean isImpossible;

  /**
   * Not measured yet.
   *
   * @param data the data folder
   * @param node the name of the node
   */
  public RecorderWatch(Path data, String node, Meters meters, BackgroundLoops loops) {
    this(data, new RecorderFolder(Path.of("/dev/shm"), node), meters, loops);
  }

  RecorderWatch(Path data, RecorderFolder folder, Meters meters, BackgroundLoops loops) {
    this.data = data;
    this.folder = folder;
    this.meters = meters;
    loop = loops.optional("flight-recorder", "pauses and slow disks are not measured", new Work());
  }

  /** Measures from now on, or no longer. Does not wait for the start. */
  public synchronized void watch(FlightRecorderConfig next) {
    config = next;
    if (isStarted) {
      loop.wake();
    } else if (next.mode() != Mode.FALSE) {
      isStarted = true;
      loop.start();
    }
  }

  boolean isRunning() {
    return isRunning;
  }

  /** What the loop does. */
  private final class Work implements BackgroundLoop.Work {
    @Override
    public long pass() {
      return look();
    }

    @Override
    public void end() {
      RecorderWatch.this.end();
    }
  }

  private long look() {
    if (!config.equals(inForce)) {
      end();
      inForce = config;
      isImpossible = false;
      isWaiting = false;
    }
    if (inForce.mode() != Mode.FALSE && !isImpossible) {
      try {
        keep();
      } catch (LinkageError | IOException | RuntimeException none) {
        isImpossible = true;
        end();
        LOG.log(
            Level.WARNING,
            "operate.flight-recorder: Java''s flight recorder does not start, so pinned virtual"
                + " threads, pauses and slow forced writes are not measured: {0}",
            none.toString());
      }
    }
    return LOOK_NANOS;
  }

  private void keep() throws IOException {
    Path there = place;
    FileStore known = store;
    if (stream == null) {
      begin();
    } else if (known != null && known.getUsableSpace() < LEAST_BYTES) {
      end();
      isWaiting = true;
      LOG.log(
          Level.WARNING,
          "Java''s flight recorder has stopped, as {0} is nearly full: pinned virtual threads,"
              + " pauses and slow forced writes are not measured until it has room",
          String.valueOf(there));
    }
  }

  private void begin() throws IOException {
    Path there = folder.place(inForce.mode() == Mode.AUTO);
    if (there == null || RecorderFolder.room(there) < BEGIN_BYTES) {
      if (!isWaiting) {
        isWaiting = true;
        LOG.log(
            Level.INFO,
            "Java''s flight recorder does not run, as {0}: pinned virtual threads, pauses and slow"
                + " forced writes are not measured",
            there == null ? "/dev/shm is no file system in memory" : there + " has no room");
      }
      return;
    }
    LowPriority.of(() -> {}).run(); // of this thread, and of those that the recorder starts
    Path taken = folder.take(there);
    place = taken;
    store = Files.getFileStore(taken);
    if (waits == null) {
      waits = new RecorderStream.Waits(meters, data);
    }
    stream = new RecorderStream(waits);
    isRunning = true;
    isWaiting = false;
    LOG.log(Level.INFO, "Java''s flight recorder measures, with its files in {0}", place);
  }

  private void end() {
    AutoCloseable running = stream;
    stream = null;
    isRunning = false;
    place = null;
    store = null;
    try {
      if (running != null) {
        running.close();
        folder.leave();
      }
    } catch (Exception cannot) {
      LOG.log(Level.WARNING, "Java''s flight recorder does not end: {0}", cannot.toString());
    }
  }

  @Override
  public void close() {
    config = FlightRecorderConfig.OFF;
    try {
      loop.stop(END);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
