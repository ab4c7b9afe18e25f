package gilmok.backup.repository;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import gilmok.storage.FileDisk;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The backups of one node in a store; see the package's page. For one thread. */
public final class BackupRepository implements AutoCloseable {
  /** The most bytes of a file that make one chunk. */
  public static final int CHUNK_BYTES = 16 << 20;

  private static final int LEVEL = 1;
  private static final String PLAIN = ".json";
  private static final String SEALED = ".sealed";

  private final ObjectStore store;
  private final String node;
  private final @Nullable BackupKey key;
  private final byte[] chunk = new byte[CHUNK_BYTES];
  private final Set<String> objects = new HashSet<>();

  /** Those that were there at first: what another backup has stored since is not ours to delete. */
  private final Set<String> before = new HashSet<>();

  private long storedBytes;

  private BackupRepository(ObjectStore store, String node, @Nullable BackupKey key) {
    this.store = store;
    this.node = node;
    this.key = key;
  }

  /**
   * The store of that name.
   *
   * @param name a folder, or {@code s3://bucket/prefix}
   */
  public static ObjectStore store(String name) throws IOException {
    return name.startsWith(S3Store.SCHEME)
        ? S3Store.of(name, System.getenv())
        : new FolderStore(Path.of(name), new FileDisk());
  }

  /** The nodes that have backups there. */
  public static Set<String> nodes(ObjectStore store) throws IOException, InterruptedException {
    Set<String> nodes = new TreeSet<>();
    for (String name : store.list("").keySet()) {
      int slash = name.indexOf('/');
      if (slash > 0 && name.startsWith("backups/", slash + 1)) {
        nodes.add(name.substring(0, slash));
      }
    }
    return nodes;
  }

  /**
   * Opens the backups of a node; there may be none yet.
   *
   * @param key null if they are not encrypted
   */
  public static BackupRepository open(ObjectStore store, String node, @Nullable BackupKey key)
      throws IOException, InterruptedException {
    BackupRepository repository = new BackupRepository(store, node, key);
    repository.before.addAll(store.list(node + "/objects/").keySet());
    repository.objects.addAll(repository.before);
    return repository;
  }

  /** The names of its backups, the oldest first. */
  public List<String> ids() throws IOException, InterruptedException {
    Set<String> ids = new TreeSet<>();
    for (String name : store.list(node + "/backups/").keySet()) {
      int from = name.lastIndexOf('/') + 1;
      for (String suffix : List.of(PLAIN, SEALED)) {
        if (name.endsWith(suffix)) {
          ids.add(name.substring(from, name.length() - suffix.length()));
        }
      }
    }
    return List.copyOf(ids);
  }

  /**
   * What a backup holds.
   *
   * @throws DamagedBackupException when it cannot be read with this key
   */
  public BackupManifest manifest(String id) throws IOException, InterruptedException {
    String name = name(id);
    byte[] bytes;
    try {
      bytes = store.read(name);
    } catch (NoSuchFileException none) {
      throw new DamagedBackupException(
          name,
          key == null
              ? "is not there; if the backup is encrypted, name its key with --encryption-key"
              : "is not there; the backup is not encrypted with this key, or not at all");
    }
    return BackupManifest.of(name, key == null ? bytes : key.open(name, bytes));
  }

  private String name(String id) {
    return node + "/backups/" + id + (key == null ? PLAIN : SEALED);
  }

  /**
   * Writes what a backup holds, and thereby ends it. Durable on return.
   *
   * @throws DamagedBackupException when somebody has deleted a chunk of it meanwhile
   */
  public void add(BackupManifest manifest) throws IOException, InterruptedException {
    objects.clear();
    objects.addAll(store.list(node + "/objects/").keySet());
    if (!has(manifest.chunks())) {
      throw new DamagedBackupException(
          name(manifest.id()), "cannot be made: another backup has deleted chunks of it");
    }
    String name = name(manifest.id());
    byte[] json = manifest.json();
    write(name, key == null ? json : key.seal(name, json));
  }

  /** Whether all chunks of that list are stored. */
  public boolean has(List<String> chunks) {
    return chunks.stream().map(this::object).allMatch(objects::contains);
  }

  /** Those chunks of a list that are not stored. */
  public List<String> missing(List<String> chunks) {
    return chunks.stream().filter(one -> !objects.contains(object(one))).toList();
  }

  /** How many bytes were written since it was opened. */
  public long storedBytes() {
    return storedBytes;
  }

  /**
   * Stores a file.
   *
   * @param bytes how many of the input's bytes it has
   * @return the names of its chunks
   * @throws EOFException when the input ends before
   */
  public List<String> put(InputStream in, long bytes) throws IOException, InterruptedException {
    List<String> names = new ArrayList<>();
    for (long left = bytes; left > 0; ) {
      int wanted = (int) Math.min(left, CHUNK_BYTES);
      int length = in.readNBytes(chunk, 0, wanted);
      if (length < wanted) {
        throw new EOFException("it ended " + (left - length) + " bytes before its end");
      }
      names.add(put(length));
      left -= length;
    }
    return names;
  }

  private String put(int length) throws IOException, InterruptedException {
    String name = called(chunk, length);
    String object = object(name);
    if (!objects.contains(object)) {
      byte[] packed =
          Zstd.compress(length == chunk.length ? chunk : Arrays.copyOf(chunk, length), LEVEL);
      write(object, key == null ? packed : key.seal(object, packed));
      objects.add(object);
    }
    return name;
  }

  private void write(String object, byte[] bytes) throws IOException, InterruptedException {
    store.write(object, bytes);
    storedBytes += bytes.length;
  }

  /**
   * Reads a file, and checks it.
   *
   * @throws DamagedBackupException when a chunk is missing or damaged
   */
  public void get(List<String> chunks, OutputStream out) throws IOException, InterruptedException {
    for (String name : chunks) {
      out.write(get(name));
    }
  }

  private byte[] get(String name) throws IOException, InterruptedException {
    String object = object(name);
    byte[] packed;
    try {
      packed = store.read(object);
    } catch (NoSuchFileException none) {
      throw new DamagedBackupException(object, "is missing");
    }
    if (key != null) {
      packed = key.open(object, packed);
    }
    try {
      byte[] content = Zstd.decompress(packed, CHUNK_BYTES);
      if (called(content, content.length).equals(name)) {
        return content;
      }
    } catch (ZstdException damaged) {
      // Reported below.
    }
    throw new DamagedBackupException(object, "is damaged");
  }

  /**
   * Deletes all backups but the newest ones, and the chunks that none of those needs; of chunks
   * that no backup has, those that were there when this was opened.
   *
   * @param keep how many stay, at least 1
   * @return how many backups were deleted
   */
  public int prune(int keep) throws IOException, InterruptedException {
    List<String> ids = ids();
    int old = Math.max(0, ids.size() - keep);
    Set<String> needed = new HashSet<>();
    for (String id : ids.subList(old, ids.size())) {
      manifest(id).chunks().forEach(one -> needed.add(object(one)));
    }
    for (String id : ids.subList(0, old)) {
      store.delete(name(id));
    }
    before.removeAll(needed);
    for (String object : before) {
      store.delete(object);
      objects.remove(object);
    }
    store.sweep(node + "/");
    return old;
  }

  private String object(String chunk) {
    return node + "/objects/" + chunk.substring(0, 2) + "/" + chunk;
  }

  private String called(byte[] content, int length) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(content, 0, length);
      byte[] sum = digest.digest();
      return HexFormat.of().formatHex(key == null ? sum : key.name(sum));
    } catch (NoSuchAlgorithmException never) {
      throw new IllegalStateException(never);
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
