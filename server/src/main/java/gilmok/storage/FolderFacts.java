package gilmok.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a file and the disk that it is on. Passed in from outside, so that a test can move a
 * disk.
 */
@FunctionalInterface
public interface FolderFacts {
  /** The facts of this machine. */
  FolderFacts HOST = FolderFacts::ofHost;

  /** The facts of an existing file. */
  Facts of(Path file) throws IOException;

  /**
   * Inode and birth stay when a file is renamed and differ in a copy of it. The other facts may
   * change when a volume is attached elsewhere, and show that.
   *
   * @param inode its inode number; without one, the time of its birth
   * @param born when it was made; null where the file system does not record that
   * @param device the number of its device; null if unknown
   * @param fileSystem name and type of its file system; null if unknown
   * @param machine a digest of the machine's id; null where there is none, as in many containers
   */
  record Facts(
      String inode,
      @Nullable String born,
      @Nullable String device,
      @Nullable String fileSystem,
      @Nullable String machine) {}

  private static Facts ofHost(Path file) throws IOException {
    var store = Files.getFileStore(file);
    if (!store.supportsFileAttributeView("unix")) {
      String born = Files.getAttribute(file, "creationTime").toString();
      return new Facts(born, null, null, null, machine());
    }
    return new Facts(
        Files.getAttribute(file, "unix:ino").toString(),
        born(file),
        Files.getAttribute(file, "unix:dev").toString(),
        store.name() + " " + store.type(),
        machine());
  }

  /**
   * Null where the birth is not recorded: the JDK then gives the time of the last change, which
   * proves nothing.
   */
  private static @Nullable String born(Path file) throws IOException {
    BasicFileAttributes read = Files.readAttributes(file, BasicFileAttributes.class);
    FileTime born = read.creationTime();
    boolean isKept =
        born.toMillis() > 0 && (!born.equals(read.lastModifiedTime()) || keepsBirths(file));
    return isKept ? born.toInstant().toString() : null;
  }

  private static boolean keepsBirths(Path beside) throws IOException {
    Path probe = beside.resolveSibling("node.probe");
    Files.deleteIfExists(probe);
    Files.createFile(probe);
    try {
      FileTime changed = FileTime.fromMillis(1_000_000_000_000L);
      Files.setLastModifiedTime(probe, changed);
      return !Files.readAttributes(probe, BasicFileAttributes.class).creationTime().equals(changed);
    } finally {
      Files.delete(probe);
    }
  }

  /** A digest, as machine-id(5) requires that the id itself be kept confidential. */
  private static @Nullable String machine() throws IOException {
    try {
      String id = Files.readString(Path.of("/etc/machine-id"), StandardCharsets.US_ASCII).strip();
      if (id.isEmpty()) {
        return null;
      }
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] sum = digest.digest(("gilmok " + id).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(sum, 0, 8);
    } catch (IOException noneOrUnreadable) {
      return null;
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
