package gilmok.diagnose;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.ObjectName;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/**
 * What the JVM tells about itself, by its own beans: a container without the JDK's tools has them,
 * too. Files are made in a folder of the data folder, as its disk is watched, and deleted at once.
 */
final class JvmParts {
  private static final Logger LOG = System.getLogger("gilmok.diagnose");

  /**
   * What is left free of a disk, or a quarter of a smaller one: the JVM would end the process if a
   * recording met a full disk. One is begun with twice as much, and ended early below it.
   */
  private static final long SPARE_BYTES = 256L << 20;

  private static final long RECORDING_BYTES_MAX = 64L << 20;
  private static final long LOOK_MILLIS = 50;

  /** Events that have command lines or the environment, and so may have secrets. */
  private static final List<String> TELLING =
      List.of(
          "jdk.InitialEnvironmentVariable",
          "jdk.InitialSystemProperty",
          "jdk.JVMInformation",
          "jdk.SystemProcess");

  private static final String FOLDER = "diagnosis-";
  private static final String THREADS = "threads.txt";
  private static final String HEAP = "heap.hprof";
  private static final String RECORDING = "recording.jfr";
  private static final String[] NO_ARGUMENTS = {};
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private final Path data;
  private final HotSpotDiagnosticMXBean bean =
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);

  /**
   * Parts whose files are made in a folder of their own below the data folder. Removes such folders
   * of an earlier process, which was killed.
   *
   * @param data the data folder
   */
  JvmParts(Path data) {
    this.data = data.toAbsolutePath(); // the JVM asks for that
    try {
      removeLeft(data);
    } catch (IOException cannot) {
      LOG.log(
          Level.WARNING,
          "what a diagnosis of an earlier process has left stays: {0}",
          cannot.toString());
    }
  }

  /**
   * Threads, GC, heap histogram, flags, compiler and native memory; the recording comes last. Not
   * the JVM's {@code VM.info}: it has the command line, on which there may be secrets.
   */
  List<DiagnosisPart> parts(Duration recorded, boolean hasHeap) {
    List<DiagnosisPart> parts = new ArrayList<>();
    parts.add(new DiagnosisPart(THREADS, this::threads));
    parts.add(command("platform-threads.txt", "threadPrint"));
    parts.add(command("virtual-threads.txt", "threadVthreadScheduler"));
    parts.add(command("heap-info.txt", "gcHeapInfo"));
    parts.add(command("heap-histogram.txt", "gcClassHistogram"));
    parts.add(command("jvm-flags.txt", "vmFlags"));
    parts.add(command("jvm-version.txt", "vmVersion"));
    parts.add(command("compiler-queue.txt", "compilerQueue"));
    parts.add(command("native-memory.txt", "vmNativeMemory"));
    if (!recorded.isZero()) {
      parts.add(new DiagnosisPart(RECORDING, out -> record(recorded, out)));
    }
    if (hasHeap) {
      parts.add(new DiagnosisPart(HEAP, this::heap));
    }
    return parts;
  }

  private void threads(OutputStream out) throws IOException {
    byFile(THREADS, out, file -> bean.dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN));
  }

  private void heap(OutputStream out) throws IOException {
    long _ = requireRoom(data, Runtime.getRuntime().totalMemory());
    byFile(HEAP, out, file -> bean.dumpHeap(file.toString(), true));
  }

  private void record(Duration recorded, OutputStream out)
      throws IOException, InterruptedException {
    Path chosen = repository();
    long _ = requireRoom(data, RECORDING_BYTES_MAX);
    long room = requireRoom(chosen, spare(chosen));
    try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
      recording.setName("gilmok diagnose");
      recording.setMaxSize(Math.min(RECORDING_BYTES_MAX, (room - spare(chosen)) / 2));
      TELLING.forEach(recording::disable);
      recording.start();
      long began = System.nanoTime();
      Path full = fullWithin(recorded, List.of(data, repository()), out);
      recording.stop();
      byFile(RECORDING, out, recording::dump);
      if (full != null) {
        throw new IOException(
            "ended after %d s, as %s was nearly full"
                .formatted(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began), full));
      }
    } catch (ParseException bug) {
      throw new IOException("the JVM has no settings for a recording", bug);
    }
  }

  /**
   * Waits; comes back earlier if a disk is nearly full, and says which.
   *
   * @throws IOException when nobody reads {@code out} any more
   */
  private static @Nullable Path fullWithin(Duration wait, List<Path> folders, OutputStream out)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + wait.toNanos();
    while (System.nanoTime() - end < 0) {
      for (Path folder : folders) {
        if (Files.getFileStore(folder).getUsableSpace() < spare(folder)) {
          return folder;
        }
      }
      out.flush();
      boolean _ = NEVER.await(LOOK_MILLIS, TimeUnit.MILLISECONDS); // only a pause
    }
    return null;
  }

  /** Where the JVM records: in the folder of temporary files, unless it was told otherwise. */
  private static Path repository() {
    String chosen = System.getProperty("jdk.jfr.repository");
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    return chosen == null || !Files.isDirectory(Path.of(chosen)) ? temporary : Path.of(chosen);
  }

  private static long spare(Path folder) throws IOException {
    return Math.min(SPARE_BYTES, Files.getFileStore(folder).getTotalSpace() / 4);
  }

  /** What a folder's disk has, which is enough for so many bytes and what is to be left. */
  private static long requireRoom(Path folder, long bytes) throws IOException {
    long free = Files.getFileStore(folder).getUsableSpace();
    long needed = bytes + spare(folder);
    if (free < needed) {
      throw new IOException(
          "not done, as %s has %,d MB of room, and %,d MB may be needed"
              .formatted(folder, free >> 20, needed >> 20));
    }
    return free;
  }

  /** Removes what a process that was killed has left there. */
  private static void removeLeft(Path data) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(data, FOLDER + "*")) {
      for (Path folder : all) {
        if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
          for (String file : List.of(THREADS, HEAP, RECORDING)) {
            Files.deleteIfExists(folder.resolve(file));
          }
          Files.delete(folder);
        }
      }
    }
  }

  /** Makes a file. */
  private interface Maker {
    void make(Path file) throws IOException;
  }

  private void byFile(String name, OutputStream out, Maker maker) throws IOException {
    Path folder = Files.createTempDirectory(data, FOLDER);
    Path file = folder.resolve(name);
    try {
      maker.make(file);
      Files.copy(file, out);
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder);
    }
  }

  /** The answer of one of the JVM's diagnostic commands, of which {@code jcmd} is a client. */
  private static DiagnosisPart command(String file, String operation) {
    return new DiagnosisPart(
        file, out -> out.write(answer(operation).getBytes(StandardCharsets.UTF_8)));
  }

  private static String answer(String operation) throws IOException {
    try {
      ObjectName name = new ObjectName("com.sun.management:type=DiagnosticCommand");
      boolean hasArguments = !operation.equals("threadVthreadScheduler");
      return (String)
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  name,
                  operation,
                  hasArguments ? new Object[] {NO_ARGUMENTS} : new Object[0],
                  hasArguments ? new String[] {String[].class.getName()} : new String[0]);
    } catch (JMException none) {
      throw new IOException("this JVM does not answer " + operation, none);
    }
  }
}
