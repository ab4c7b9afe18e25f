package gilmok.inventory;

import gilmok.documents.SqliteDatabase;
import gilmok.storage.Checkpoint;
import gilmok.storage.FileDisk;
import gilmok.storage.NewerFormatException;
import java.io.DataInputStream;
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
 * The inventory of a data folder: a file {@value #FILE} in it that lists each essential file, with
 * a fingerprint of those that never change. It tells a file that was lost from one that never
 * existed, and a file of this node from one of another. Folders of earlier versions have no
 * inventory; it is made from the files that exist.
 *
 * <p>Not thread-safe: used by the thread that starts a server, before and after.
 */
public final class DataFolderInventory {
  /** The inventory's name in the data folder. */
  public static final String FILE = "inventory";

  private static final Logger LOG = System.getLogger("gilmok.app");
  private static final int VERSION = 1;
  private static final String DAMAGED = ".damaged";

  /** Folders that may contain only small files. */
  private static final Set<String> FOLDERS = Set.of("cursors", "snapshots");

  private final Path data;
  private final Checkpoint file;
  private final Set<EssentialFile> used;
  private final Map<String, Integer> noted;

  private DataFolderInventory(Path data, Set<EssentialFile> used) throws IOException {
    this.data = data;
    this.used = used;
    file = new Checkpoint(new FileDisk(), data.resolve(FILE));
    requireFile(file.path());
    Map<String, Integer> kept = file.read(in -> read(in, file.path()));
    if (kept == null && file.isThere()) {
      LOG.log(
          Level.WARNING,
          "{0} is damaged and is made again from the existing files; a file that is missing now"
              + " cannot be noticed",
          file.path());
    }
    noted = kept == null ? new TreeMap<>() : kept;
  }

  private static Map<String, Integer> read(DataInputStream in, Path path) throws IOException {
    Map<String, Integer> read = new TreeMap<>();
    int version = in.readUnsignedByte();
    if (version != VERSION) {
      throw new NewerFormatException(path, version, VERSION);
    }
    for (int left = in.readInt(); left > 0; left--) {
      read.put(in.readUTF(), in.readInt());
    }
    return read;
  }

  /** The state of a file. */
  private sealed interface Found {
    /** It is missing or empty. */
    record Missing() implements Found {}

    /** Its content is not what was written. */
    record Damaged(String how) implements Found {}

    /** It is intact; the fingerprint is 0 for a file that changes. */
    record Sound(int fingerprint) implements Found {}
  }

  /**
   * Checks the inventory of a data folder that this process owns, before anything in it is opened:
   * every listed file must be there and intact. A lost or damaged file that its owner has given up,
   * by the setting {@code begin-anew}, is put aside, and the server makes a new one.
   *
   * @throws DataFault for the first missing or changed file; it says what to do
   */
  public static DataFolderInventory checked(
      Path data, Set<EssentialFile> used, Set<EssentialFile> beginAnew) throws IOException {
    DataFolderInventory dataFolderInventory = new DataFolderInventory(data, used);
    dataFolderInventory.check(beginAnew);
    return dataFolderInventory;
  }

  private void check(Set<EssentialFile> beginAnew) throws IOException {
    for (String folder : FOLDERS) {
      requireFiles(data.resolve(folder));
    }
    for (EssentialFile essentialFile : used) {
      String fault = fault(essentialFile);
      if (fault == null) {
        continue;
      }
      if (!beginAnew.contains(essentialFile)) {
        throw new DataFault(data.resolve(essentialFile.fileName()), fault, essentialFile);
      }
      beginAnew(essentialFile, fault);
    }
  }

  /**
   * Writes the inventory of the present files, after the server has made those that it needs.
   * Durable on return.
   */
  public void note() throws IOException, InterruptedException {
    Map<String, Integer> now = new LinkedHashMap<>(noted);
    for (EssentialFile essentialFile : used) {
      Path path = data.resolve(essentialFile.fileName());
      if (essentialFile.isFixed() && look(essentialFile) instanceof Found.Sound sound) {
        now.put(essentialFile.fileName(), sound.fingerprint);
      } else if (!essentialFile.isFixed()
          && essentialFile.isForEver()
          && Files.isRegularFile(path)) {
        now.put(essentialFile.fileName(), 0);
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

  private @Nullable String fault(EssentialFile essentialFile) throws IOException {
    Integer before = noted.get(essentialFile.fileName());
    return switch (look(essentialFile)) {
      case Found.Missing _ when before != null -> "is gone or empty, and was there before";
      case Found.Missing _ when essentialFile == EssentialFile.REPEATS && hasLog() ->
          "is gone or empty, and the log was written with it";
      case Found.Missing _ -> null;
      case Found.Damaged damaged -> damaged.how;
      case Found.Sound sound when before != null && sound.fingerprint != before ->
          "is another than this folder was used with";
      case Found.Sound _ -> null;
    };
  }

  private Found look(EssentialFile essentialFile) throws IOException {
    Path path = data.resolve(essentialFile.fileName());
    for (String name : essentialFile.fileNames()) {
      requireFile(data.resolve(name));
    }
    if (essentialFile == EssentialFile.DOCUMENTS_LOG) {
      String damage = SqliteDatabase.logDamage(data);
      return damage == null ? new Found.Sound(0) : new Found.Damaged("is damaged: " + damage);
    }
    if (Files.notExists(path) || Files.size(path) == 0) {
      return new Found.Missing();
    }
    if (essentialFile == EssentialFile.DOCUMENTS) {
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
    return new Found.Sound(essentialFile.isFixed() ? (int) sum.getValue() : 0);
  }

  private void beginAnew(EssentialFile essentialFile, String fault) throws IOException {
    Path path = data.resolve(essentialFile.fileName());
    LOG.log(
        Level.WARNING,
        "{0} {1}; as begin-anew says, {2}",
        path,
        fault,
        essentialFile.isFixed() && look(essentialFile) instanceof Found.Sound
            ? "it is used from now on"
            : essentialFile == EssentialFile.DOCUMENTS_LOG
                ? "what is sound of it is used"
                : "another is made");
    noted.remove(essentialFile.fileName());
    if (look(essentialFile) instanceof Found.Sound) {
      return;
    }
    for (String name : essentialFile.fileNames()) {
      Path one = data.resolve(name);
      Path aside = data.resolve(name + DAMAGED);
      if (essentialFile == EssentialFile.DOCUMENTS_LOG && Files.exists(one)) {
        Files.copy(one, aside, StandardCopyOption.REPLACE_EXISTING); // its beginning is still used
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
