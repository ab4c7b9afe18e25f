package gilmok.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A data folder held by this process. A lock file keeps others out; a small text file says which
 * format the folder has, whose it is, and which file it was when it was written: a copy of the
 * folder is another file, and two servers must not give out the same record ids.
 */
public final class DataFolder implements AutoCloseable {
  private static final String LOCK_FILE = "gilmok.lock";

  private static final String NODE_FILE = "node";
  private static final int FORMAT = 1;

  private final Path path;
  private final NodeId node;
  private final FileChannel lockChannel;

  private DataFolder(Path path, NodeId node, FileChannel lockChannel) {
    this.path = path;
    this.node = node;
    this.lockChannel = lockChannel;
  }

  /** What to do with a folder that is a copy of another node's. */
  public enum OnClone {
    /** Do not start. */
    REFUSE,
    /** It is a copy and the original lives on: take a new id. */
    NEW_ID,
    /** It was restored or moved and the original is gone: keep the id. */
    KEEP_ID
  }

  /** The folder cannot be used; the message says why and what to do. */
  public static class UnusableException extends IOException {
    private static final long serialVersionUID = 1L;

    UnusableException(String message) {
      super(message);
    }
  }

  /** Another process holds the folder, most likely a running server. */
  public static final class InUseException extends UnusableException {
    private static final long serialVersionUID = 1L;

    InUseException(String message) {
      super(message);
    }
  }

  /** Takes a folder, made if it is missing, until it is closed. */
  public static DataFolder open(Path path, OnClone onClone, RandomGenerator random)
      throws IOException {
    new FileDisk().createFolder(path);
    FileChannel lock = lock(path);
    try {
      return new DataFolder(path, node(path, onClone, random), lock);
    } catch (IOException | RuntimeException failed) {
      lock.close();
      throw failed;
    }
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** Whose it is. */
  public NodeId node() {
    return node;
  }

  @Override
  public void close() throws IOException {
    lockChannel.close();
  }

  private static FileChannel lock(Path folder) throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve(LOCK_FILE),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    try {
      FileLock held = channel.tryLock();
      if (held != null) {
        return channel;
      }
    } catch (OverlappingFileLockException heldByThisProcess) {
      // Told below, like any other holder.
    }
    channel.close();
    throw new InUseException(
        folder + " is in use by another Gilmok: stop that one, or start with another --data");
  }

  private static NodeId node(Path folder, OnClone onClone, RandomGenerator random)
      throws IOException {
    Path file = folder.resolve(NODE_FILE);
    if (!Files.exists(file)) {
      return write(folder, NodeId.random(random));
    }
    Map<String, String> lines = read(file);
    if (!lines.containsKey("format")) {
      throw new UnusableException(file + " is damaged: it names no format");
    }
    if (!Integer.toString(FORMAT).equals(lines.get("format"))) {
      throw new UnusableException(
          folder + " has format " + lines.get("format") + "; this program knows " + FORMAT);
    }
    NodeId node;
    try {
      node = NodeId.parse(lines.getOrDefault("node", ""));
    } catch (IllegalArgumentException damaged) {
      throw new UnusableException(file + " is damaged: " + damaged.getMessage());
    }
    if (identity(file).equals(lines.get("file"))) {
      return node;
    }
    return switch (onClone) {
      case REFUSE ->
          throw new UnusableException(
              folder
                  + " is a copy of the folder of node "
                  + node
                  + ": start with --set log.on-clone=new-id if that node lives on, or with"
                  + " --set log.on-clone=keep-id if this folder took its place");
      case NEW_ID -> write(folder, NodeId.random(random));
      case KEEP_ID -> write(folder, node);
    };
  }

  private static Map<String, String> read(Path file) throws IOException {
    Map<String, String> lines = new LinkedHashMap<>();
    // Latin-1 reads any bytes; what is no letter of ours is told by whoever parses the value.
    for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        lines.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return lines;
  }

  private static NodeId write(Path folder, NodeId node) throws IOException {
    Path beside = folder.resolve(NODE_FILE + ".tmp");
    Files.deleteIfExists(beside);
    try (FileChannel channel =
        FileChannel.open(beside, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      String text = "format=%d%nnode=%s%nfile=%s%n".formatted(FORMAT, node, identity(beside));
      channel.write(StandardCharsets.UTF_8.encode(text));
      channel.force(true);
    }
    Files.move(beside, folder.resolve(NODE_FILE), StandardCopyOption.ATOMIC_MOVE);
    new FileDisk().forceFolder(folder);
    return node;
  }

  /** What stays the same when a file is renamed and differs for a copy of it. */
  private static String identity(Path file) throws IOException {
    @Nullable Object inode =
        Files.getFileStore(file).supportsFileAttributeView("unix")
            ? Files.getAttribute(file, "unix:ino")
            : Files.getAttribute(file, "creationTime");
    return String.valueOf(inode);
  }
}
