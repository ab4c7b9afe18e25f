package gilmok.storage;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A data folder that this process holds. A lock file keeps other processes out. A small text file
 * names the folder's format, the node that owns it, and the file itself as it was when written: in
 * a copy of the folder it is another file, and two servers must not assign the same record ids.
 */
public final class DataFolder implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger("gilmok.storage");
  private static final String LOCK_FILE = "gilmok.lock";

  private final Path path;
  private final Identity identity;
  private final FolderFacts facts;
  private final FileChannel lockChannel;
  private final @Nullable Object lockKey;

  private DataFolder(
      Path path,
      Identity identity,
      FolderFacts facts,
      FileChannel lockChannel,
      @Nullable Object lockKey) {
    this.path = path;
    this.identity = identity;
    this.facts = facts;
    this.lockChannel = lockChannel;
    this.lockKey = lockKey;
  }

  private record Identity(NodeId node, boolean moved) {}

  /** The action for a folder that is a copy of another node's. */
  public enum OnClone {
    /** Do not start. */
    REFUSE,
    /** It is a copy and the original is still in use: take a new id. */
    NEW_ID,
    /** It was restored or moved and the original is gone: keep the id. */
    KEEP_ID
  }

  /** Another process holds the folder, most likely a running server. */
  public static final class InUseException extends UnusableFolderException {
    private static final long serialVersionUID = 1L;

    public InUseException(String message) {
      super(message);
    }
  }

  /** The lock no longer belongs to this process, and another may be writing: write nothing more. */
  public static final class TakenException extends IOException {
    private static final long serialVersionUID = 1L;

    TakenException(Path folder) {
      super(
          folder.resolve(LOCK_FILE)
              + " was deleted or replaced: another server may use the folder, so this one stops"
              + " writing to it");
    }
  }

  /** Finds the node that wrote a log, independently of the node file. */
  @FunctionalInterface
  public interface LogOwner {
    /** The node that wrote the newest part of the log; null when none can be read. */
    @Nullable NodeId of(Path log) throws IOException;
  }

  /** Locks a folder until it is closed; makes it if it is missing. */
  public static DataFolder open(Path path, LogOwner owner, OnClone onClone, RandomGenerator random)
      throws IOException {
    return open(path, owner, onClone, random, FolderFacts.HOST);
  }

  public static DataFolder open(
      Path path, LogOwner owner, OnClone onClone, RandomGenerator random, FolderFacts facts)
      throws IOException {
    new FileDisk().createFolder(path);
    OwnerOnly.close(path);
    FileChannel lock = lock(path);
    try {
      Object key = key(path.resolve(LOCK_FILE));
      // A process that made the names may have crashed before it forced them.
      new FileDisk().forceFolder(path);
      Identity identity = identity(path, owner.of(path.resolve("log")), onClone, random, facts);
      return new DataFolder(path, identity, facts, lock, key);
    } catch (IOException | RuntimeException failed) {
      lock.close();
      throw failed;
    }
  }

  /** The folder's path. */
  public Path path() {
    return path;
  }

  /** The node that owns the folder. */
  public NodeId node() {
    return identity.node;
  }

  /**
   * Whether the folder is on another device, file system or machine than at the start before: it
   * was moved, or its disk was copied, which cannot be told apart here.
   */
  public boolean isMoved() {
    return identity.moved;
  }

  /**
   * Raises the folder's format, durably, before something is written into it that an earlier
   * version would take for damage: that version then refuses the folder and says why. Does nothing
   * if the folder has that format or a later one. From any thread; blocks.
   */
  public synchronized void raiseFormat(int format) throws IOException {
    try {
      NodeFile.Content known = NodeFile.read(path);
      if (known == null) {
        throw new IOException(path.resolve(NodeFile.NAME) + " is gone: a restart writes it again");
      }
      if (known.format() < format) {
        NodeFile.write(path, format, known.node(), known.before(), facts);
      }
    } catch (NodeFile.DamagedException damaged) {
      throw new IOException(
          path.resolve(NodeFile.NAME) + " is damaged: a restart writes it again", damaged);
    }
  }

  /** The folder's format now. From any thread; blocks. */
  public synchronized int format() throws IOException {
    try {
      NodeFile.Content known = NodeFile.read(path);
      return known == null ? NodeFile.AUDIT_FORMAT : known.format();
    } catch (NodeFile.DamagedException damaged) {
      return NodeFile.AUDIT_FORMAT; // right for both
    }
  }

  /**
   * Checks that this process still holds the lock: a lock file that is deleted or replaced lets
   * another process in. From any thread.
   *
   * @throws TakenException when the lock is lost
   */
  public void checkHeld() throws TakenException {
    try {
      Object now = key(path.resolve(LOCK_FILE));
      if (now == null || now.equals(lockKey)) {
        return;
      }
    } catch (NoSuchFileException deleted) {
      // Reported below.
    } catch (IOException unknown) {
      LOGGER.log(Level.DEBUG, "cannot look at the lock", unknown);
      return;
    }
    throw new TakenException(path);
  }

  @Override
  public void close() throws IOException {
    lockChannel.close();
  }

  private static FileChannel lock(Path folder) throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve(LOCK_FILE),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
            OwnerOnly.FILE);
    try {
      FileLock held = channel.tryLock();
      if (held != null) {
        return channel;
      }
    } catch (OverlappingFileLockException heldByThisProcess) {
      // Reported below, like a lock that another process holds.
    }
    channel.close();
    throw new InUseException(
        folder + " is in use by another Gilmok: stop that one, or start with another --data");
  }

  /** Identifies a file, whatever has its name later; null on file systems without such a key. */
  private static @Nullable Object key(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  private static Identity identity(
      Path folder,
      @Nullable NodeId logged,
      OnClone onClone,
      RandomGenerator random,
      FolderFacts facts)
      throws IOException {
    NodeFile.Content known;
    try {
      known = NodeFile.read(folder);
    } catch (NodeFile.DamagedException damaged) {
      if (logged == null) {
        throw new UnusableFolderException(
            folder.resolve(NodeFile.NAME) + " is damaged: " + damaged.getMessage());
      }
      return repaired(folder, logged, "is damaged: " + damaged.getMessage(), facts);
    }
    if (known == null) {
      return logged == null
          ? written(folder, NodeFile.FIRST_FORMAT, NodeId.random(random), null, facts)
          : repaired(folder, logged, "is missing", facts);
    }
    FolderFacts.Facts found = facts.of(folder.resolve(NodeFile.NAME));
    String doubt = doubt(folder, known, found, logged);
    if (doubt == null) {
      return same(folder, known, found, facts);
    }
    return switch (onClone) {
      case REFUSE -> throw new UnusableFolderException(doubt);
      case NEW_ID -> written(folder, known.format(), NodeId.random(random), known.node(), facts);
      case KEEP_ID -> written(folder, known.format(), known.node(), logged, facts);
    };
  }

  /**
   * Why the folder may belong to another node than its node file names; null when there is no
   * doubt.
   */
  private static @Nullable String doubt(
      Path folder, NodeFile.Content known, FolderFacts.Facts found, @Nullable NodeId logged) {
    if (!known.isOf(found)) {
      return folder
          + " is a copy of the folder of node "
          + known.node()
          + ": start with --set log.on-clone=new-id if that node lives on, or with"
          + " --set log.on-clone=keep-id if this folder took its place";
    }
    if (logged == null || logged.equals(known.node()) || logged.equals(known.before())) {
      return null;
    }
    return folder.resolve(NodeFile.NAME)
        + " says that this is node "
        + known.node()
        + ", but the newest segment is of node "
        + logged
        + ": put its own file there, or delete it to go on as "
        + logged
        + ", or start with --set log.on-clone=keep-id to go on as "
        + known.node();
  }

  private static Identity same(
      Path folder, NodeFile.Content known, FolderFacts.Facts found, FolderFacts facts)
      throws IOException {
    List<String> moved = known.moved(found);
    if (!moved.isEmpty()) {
      LOGGER.log(
          Level.WARNING,
          "{0} of node {1} is on another {2}. If it was moved, all is well. If its disk was copied"
              + " and the original is in use, stop one of them: both give out the same record ids",
          folder,
          known.node(),
          String.join("; ", moved));
    }
    if (!known.isWhole()) {
      LOGGER.log(
          Level.WARNING,
          "{0} has no checksum: it is of an earlier version or was cut short; it is written again",
          folder.resolve(NodeFile.NAME));
    }
    if (!moved.isEmpty() || !known.isWhole() || !known.facts().equals(found)) {
      NodeFile.write(folder, known.format(), known.node(), known.before(), facts);
    }
    return new Identity(known.node(), !moved.isEmpty());
  }

  private static Identity repaired(Path folder, NodeId logged, String what, FolderFacts facts)
      throws IOException {
    LOGGER.log(
        Level.WARNING,
        "{0} {1}; it is written again with node {2}, which wrote the newest segment. If this folder"
            + " is a copy and that node still runs, stop this server and start it with"
            + " log.on-clone=new-id",
        folder.resolve(NodeFile.NAME),
        what,
        logged);
    // What is in the log is not known here; the later format is right for both.
    return written(folder, NodeFile.AUDIT_FORMAT, logged, null, facts);
  }

  private static Identity written(
      Path folder, int format, NodeId node, @Nullable NodeId before, FolderFacts facts)
      throws IOException {
    NodeFile.write(folder, format, node, before, facts);
    return new Identity(node, false);
  }
}
