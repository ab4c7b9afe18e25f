package gilmok.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Permissions of what a server writes: where riders are, partners' secrets, hashes of keys. Only
 * the user it runs as may read them.
 */
public final class OwnerOnly {
  /** A file: 0600. */
  public static final FileAttribute<Set<PosixFilePermission>> FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** A folder: 0700. */
  public static final FileAttribute<Set<PosixFilePermission>> FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final Logger LOGGER = System.getLogger(OwnerOnly.class.getName());
  private static final int NAMED_MAX = 10;

  private OwnerOnly() {}

  /**
   * Closes a data folder that others can look into: one that somebody made before the server, or an
   * older server. What others may have put there is named, as it would be believed.
   */
  static void close(Path folder) {
    try {
      if (FOLDER.value().containsAll(Files.getPosixFilePermissions(folder))) {
        return;
      }
      Files.setPosixFilePermissions(folder, FOLDER.value());
      LOGGER.log(Level.INFO, "{0} is for its owner alone now (mode 0700)", folder);
      List<String> foreign = closeContents(folder);
      if (!foreign.isEmpty()) {
        LOGGER.log(
            Level.WARNING,
            "others could write into {0}, and what is in it may be theirs: {1}. The server uses it;"
                + " look at it before you trust its keys and records",
            folder,
            String.join(", ", foreign));
      }
    } catch (IOException | UncheckedIOException notOurs) {
      LOGGER.log(
          Level.WARNING,
          "{0} belongs to another user, and others can look into it: make it this server''s own, with"
              + " mode 0700",
          folder);
    }
  }

  /** Closes each file and folder; returns links, and what is another user's or has other names. */
  private static List<String> closeContents(Path folder) throws IOException {
    Object owner = Files.getOwner(folder);
    List<String> foreign = new ArrayList<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path one : (Iterable<Path>) all.skip(1)::iterator) {
        boolean isFolder = Files.isDirectory(one, LinkOption.NOFOLLOW_LINKS);
        boolean isPlain = isFolder || Files.isRegularFile(one, LinkOption.NOFOLLOW_LINKS);
        boolean isOurs =
            isPlain
                && owner.equals(Files.getOwner(one, LinkOption.NOFOLLOW_LINKS))
                && (isFolder || (int) Files.getAttribute(one, "unix:nlink") == 1);
        if (isOurs) {
          Files.setPosixFilePermissions(one, (isFolder ? FOLDER : FILE).value());
        } else if (foreign.size() < NAMED_MAX) {
          foreign.add(folder.relativize(one).toString());
        }
      }
    }
    return foreign;
  }
}
