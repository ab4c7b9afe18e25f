package gilmok.observe.machine;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Where Java's flight recorder keeps its files: a folder of this node alone, in memory, if there is
 * a file system for that. Its lock tells whether the process that made it still runs; what a killed
 * one left is removed by the node's next start. Not thread-safe.
 */
final class RecorderFolder {
  private static final String LOCK = "lock";
  private static final String REPOSITORY = "jdk.jfr.repository";
  private static final FileAttribute<?> OWN =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final Set<OpenOption> OPEN =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

  private final Path memory;
  private final Path folder;
  private @Nullable FileChannel lock;

  /** Whether this, and nobody else, has chosen where the recorder's files are. */
  private boolean isOurs;

  /**
   * Not made yet.
   *
   * @param memory where a file system in memory is looked for
   * @param node the name of the node, which no other one has
   */
  RecorderFolder(Path memory, String node) {
    this.memory = memory;
    this.folder = memory.resolve("gilmok-recorder-" + node);
  }

  /**
   * Where the recorder's files are, or would be; null if they may be in memory alone and there is
   * none.
   */
  @Nullable Path place(boolean isMemoryOnly) throws IOException {
    if (lock != null) {
      return folder;
    }
    if (FlightRecorder.isInitialized() && !isOurs) { // somebody else has chosen
      String chosen = System.getProperty(REPOSITORY);
      Path there = chosen == null ? temporary() : Path.of(chosen);
      return isMemoryOnly && !isInMemory(there) ? null : there;
    }
    return isInMemory(memory) && Files.isWritable(memory)
        ? memory
        : isMemoryOnly ? null : temporary();
  }

  /**
   * Makes the folder, if its file system is the place, and tells the recorder.
   *
   * @return where the recorder's files are from now on
   */
  Path take(Path place) throws IOException {
    if (lock == null && place.equals(memory)) {
      lock = locked();
      empty();
    }
    if (lock == null) {
      return place;
    }
    configure(folder);
    isOurs = true;
    return folder;
  }

  private FileChannel locked() throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(folder, OWN);
    }
    FileChannel channel = FileChannel.open(folder.resolve(LOCK), OPEN);
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException ofThisProcess) {
      // the same
    }
    channel.close();
    throw new IOException(folder + " is in use by another server");
  }

  /** Removes what is there but the lock; links are removed, not followed. */
  private void empty() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
      for (Path one : deepestFirst) {
        if (!one.equals(folder) && !one.equals(folder.resolve(LOCK))) {
          Files.deleteIfExists(one);
        }
      }
    }
  }

  /**
   * Small files, so that few bytes are kept; the depth of stacks stays as it is, for recordings
   * that others make.
   */
  private static void configure(Path repository) throws IOException {
    String[] arguments = {"repositorypath=\"" + repository + "\"", "maxchunksize=1M"};
    try {
      Object _ =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "jfrConfigure",
                  new Object[] {arguments},
                  new String[] {String[].class.getName()});
    } catch (JMException none) {
      throw new IOException("this JVM does not take the recorder's folder", none);
    }
  }

  /** What is free at a place. */
  static long room(Path place) throws IOException {
    return Files.getFileStore(place).getUsableSpace();
  }

  private static boolean isInMemory(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return false;
    }
    FileStore store = Files.getFileStore(path);
    return store.type().equals("tmpfs") || store.type().equals("ramfs");
  }

  private static Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /**
   * Removes the folder, unless somebody else is still recording there. Whoever records later does
   * so among the temporary files.
   */
  void leave() throws IOException {
    FileChannel held = lock;
    if (held != null) {
      configure(temporary());
      if (FlightRecorder.getFlightRecorder().getRecordings().isEmpty()) {
        lock = null;
        try (held) {
          empty();
          Files.deleteIfExists(folder.resolve(LOCK));
          Files.deleteIfExists(folder);
        }
      }
    }
  }
}
