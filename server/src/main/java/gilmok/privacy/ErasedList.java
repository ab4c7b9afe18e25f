package gilmok.privacy;

import gilmok.storage.Checkpoint;
import gilmok.storage.Disk;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32C;

/**
 * The pseudonyms of the riders who were erased on a node, and when: a file of the data folder,
 * which is in each backup of it. A backup that is older has these riders' data still; so after it
 * is restored they have to be erased again. Immutable.
 *
 * @param erased epoch ms, by pseudonym
 * @param marks of the secrets by which the pseudonyms are made ({@link Pseudonyms#mark})
 */
public record ErasedList(Map<String, Long> erased, Set<String> marks) {
  /** Of nobody. */
  public static final ErasedList NOBODY = new ErasedList(Map.of(), Set.of());

  /** The name of the file in the data folder. */
  public static final String FILE = "erased";

  /**
   * The file in a restored data folder that lists whom the backup may have still; it is deleted
   * once they are erased again.
   */
  public static final String AGAIN = "erase-again";

  private static final int FORMAT = 1;

  public ErasedList {
    erased = Map.copyOf(erased);
    marks = Set.copyOf(marks);
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
    return list == null ? NOBODY : list;
  }

  /**
   * Reads the bytes of a file.
   *
   * @throws IOException when they are damaged
   */
  public static ErasedList read(byte[] bytes) throws IOException {
    int length = bytes.length - Integer.BYTES;
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, Math.max(0, length));
    if (length < 0 || (int) sum.getValue() != ByteBuffer.wrap(bytes).getInt(length)) {
      throw new IOException("a list of erased riders is damaged");
    }
    return read(new DataInputStream(new ByteArrayInputStream(bytes, 0, length)));
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
    Set<String> marks = new TreeSet<>();
    for (int left = in.readInt(); left > 0; left--) {
      marks.add(in.readUTF());
    }
    return new ErasedList(all, marks);
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
    out.writeInt(marks.size());
    for (String mark : new TreeSet<>(marks)) {
      out.writeUTF(mark);
    }
  }

  /**
   * With one more; one that is there has the later time.
   *
   * @param mark of the secret by which the pseudonym is made
   */
  public ErasedList plus(String pseudonym, long atMillis, String mark) {
    return plus(new ErasedList(Map.of(pseudonym, atMillis), Set.of(mark)));
  }

  /** Both lists. */
  public ErasedList plus(ErasedList other) {
    Map<String, Long> all = new TreeMap<>(erased);
    other.erased.forEach((pseudonym, at) -> all.merge(pseudonym, at, Math::max));
    Set<String> both = new TreeSet<>(marks);
    both.addAll(other.marks);
    return new ErasedList(all, both);
  }

  /**
   * Those who are not in another list, or were erased once more since. A rider who came back after
   * an erasure that both lists have is not among them.
   */
  public ErasedList since(ErasedList other) {
    Map<String, Long> later = new TreeMap<>(erased);
    later
        .entrySet()
        .removeIf(one -> other.erased.getOrDefault(one.getKey(), -1L) >= one.getValue());
    return new ErasedList(later, later.isEmpty() ? Set.of() : marks);
  }

  public boolean isEmpty() {
    return erased.isEmpty();
  }
}
