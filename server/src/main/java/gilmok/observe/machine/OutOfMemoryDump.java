package gilmok.observe.machine;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.VMOption;
import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lets the JVM write a heap dump before it ends for lack of memory, as long as the data folder's
 * disk has room for it and no earlier dump is there. Only in a process that ends then ({@code
 * -XX:+ExitOnOutOfMemoryError}), and unless the operator has chosen a path.
 */
public final class OutOfMemoryDump implements AutoCloseable {
  /** The folder of dumps, in the data folder. */
  public static final String FOLDER = "heap-dumps";

  private static final Logger LOG = System.getLogger("gilmok.observe");
  private static final String ENDS = "ExitOnOutOfMemoryError";
  private static final String DUMPS = "HeapDumpOnOutOfMemoryError";
  private static final String PATH = "HeapDumpPath";
  private static final String SUFFIX = ".hprof";
  private static final long LOOK_NANOS = 15_000_000_000L;
  private static final long SPARE_BYTES = 1L << 30;
  private static final Duration END = Duration.ofMillis(100);

  private final HotSpotDiagnosticMXBean bean =
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
  private final Path folder;
  private final BackgroundLoop loop;

  /** Where the folder is; kept, as finding it reads the list of all mounts. */
  private @Nullable FileStore store;

  /** Whether the JVM would write a dump now. */
  private boolean isOn;

  /** Looks for room from now on. Says so when there is a dump of an earlier process. */
  public OutOfMemoryDump(Path data, BackgroundLoops loops) throws IOException {
    folder = data.resolve(FOLDER).toAbsolutePath();
    loop = loops.optional("heap-dump", "no heap dump is written when memory runs out", this::look);
    Optional<Path> earlier = earlier();
    if (earlier.isPresent()) {
      LOG.log(
          Level.WARNING,
          "an earlier process ran out of memory and left {0}: move it away, as no other one is"
              + " written while it is there; it has keys and customers'' addresses",
          earlier.get());
    }
    if (isOurs()) {
      loop.start();
    }
  }

  /** Whether the process ends without memory, and nobody has chosen what is dumped where. */
  private boolean isOurs() {
    VMOption path = bean.getVMOption(PATH);
    return Boolean.parseBoolean(bean.getVMOption(ENDS).getValue())
        && path.getOrigin() == VMOption.Origin.DEFAULT
        && bean.getVMOption(DUMPS).getOrigin() == VMOption.Origin.DEFAULT;
  }

  private long look() throws IOException {
    long needed = Runtime.getRuntime().maxMemory() + SPARE_BYTES;
    FileStore known = store == null ? Files.getFileStore(folder.getParent()) : store;
    store = known;
    boolean hasRoom = known.getUsableSpace() > needed && earlier().isEmpty();
    if (hasRoom) {
      Files.createDirectories(folder);
    }
    if (hasRoom != isOn) {
      bean.setVMOption(PATH, folder.resolve(ProcessHandle.current().pid() + SUFFIX).toString());
      bean.setVMOption(DUMPS, Boolean.toString(hasRoom));
      isOn = hasRoom;
    }
    return LOOK_NANOS;
  }

  private Optional<Path> earlier() throws IOException {
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(SUFFIX)).findFirst();
    }
  }

  @Override
  public void close() {
    try {
      loop.stop(END);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
