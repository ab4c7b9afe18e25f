package gilmok.privacy;

import gilmok.storage.Checkpoint;
import gilmok.storage.Disk;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * The pseudonyms of the riders who were erased on a node, and when: a file of the data folder,
 * which is in each backup of it. A backup that is older has these riders' data still; so after it
 * is restored they have to be erased again. Immutable.
 *
 * @param erased epoch ms, by pseudonym
 */
public record ErasedList(Map<String, Long> erased) {
  /** The name of the file in the data folder. */
  public static final String FILE = "erased";

  private static final int FORMAT = 1;

  public ErasedList {
    erased = Map.copyOf(erased);
  }

  /**
   * Reads a file; an empty list when there is none.
   *
   * @throws IOException when it is damaged
   */
  public static ErasedList read(Disk disk, Path file) throws IOException {
    Checkpoint checkpoint = new Checkpoint(disk, file);
    ErasedList list = checkpoint.read(ErasedList::read);
    if (list == null && checkpoint.isThere()) {
      throw new IOException(file + " is damaged: put that of a backup in its place");
    }
    return list == null ? new ErasedList(Map.of()) : list;
  }

  private static ErasedList read(DataInputStream in) throws IOException {
    int format = in.readInt();
    if (format != FORMAT) {
      throw new IOException("a list of erased riders has the unknown format " + format);
    }
    Map<String, Long> all = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      all.put(in.readUTF(), in.readLong());
    }
    return new ErasedList(all);
  }

  /** Writes a file in place of the one that is there; durable on return. */
  public void write(Disk disk, Path file) throws IOException, InterruptedException {
    new Checkpoint(disk, file).replace(this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeInt(FORMAT);
    out.writeInt(erased.size());
    for (Map.Entry<String, Long> one : new TreeMap<>(erased).entrySet()) {
      out.writeUTF(one.getKey());
      out.writeLong(one.getValue());
    }
  }

  /** With one more; one that is there has the later time. */
  public ErasedList plus(String pseudonym, long atMillis) {
    return plus(new ErasedList(Map.of(pseudonym, atMillis)));
  }

  /** Both lists. */
  public ErasedList plus(ErasedList other) {
    Map<String, Long> all = new TreeMap<>(erased);
    other.erased.forEach((pseudonym, at) -> all.merge(pseudonym, at, Math::max));
    return new ErasedList(all);
  }

  public boolean isEmpty() {
    return erased.isEmpty();
  }
}
