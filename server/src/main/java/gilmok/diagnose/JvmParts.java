package gilmok.diagnose;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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

/**
 * What the JVM tells about itself, by its own beans: a container without the JDK's tools has them,
 * too. Files are made in a folder of the data folder, as its disk is watched, and deleted at once.
 */
final class JvmParts {
  /** A recording is not begun with less room: the JVM would end the process on a full disk. */
  private static final long ROOM_BYTES = 256L << 20;

  /** Events that have command lines or the environment, and so may have secrets. */
  private static final List<String> TELLING =
      List.of(
          "jdk.InitialEnvironmentVariable",
          "jdk.InitialSystemProperty",
          "jdk.JVMInformation",
          "jdk.SystemProcess");

  private static final String THREAD_DUMP = "threads.txt";
  private static final String[] NO_ARGUMENTS = {};
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private final Path data;
  private final HotSpotDiagnosticMXBean bean =
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);

  /**
   * Parts whose files are made in a folder of their own below the data folder.
   *
   * @param data the data folder
   */
  JvmParts(Path data) {
    this.data = data;
  }

  /**
   * Threads, GC, heap histogram, flags, compiler and native memory; the recording comes last. Not
   * the JVM's {@code VM.info}: it has the command line, on which there may be secrets.
   */
  List<DiagnosisPart> parts(Duration recorded, boolean hasHeap) {
    List<DiagnosisPart> parts = new ArrayList<>();
    parts.add(new DiagnosisPart(THREAD_DUMP, this::threads));
    parts.add(command("platform-threads.txt", "threadPrint"));
    parts.add(command("virtual-threads.txt", "threadVthreadScheduler"));
    parts.add(command("heap-info.txt", "gcHeapInfo"));
    parts.add(command("heap-histogram.txt", "gcClassHistogram"));
    parts.add(command("jvm-flags.txt", "vmFlags"));
    parts.add(command("jvm-version.txt", "vmVersion"));
    parts.add(command("compiler-queue.txt", "compilerQueue"));
    parts.add(command("native-memory.txt", "vmNativeMemory"));
    if (!recorded.isZero()) {
      parts.add(new DiagnosisPart("recording.jfr", out -> record(recorded, out)));
    }
    if (hasHeap) {
      parts.add(new DiagnosisPart("heap.hprof", this::heap));
    }
    return parts;
  }

  private void threads(OutputStream out) throws IOException {
    byFile(
        "threads.txt", out, file -> bean.dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN));
  }

  private void heap(OutputStream out) throws IOException {
    requireRoom(Runtime.getRuntime().totalMemory());
    byFile("heap.hprof", out, file -> bean.dumpHeap(file.toString(), true));
  }

  private void record(Duration recorded, OutputStream out)
      throws IOException, InterruptedException {
    requireRoom(ROOM_BYTES);
    try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
      recording.setName("gilmok diagnose");
      recording.setMaxSize(ROOM_BYTES / 4);
      TELLING.forEach(recording::disable);
      recording.start();
      boolean _ = NEVER.await(recorded.toMillis(), TimeUnit.MILLISECONDS); // only a pause
      recording.stop();
      byFile("recording.jfr", out, recording::dump);
    } catch (ParseException bug) {
      throw new IOException("the JVM has no settings for a recording", bug);
    }
  }

  private void requireRoom(long bytes) throws IOException {
    for (Path folder : List.of(data, Path.of(System.getProperty("java.io.tmpdir")))) {
      long free = Files.getFileStore(folder).getUsableSpace();
      if (free < bytes + ROOM_BYTES) {
        throw new IOException(
            "not done, as %s has %,d MB of room, and %,d MB may be needed"
                .formatted(folder, free >> 20, (bytes + ROOM_BYTES) >> 20));
      }
    }
  }

  /** Makes a file. */
  private interface Maker {
    void make(Path file) throws IOException;
  }

  private void byFile(String name, OutputStream out, Maker maker) throws IOException {
    Path folder = Files.createTempDirectory(data, "diagnosis-");
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
