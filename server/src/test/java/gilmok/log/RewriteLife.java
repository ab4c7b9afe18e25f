package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The life of a log whose segments are rewritten, through several crashes in the middle of it, all
 * decided by a seed. After each of them every record is as it was appended, or as the rewriting
 * makes it; and what was reported as done is done.
 */
final class RewriteLife {
  private static final Path DATA = Path.of("/data");
  private static final LogConfig CONFIG =
      new LogConfig(4096, 1900, 100, 1L << 40, Duration.ofDays(1), 8000, Duration.ofDays(1));

  private final Random random;
  private final PowerLossDisk machine;
  private final Mutant mutant;
  private final Map<Long, String> texts = new HashMap<>();
  private final List<String> story = new ArrayList<>();
  private int number;

  /** Everything up to this sequence was reported as done. */
  private long reported;

  /** What a rewriting lacks; the crashes must bring it to light. */
  enum Mutant {
    NONE,
    /** It does not force the file that it writes. */
    NO_FILE_FORCE,
    /** It does not force the folder behind the renaming. */
    NO_FOLDER_FORCE,
    /** It writes over the segment itself. */
    IN_PLACE
  }

  RewriteLife(long seed, Mutant mutant) {
    random = new Random(seed);
    machine = new PowerLossDisk(random.nextLong(), PowerLossDisk.Lie.NONE);
    this.mutant = mutant;
  }

  String story() {
    return String.join("\n", story);
  }

  void live() throws Exception {
    fill(machine.boot());
    int crashes = 1 + random.nextInt(4);
    for (int i = 0; i < crashes; i++) {
      machine.kill();
      crash(machine.boot());
      if (random.nextInt(3) == 0) {
        machine.kill();
      } else {
        machine.losePower();
      }
      PowerLossDisk.Process disk = machine.boot();
      check(disk, false);
    }
    machine.kill();
    PowerLossDisk.Process disk = machine.boot();
    try (Log log = open(disk)) {
      rewrite(log);
    }
    check(disk, true);
    LogIntegrity.check(disk, DATA);
    machine.kill();
  }

  private Log open(Disk disk) throws IOException, InterruptedException {
    AtomicLong now = new AtomicLong(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());
    LogContext context =
        new LogContext(
            disk,
            () -> Instant.ofEpochMilli(now.getAndAdd(7)),
            new Random(random.nextLong()),
            Records.KEYS,
            LogMeter.NONE,
            failure -> {});
    return Log.open(CONFIG, context, DATA, LogRig.NODE, new LogWaits(0, 3_600_000, 3_600_000));
  }

  private void fill(PowerLossDisk.Process disk) throws Exception {
    try (Log log = open(disk)) {
      append(log, 20 + random.nextInt(60));
    }
  }

  private void append(Log log, int groups) throws InterruptedException {
    for (int i = 0; i < groups; i++) {
      LogRig.awaitReady(log);
      List<String> some = new ArrayList<>();
      for (int left = 1 + random.nextInt(4); left > 0; left--) {
        String name = List.of("kept-", "gone-", "other-").get(random.nextInt(3));
        some.add(Records.text(name, number++, 20 + random.nextInt(300)));
      }
      Records.Waiting ticket = Records.append(log, Records.draft(some));
      for (int j = 0; j < some.size(); j++) {
        texts.put(ticket.first() + j, some.get(j));
      }
    }
  }

  private void crash(PowerLossDisk.Process disk) throws Exception {
    try {
      Log log = open(new RewritingDisk(disk, mutant));
      try {
        append(log, random.nextInt(4));
        LogRig.awaitReady(log);
        disk.goDownAt(1 + random.nextInt(60));
        rewrite(log);
        story.add("rewritten wholly");
      } finally {
        log.close();
      }
    } catch (IOException down) {
      story.add("down: " + down.getMessage());
      if (!disk.isDown()) {
        throw down;
      }
    }
  }

  private void rewrite(Log log) throws IOException, InterruptedException {
    log.rewriter()
        .rewrite(
            (stream, at, bytes, offset, length) -> {
              String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
              return text.startsWith("gone-")
                  ? RecordRewrite.ERASE
                  : text.startsWith("other-")
                      ? RecordRewrite.replaceBy(pseudonym(text).getBytes(StandardCharsets.UTF_8))
                      : RecordRewrite.KEEP;
            },
            (through, of, soFar) -> {
              reported = Math.max(reported, through);
              story.add("reported " + through);
            });
  }

  private static String pseudonym(String text) {
    return "p" + text.hashCode();
  }

  /** Whatever has happened: no record is lost, none is half, none comes back. */
  private void check(Disk disk, boolean isDone) throws Exception {
    try (Log log = open(disk)) {
      long next = 1;
      StreamCounts counts = new StreamCounts();
      try (LogReader reader = log.reader(1)) {
        while (reader.nextEntry()) {
          assertThat(reader.sequence()).isEqualTo(next++);
          counts.add(reader.stream());
          see(reader, isDone || reader.sequence() <= reported);
        }
      }
      assertThat(next - 1).as("records").isEqualTo(texts.size());
      assertThat(log.accepted()).isEqualTo(counts);
      for (String text : texts.values()) {
        LogRig.awaitReady(log);
        if (random.nextInt(20) == 0) {
          assertThat(Records.append(log, text).stored()).as("a repeat of %s", text).isZero();
        }
      }
      assertThat(disk.list(DATA.resolve("log"))).noneMatch(name -> name.startsWith("rewritten-"));
    }
  }

  private void see(LogReader reader, boolean isDone) {
    String was = String.valueOf(texts.get(reader.sequence()));
    String is =
        new String(reader.bytes(), reader.offset(), reader.length(), StandardCharsets.UTF_8);
    assertThat(reader.stream()).isEqualTo(Records.stream(was));
    String where = "sequence " + reader.sequence() + ", reported " + reported;
    if (was.startsWith("kept-")) {
      assertThat(is).as(where).isEqualTo(was);
    } else if (was.startsWith("gone-") && !(isDone || reader.isErased())) {
      assertThat(is).as(where).isEqualTo(was);
    } else if (was.startsWith("gone-")) {
      assertThat(reader.isErased()).as(where).isTrue();
    } else if (isDone) {
      assertThat(is).as(where).isEqualTo(pseudonym(was));
    } else {
      assertThat(is).as(where).isIn(was, pseudonym(was));
    }
  }

  /** A disk that forgets some of what a rewriting asks of it. */
  private static final class RewritingDisk extends ForwardingDisk {
    private final Disk disk;
    private final Mutant mutant;
    private boolean hasRenamed;

    RewritingDisk(Disk disk, Mutant mutant) {
      super(disk);
      this.disk = disk;
      this.mutant = mutant;
    }

    private static boolean isOfRewriting(Path path) {
      return path.getFileName().toString().startsWith(SegmentFormat.REWRITTEN_PREFIX);
    }

    @Override
    public File create(Path path) throws IOException {
      File made = disk.create(path);
      return mutant != Mutant.NO_FILE_FORCE || !isOfRewriting(path) ? made : new Unforced(made);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      if (isOfRewriting(from) && mutant == Mutant.IN_PLACE) {
        writeOver(from, to);
        return;
      }
      hasRenamed |= isOfRewriting(from);
      disk.rename(from, to);
    }

    private void writeOver(Path from, Path to) throws IOException {
      try (File source = disk.openForReading(from);
          File target = disk.open(to)) {
        for (long at = 0; at < source.size(); at += 512) {
          target.write(source.read(at, 512), at);
        }
        for (long at = source.size(); at < target.size(); at += 512) {
          int length = (int) Math.min(512, target.size() - at);
          target.write(java.nio.ByteBuffer.allocate(length), at);
        }
        target.force();
      }
      disk.delete(from);
    }

    @Override
    public void forceFolder(Path folder) throws IOException {
      if (hasRenamed && mutant == Mutant.NO_FOLDER_FORCE) {
        hasRenamed = false;
        return;
      }
      disk.forceFolder(folder);
    }
  }

  /** A file whose forces do nothing. */
  private record Unforced(Disk.File file) implements Disk.File {
    @Override
    public void write(java.nio.ByteBuffer source, long position) throws IOException {
      file.write(source, position);
    }

    @Override
    public int read(java.nio.ByteBuffer target, long position) throws IOException {
      return file.read(target, position);
    }

    @Override
    public void force() {
      // That is what it lacks.
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
