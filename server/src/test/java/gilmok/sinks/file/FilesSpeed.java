package gilmok.sinks.file;

import com.sun.management.ThreadMXBean;
import gilmok.config.Settings;
import gilmok.observe.Meters;
import gilmok.sinks.Batch;
import gilmok.sinks.Verdict;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Measures how fast the sink writes typical positions, alone on one thread: {@code FilesSpeed
 * FOLDER [ROUNDS]}.
 */
final class FilesSpeed {
  private static final int BATCHES = 4000;
  private static final int RECORDS = 300;

  private FilesSpeed() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    List<Batch> batches = batches();
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 4;
    for (int round = 0; round < rounds; round++) {
      for (String format : List.of("ndjson", "parquet")) {
        Path folder = Path.of(args[0], format + round);
        Settings settings =
            new Settings(
                Map.of("sinks.files.format", format, "sinks.files.folder", folder.toString()));
        FilesConfig config = FilesConfig.from(settings, "files");
        try (FilesSink sink =
            new FilesSink(
                config,
                folder,
                Records.NODE,
                new FileDisk(),
                InstantSource.system(),
                new Meters())) {
          measure(sink, batches, format, folder);
        }
      }
    }
  }

  private static void measure(FilesSink sink, List<Batch> batches, String format, Path folder)
      throws IOException, InterruptedException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long allocated = threads.getCurrentThreadAllocatedBytes();
    long cpu = threads.getCurrentThreadCpuTime();
    long begin = System.nanoTime();
    long delivered = 0;
    for (Batch batch : batches) {
      sink.send(batch);
      if (sink.release(false) instanceof Verdict.Done done) {
        delivered += done.acknowledged().total();
      }
    }
    if (sink.release(true) instanceof Verdict.Done done) {
      delivered += done.acknowledged().total();
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    double cpuMicros = (threads.getCurrentThreadCpuTime() - cpu) / 1e3;
    allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
    long bytes;
    try (var files = Files.walk(folder)) {
      bytes = files.filter(Files::isRegularFile).mapToLong(path -> path.toFile().length()).sum();
    }
    System.out.printf(
        "%-8s %,d records/s, %.2f us of processor, %.1f bytes on disk, %.1f allocated a record%n",
        format,
        Math.round(delivered / seconds),
        cpuMicros / delivered,
        (double) bytes / delivered,
        (double) allocated / delivered);
  }

  private static List<Batch> batches() {
    Records records = new Records(1);
    List<Batch> batches = new ArrayList<>();
    long sequence = 1;
    for (int i = 0; i < BATCHES; i++) {
      Batch batch = new Batch(Records.NODE);
      for (int j = 0; j < RECORDS; j++, sequence++) {
        records.position(batch, sequence, Records.TWO_PM + sequence / 300);
      }
      batches.add(batch);
    }
    return batches;
  }
}
