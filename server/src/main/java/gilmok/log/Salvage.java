package gilmok.log;

import gilmok.storage.Checkpoint;
import gilmok.storage.DataFolder;
import gilmok.storage.FileDisk;
import gilmok.storage.FolderFacts;
import gilmok.storage.FolderTree;
import gilmok.storage.NodeFile;
import gilmok.storage.NodeId;
import gilmok.storage.UnusableFolderException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Copies the sound records of a damaged data folder into a new one. Every record keeps its id. What
 * is missing is counted, and stays missing for every reader ({@link Cursor#lost}). The source is
 * only read. The new folder is a node of its own, so that no id is ever assigned twice, whatever is
 * missing at the end.
 *
 * <p>Not thread-safe: for one thread.
 */
public final class Salvage {
  private static final String LOG = "log";
  private static final String CURSORS = "cursors";
  private static final String SNAPSHOTS = "snapshots";
  private static final String REPEATS = "repeats";
  private static final String LOCK = "gilmok.lock";

  /** Files that are made anew, or belong to the old process only. */
  private static final Set<String> NOT_COPIED = Set.of(LOG, LOCK, NodeFile.NAME, "drained");

  private final FileDisk disk = new FileDisk();
  private final Path source;
  private final Path target;
  private final Path beside;
  private final RandomGenerator random;
  private final List<String> leftOut = new ArrayList<>();

  private Salvage(Path source, Path target, RandomGenerator random) {
    this.source = source;
    this.target = target;
    this.beside = target.resolveSibling(target.getFileName() + ".unfinished");
    this.random = random;
  }

  /**
   * The result of a salvage.
   *
   * @param was the node that owned the damaged folder; null if nothing names it
   * @param node the node of the new folder
   * @param records how many records the new log has, by stream
   * @param missing the ranges that were there and are lost, ascending
   * @param leftOut files beside the log that could not be copied, and why
   */
  public record Result(
      @Nullable NodeId was,
      NodeId node,
      StreamCounts records,
      List<Missing> missing,
      List<String> leftOut) {
    /** Whether everything was copied. */
    public boolean isComplete() {
      return missing.isEmpty() && leftOut.isEmpty();
    }
  }

  /**
   * The records missing in one place.
   *
   * @param counts how many of each stream
   * @param streamsKnown false if only the total is known: all are then counted as the commonest
   *     stream
   */
  public record Missing(LostRange range, StreamCounts counts, boolean streamsKnown) {}

  /**
   * Makes a new data folder from the sound records of a damaged one.
   *
   * @param source the damaged folder, which no server may hold
   * @param target must not exist
   * @throws UnusableFolderException when one of these does not hold; the message says what to do
   */
  public static Result run(Path source, Path target, RandomGenerator random) throws IOException {
    Salvage salvage = new Salvage(source.toAbsolutePath(), target.toAbsolutePath(), random);
    salvage.checkPlaces();
    FileChannel lock = salvage.holdSource();
    try {
      return salvage.run();
    } finally {
      if (lock != null) {
        lock.close();
      }
    }
  }

  private Result run() throws IOException {
    disk.createFolder(beside.resolve(LOG));
    NodeFile.Content found = nodeFile();
    NodeId said = found == null ? null : found.node();
    SalvageScan scan = SalvageScan.of(disk, source.resolve(LOG), said == null ? random() : said);
    long begin = begin();
    SalvageAccount account = new SalvageAccount(begin);
    scan.read(begin, account);
    account.end(known());
    NodeId newest = scan.newestNode();
    try (SalvageWriter writer =
        new SalvageWriter(
            disk,
            beside.resolve(LOG),
            random,
            account.gaps(),
            account.skipped(),
            begin,
            account.before())) {
      scan.read(begin, writer);
      writer.end(account.next(), newest == null ? random() : newest);
    }
    copyRest();
    NodeId node = random();
    int format = found == null ? NodeFile.AUDIT_FORMAT : found.format();
    NodeFile.write(beside, format, node, newest, FolderFacts.HOST);
    disk.rename(beside, target);
    disk.forceFolder(FolderTree.parent(target));
    List<Missing> missing =
        account.gaps().stream()
            .map(gap -> new Missing(gap.range(), gap.counts(), gap.streamsKnown()))
            .toList();
    return new Result(newest == null ? said : newest, node, account.found(), missing, leftOut);
  }

  private void checkPlaces() throws IOException {
    if (!Files.isDirectory(source.resolve(LOG))) {
      throw new UnusableFolderException(source + " is no data folder: it has no log");
    }
    if (target.normalize().startsWith(source.normalize())) {
      throw new UnusableFolderException(
          target + " lies in the folder that is read: choose another place");
    }
    for (Path place : List.of(target, beside)) {
      if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
        throw new UnusableFolderException(
            place + " is there, and nothing is written over: choose another, or move it away");
      }
    }
  }

  /** Takes a shared lock, which writes nothing. Null when there is no file to lock. */
  private @Nullable FileChannel holdSource() throws IOException {
    Path file = source.resolve(LOCK);
    if (!Files.exists(file)) {
      return null;
    }
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    try {
      FileLock held = channel.tryLock(0, Long.MAX_VALUE, true);
      if (held != null) {
        return channel;
      }
    } catch (OverlappingFileLockException heldByThisProcess) {
      // Reported below, like a lock that another process holds.
    }
    channel.close();
    throw new DataFolder.InUseException(source + " is in use by a running Gilmok: stop that first");
  }

  private NodeId random() {
    return NodeId.random(random);
  }

  /** The node file of the source; null when it is missing or damaged. */
  private NodeFile.@Nullable Content nodeFile() throws IOException {
    try {
      return NodeFile.read(source);
    } catch (NodeFile.DamagedException damaged) {
      return null;
    }
  }

  /**
   * The sequence at which the log begins: that of its oldest file name or, if it is lower, the one
   * after the cursor that is furthest behind.
   */
  private long begin() throws IOException {
    long oldest =
        disk.list(source.resolve(LOG)).stream()
            .filter(SegmentFormat::isSegment)
            .mapToLong(SegmentFormat::firstSequence)
            .min()
            .orElse(1);
    return cursors().map(cursor -> cursor + 1).reduce(oldest, Math::min);
  }

  /**
   * The furthest sequence that cursors and the deduplication snapshot show to have been durable.
   */
  private long known() throws IOException {
    long repeats = sequence(source.resolve(SNAPSHOTS).resolve(REPEATS));
    return Math.max(cursors().max().orElse(0), repeats);
  }

  /** The sequences of the sound cursors. */
  private LongStream cursors() throws IOException {
    Path folder = source.resolve(CURSORS);
    List<String> names = Files.isDirectory(folder) ? disk.list(folder) : List.of();
    return names.stream()
        .filter(name -> name.endsWith(".cursor"))
        .mapToLong(name -> sequence(folder.resolve(name)))
        .filter(sequence -> sequence >= 0);
  }

  /** The sequence at the start of a checkpoint; -1 when it is missing or damaged. */
  private long sequence(Path checkpoint) {
    try {
      byte[] content =
          Files.exists(checkpoint) ? new Checkpoint(disk, checkpoint).readBytes() : null;
      return content == null || content.length < Long.BYTES ? -1 : BigEndian.getLong(content, 0);
    } catch (IOException unreadable) {
      return -1;
    }
  }

  private void copyRest() throws IOException {
    List<Path> files;
    try (Stream<Path> walked = Files.walk(source)) {
      files = walked.filter(path -> !path.equals(source)).toList();
    }
    for (Path path : files) {
      Path within = source.relativize(path);
      if (isCopied(within)) {
        try {
          copy(path, beside.resolve(within));
        } catch (IOException cannot) {
          leftOut.add(within + ": " + cannot.getMessage());
        }
      }
    }
  }

  private static boolean isCopied(Path within) {
    Path name = within.getFileName();
    // A phone that sends a missing record again must not be answered that it is a repeat.
    return !NOT_COPIED.contains(within.getName(0).toString())
        && !within.equals(Path.of(SNAPSHOTS, REPEATS))
        && (name == null || !name.toString().endsWith(".tmp"));
  }

  private void copy(Path from, Path to) throws IOException {
    if (Files.isDirectory(from, LinkOption.NOFOLLOW_LINKS)) {
      disk.createFolder(to);
    } else if (Files.isRegularFile(from, LinkOption.NOFOLLOW_LINKS)) {
      Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
      try (FileChannel channel = FileChannel.open(to, StandardOpenOption.READ)) {
        channel.force(true);
      }
      disk.forceFolder(FolderTree.parent(to));
    } else {
      leftOut.add(source.relativize(from) + ": neither a file nor a folder");
    }
  }
}
