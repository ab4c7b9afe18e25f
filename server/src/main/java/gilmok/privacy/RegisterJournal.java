package gilmok.privacy;

import gilmok.storage.Disk;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the register that are not in the documents yet, on this node's disk: who looks at a
 * location waits for this, and not for the documents. Rows that come while others are forced share
 * the next fsync. The register moves them into the documents every few seconds; a row that is moved
 * twice is there once.
 *
 * <p>Files {@code 1.rows}, {@code 2.rows} and so on, never appended to after a start. Each row is a
 * frame: its length (4 bytes), the CRC32C of its bytes (4), the bytes. They have pseudonyms, never
 * a rider's id.
 *
 * <p>Thread-safe; blocks.
 */
final class RegisterJournal implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger("gilmok.privacy");
  private static final String SUFFIX = ".rows";
  private static final int FRAME_BYTES = 8;
  private static final int FILE_BYTES_MAX = 8 << 20;

  /** Most rows that are moved in one step: a transaction of some ten milliseconds. */
  private static final int STEP_ROWS_MAX = 1_000;

  private final Disk disk;
  private final Path folder;
  private final long bytesMax;
  private final AtomicLong bytes = new AtomicLong();
  private final ReentrantLock moving = new ReentrantLock();
  private final ReentrantLock writing = new ReentrantLock();

  /** Guarded by {@code writing}: the file that is appended to; null where the next begins one. */
  private Disk.@Nullable File file;

  /** Guarded by {@code writing}: the number of the last file. */
  private long number;

  private long size;
  private Group gathering = new Group();

  /** Puts rows into the documents. */
  @FunctionalInterface
  interface Target {
    /** Durable on return; rows that are there already stay as they are. */
    void put(List<RegisterRow> rows) throws IOException, InterruptedException;
  }

  /** Rows that share an fsync. Who brings the first of them writes them all; others wait for it. */
  private static final class Group {
    private final ByteArrayOutputStream frames = new ByteArrayOutputStream();
    private final CountDownLatch over = new CountDownLatch(1);
    private boolean isLed;

    /** Set before it is over. */
    private boolean isWritten;

    private @Nullable IOException failure;
  }

  /** Opens the folder, and makes it if need be. */
  RegisterJournal(Disk disk, Path folder, long bytesMax) throws IOException {
    this.disk = disk;
    this.folder = folder;
    this.bytesMax = bytesMax;
    disk.createFolder(folder);
    for (long one : numbers()) {
      number = one;
      try (Disk.File left = disk.openForReading(path(one))) {
        bytes.addAndGet(left.size());
      }
    }
  }

  /** Bytes that wait to be moved. */
  long bytes() {
    return bytes.get();
  }

  /** The bound of {@link #bytes}. */
  long bytesMax() {
    return bytesMax;
  }

  /** Appends rows; durable on return. */
  void append(List<RegisterRow> rows) throws IOException, InterruptedException {
    byte[] frames = encoded(rows);
    if (bytes.addAndGet(frames.length) > bytesMax) {
      bytes.addAndGet(-frames.length);
      throw new IOException(
          "rows of the register wait for the documents, and are more than"
              + " privacy.register-waiting-max");
    }
    Group mine;
    boolean leads;
    synchronized (this) {
      mine = gathering;
      leads = !mine.isLed;
      mine.isLed = true;
      mine.frames.writeBytes(frames);
    }
    if (leads) {
      lead(mine);
    } else {
      mine.over.await();
    }
    if (!mine.isWritten) {
      IOException failure = mine.failure;
      throw new IOException(failure == null ? "not written" : failure.getMessage(), failure);
    }
  }

  private void lead(Group group) {
    writing.lock();
    try {
      synchronized (this) {
        gathering = new Group();
      }
      write(group);
    } finally {
      writing.unlock();
      group.over.countDown();
    }
  }

  private void write(Group group) {
    try {
      Disk.File to = file == null ? begun() : file;
      to.write(ByteBuffer.wrap(group.frames.toByteArray()), size);
      to.force();
      group.isWritten = true;
      size += group.frames.size();
      if (size >= FILE_BYTES_MAX) {
        end();
      }
    } catch (IOException failed) { // what is in the file is not known: the next rows begin another
      group.failure = failed;
      bytes.addAndGet(-group.frames.size());
      end();
      if (size == 0) {
        removeUnused();
      }
    }
  }

  /** On a disk that stays full, each look would leave a file behind. */
  private void removeUnused() {
    try {
      disk.delete(path(number));
    } catch (IOException notThere) { // or it stays: it is moved as if it counted
      LOGGER.log(Level.DEBUG, "a file of the register was not removed", notThere);
    }
  }

  private Disk.File begun() throws IOException {
    number++;
    size = 0;
    Disk.File begun = disk.create(path(number));
    file = begun;
    disk.forceFolder(folder);
    return begun;
  }

  /** Ends the file that is appended to. */
  private void end() {
    Disk.File ended = file;
    file = null;
    try {
      if (ended != null) {
        ended.close();
      }
    } catch (IOException unclosed) { // what counts was forced
      LOGGER.log(Level.DEBUG, "a file of the register was not closed", unclosed);
    }
  }

  /** Moves what was appended until now; what could not be moved stays. */
  void moveTo(Target target) throws IOException, InterruptedException {
    moving.lockInterruptibly();
    try {
      long last;
      writing.lockInterruptibly();
      try {
        end();
        last = number;
      } finally {
        writing.unlock();
      }
      for (long one : numbers()) {
        if (one <= last) {
          move(one, target);
        }
      }
    } finally {
      moving.unlock();
    }
  }

  private void move(long one, Target target) throws IOException, InterruptedException {
    List<RegisterRow> rows = new ArrayList<>();
    long length;
    boolean isWhole;
    try (Disk.File from = disk.openForReading(path(one))) {
      length = from.size();
      isWhole = read(from.read(0, Math.toIntExact(length)), rows);
    }
    for (int i = 0; i < rows.size(); i += STEP_ROWS_MAX) {
      target.put(rows.subList(i, Math.min(i + STEP_ROWS_MAX, rows.size())));
    }
    if (isWhole) {
      disk.delete(path(one));
    } else {
      keepDamaged(one);
    }
    disk.forceFolder(folder);
    bytes.accumulateAndGet(length, (all, gone) -> Math.max(0, all - gone));
  }

  private void keepDamaged(long one) throws IOException {
    disk.rename(path(one), folder.resolve(one + ".torn"));
    LOGGER.log(
        Level.WARNING,
        "rows of the register at the end of {0} cannot be read: they were being written when the"
            + " machine stopped, or are damaged; the file is kept as {1}.torn",
        path(one),
        one);
  }

  /** Reads rows up to the first that is damaged; whether that is all. */
  private static boolean read(ByteBuffer from, List<RegisterRow> rows) {
    while (from.remaining() >= FRAME_BYTES) {
      int length = from.getInt();
      int sum = from.getInt();
      if (length <= 0 || length > from.remaining()) {
        return false;
      }
      byte[] row = new byte[length];
      from.get(row);
      RegisterRow read = sum(row) == sum ? decoded(row) : null;
      if (read == null) {
        return false;
      }
      rows.add(read);
    }
    return !from.hasRemaining();
  }

  private static int sum(byte[] row) {
    CRC32C sum = new CRC32C();
    sum.update(row);
    return (int) sum.getValue();
  }

  private static byte[] encoded(List<RegisterRow> rows) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream frames = new DataOutputStream(bytes);
    for (RegisterRow row : rows) {
      byte[] encoded = encoded(row);
      frames.writeInt(encoded.length);
      frames.writeInt(sum(encoded));
      frames.write(encoded);
    }
    return bytes.toByteArray();
  }

  private static byte[] encoded(RegisterRow row) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    for (String text :
        List.of(
            row.id(),
            row.kind().label(),
            row.rider(),
            row.who(),
            row.what(),
            row.purposes(),
            row.basis(),
            row.node())) {
      out.writeUTF(text);
    }
    out.writeLong(row.span().fromMillis());
    out.writeLong(row.span().toMillis());
    out.writeLong(row.span().count());
    return bytes.toByteArray();
  }

  private static @Nullable RegisterRow decoded(byte[] row) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(row))) {
      String id = in.readUTF();
      RegisterRow.Kind kind = RegisterRow.Kind.of(in.readUTF());
      String rider = in.readUTF();
      String who = in.readUTF();
      String what = in.readUTF();
      String purposes = in.readUTF();
      String basis = in.readUTF();
      String node = in.readUTF();
      RegisterRow.Span span = new RegisterRow.Span(in.readLong(), in.readLong(), in.readLong());
      return new RegisterRow(id, kind, rider, who, what, purposes, basis, span, node);
    } catch (IOException | IllegalArgumentException damaged) {
      return null;
    }
  }

  private List<Long> numbers() throws IOException {
    return disk.list(folder).stream()
        .filter(name -> name.matches("[0-9]{1,18}\\" + SUFFIX))
        .map(name -> Long.parseLong(name.substring(0, name.length() - SUFFIX.length())))
        .sorted()
        .toList();
  }

  private Path path(long one) {
    return folder.resolve(one + SUFFIX);
  }

  @Override
  public void close() {
    writing.lock();
    try {
      end();
    } finally {
      writing.unlock();
    }
  }
}
