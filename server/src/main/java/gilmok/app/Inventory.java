package gilmok.app;

import gilmok.documents.SqliteDatabase;
import gilmok.log.Checkpoint;
import gilmok.log.FileDisk;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a data folder must have, as nothing else could make it again: the file {@value #FILE} in it
 * names each such file, with a fingerprint of those that never change. So one that was lost is told
 * from one that never was, and another node's from this one's. Folders of earlier versions have
 * none; theirs is made of what is there.
 *
 * <p>Not thread-safe: used by whoever starts a server, before and after.
 */
final class Inventory {
  /** Its name in the data folder. */
  static final String FILE = "inventory";

  private static final Logger LOG = System.getLogger("gilmok.app");
  private static final int VERSION = 1;
  private static final String DAMAGED = ".damaged";

  /** Folders of small files, in which nothing else may stand. */
  private static final Set<String> FOLDERS = Set.of("cursors", "snapshots");

  private final Path data;
  private final Checkpoint file;
  private final Set<Kept> used;
  private final Map<String, Integer> noted;

  private Inventory(Path data, Checkpoint file, Set<Kept> used, Map<String, Integer> noted) {
    this.data = data;
    this.used = used;
    this.file = file;
    this.noted = noted;
  }

  /** How a file is found. */
  private sealed interface Found {
    /** It is not there, or empty. */
    record Missing() implements Found {}

    /** It is not what was written. */
    record Damaged(String how) implements Found {}

    /** It is as it was written; the fingerprint is 0 for what changes. */
    record Sound(int fingerprint) implements Found {}
  }

  /**
   * The inventory of a data folder that this process holds, after a look whether all is there that
   * was, and sound; before anything is opened. What its owner has given up, by the setting {@code
   * begin-anew}, is put aside if it is lost or damaged, and the server makes another.
   *
   * @throws DataFault naming the first that is not as it was, and what to do
   */
  static Inventory checked(Path data, Set<Kept> used, Set<Kept> beginAnew) throws IOException {
    Inventory inventory = open(data, used);
    inventory.check(beginAnew);
    return inventory;
  }

  private static Inventory open(Path data, Set<Kept> used) throws IOException {
    Checkpoint file = new Checkpoint(new FileDisk(), data.resolve(FILE));
    requireFile(file.path());
    Map<String, Integer> noted =
        file.read(
            in -> {
              Map<String, Integer> read = new TreeMap<>();
              int version = in.readByte();
              for (int left = version == VERSION ? in.readInt() : 0; left > 0; left--) {
                read.put(in.readUTF(), in.readInt());
              }
              return read;
            });
    if (noted == null && file.isThere()) {
      LOG.log(
          Level.WARNING,
          "{0} is damaged and made anew of what is there: it is not known which files there were",
          file.path());
    }
    return new Inventory(data, file, used, noted == null ? new TreeMap<>() : noted);
  }

  private void check(Set<Kept> beginAnew) throws IOException {
    for (String folder : FOLDERS) {
      requireFiles(data.resolve(folder));
    }
    for (Kept kept : used) {
      String fault = fault(kept);
      if (fault == null) {
        continue;
      }
      if (!beginAnew.contains(kept)) {
        throw new DataFault(data.resolve(kept.fileName()), fault, kept);
      }
      beginAnew(kept, fault);
    }
  }

  /** Notes what is there now; after the server has made what it needs. Durable on return. */
  void note() throws IOException, InterruptedException {
    Map<String, Integer> now = new LinkedHashMap<>(noted);
    for (Kept kept : used) {
      Path path = data.resolve(kept.fileName());
      if (kept.isFixed() && look(kept) instanceof Found.Sound sound) {
        now.put(kept.fileName(), sound.fingerprint);
      } else if (!kept.isFixed() && kept.isForEver() && Files.isRegularFile(path)) {
        now.put(kept.fileName(), 0);
      }
    }
    if (now.equals(noted) && file.isThere()) {
      return;
    }
    file.replace(
        out -> {
          out.writeByte(VERSION);
          out.writeInt(now.size());
          for (Map.Entry<String, Integer> entry : now.entrySet()) {
            out.writeUTF(entry.getKey());
            out.writeInt(entry.getValue());
          }
        });
    noted.putAll(now);
  }

  private @Nullable String fault(Kept kept) throws IOException {
    Integer before = noted.get(kept.fileName());
    return switch (look(kept)) {
      case Found.Missing _ when before != null -> "is gone or empty, and was there before";
      case Found.Missing _ when kept == Kept.REPEATS && hasLog() ->
          "is gone or empty, and the log was written with it";
      case Found.Missing _ -> null;
      case Found.Damaged damaged -> damaged.how;
      case Found.Sound sound when before != null && sound.fingerprint != before ->
          "is another than this folder was used with";
      case Found.Sound _ -> null;
    };
  }

  private Found look(Kept kept) throws IOException {
    Path path = data.resolve(kept.fileName());
    for (String name : kept.fileNames()) {
      requireFile(data.resolve(name));
    }
    if (kept == Kept.DOCUMENTS_LOG) {
      String damage = SqliteDatabase.logDamage(data);
      return damage == null ? new Found.Sound(0) : new Found.Damaged("is damaged: " + damage);
    }
    if (Files.notExists(path) || Files.size(path) == 0) {
      return new Found.Missing();
    }
    if (kept == Kept.DOCUMENTS) {
      String damage = SqliteDatabase.damage(data);
      if (damage == null) {
        return new Found.Sound(0);
      }
      return damage.equals(SqliteDatabase.EMPTY)
          ? new Found.Missing()
          : new Found.Damaged("is damaged: " + damage);
    }
    byte[] content = new Checkpoint(new FileDisk(), path).readBytes();
    if (content == null) {
      return new Found.Damaged("is damaged: its checksum does not fit");
    }
    CRC32C sum = new CRC32C();
    sum.update(content);
    return new Found.Sound(kept.isFixed() ? (int) sum.getValue() : 0);
  }

  private void beginAnew(Kept kept, String fault) throws IOException {
    Path path = data.resolve(kept.fileName());
    LOG.log(
        Level.WARNING,
        "{0} {1}; as begin-anew says, {2}",
        path,
        fault,
        kept.isFixed() && look(kept) instanceof Found.Sound
            ? "it is used from now on"
            : kept == Kept.DOCUMENTS_LOG ? "what is sound of it is used" : "another is made");
    noted.remove(kept.fileName());
    if (look(kept) instanceof Found.Sound) {
      return;
    }
    for (String name : kept.fileNames()) {
      Path one = data.resolve(name);
      Path aside = data.resolve(name + DAMAGED);
      if (kept == Kept.DOCUMENTS_LOG && Files.exists(one)) {
        Files.copy(one, aside, StandardCopyOption.REPLACE_EXISTING); // its beginning is used
      } else if (Files.exists(one)) {
        Files.move(one, aside, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    new FileDisk().forceFolder(data);
  }

  private boolean hasLog() throws IOException {
    Path log = data.resolve("log");
    return Files.isDirectory(log)
        && new FileDisk().list(log).stream().anyMatch(name -> name.endsWith(".log"));
  }

  private static void requireFiles(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      try (var all = Files.newDirectoryStream(folder)) {
        for (Path one : all) {
          requireFile(one);
        }
      }
    }
  }

  private static void requireFile(Path path) throws IOException {
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new DataFault(path, "is no file", null);
    }
  }
}
