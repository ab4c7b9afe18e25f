package gilmok.privacy;

import gilmok.event.ErasedRiders;
import gilmok.event.JsonTexts;
import gilmok.event.RiderErasure;
import gilmok.log.Log;
import gilmok.log.LogRewriter;
import gilmok.storage.Checkpoint;
import gilmok.storage.Disk;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The riders whom a restored data folder may have, although they were erased after its backup was
 * made: {@code gilmok restore} lists them in the file {@link ErasedList#AGAIN}. The list has
 * pseudonyms, and nobody can tell an id from one. So each text that can be an id is hashed, and the
 * ids that are on the list are remembered. Thread-safe.
 */
public final class RestoredRiders implements ErasedRiders {
  private static final Logger LOG = System.getLogger("gilmok.privacy");

  /** A rider's id has no more characters. */
  private static final int ID_CHARS_MAX = 128;

  /** A power of two. */
  private static final int REMEMBERED = 1 << 16;

  private final Checkpoint file;
  private final Set<String> listed;
  private final Pseudonyms pseudonyms;
  private final List<Source> sources = new CopyOnWriteArrayList<>();
  private final Map<String, String> found = new ConcurrentHashMap<>();

  /** What some of the texts before were hashed to, in places by their hash codes. */
  private final AtomicReferenceArray<@Nullable Hashed> remembered =
      new AtomicReferenceArray<>(REMEMBERED);

  private record Hashed(String text, @Nullable String pseudonym) {}

  private RestoredRiders(Checkpoint file, Set<String> listed, Pseudonyms pseudonyms) {
    this.file = file;
    this.listed = listed;
    this.pseudonyms = pseudonyms;
  }

  /**
   * Reads the list of a data folder; null when there is none.
   *
   * @throws IOException when it is damaged, or made by another secret than the pseudonyms are
   */
  static @Nullable RestoredRiders of(Path data, Disk disk, Pseudonyms pseudonyms)
      throws IOException {
    Path path = data.resolve(ErasedList.AGAIN);
    ErasedList list = ErasedList.read(disk, path);
    if (list.isEmpty()) {
      return null;
    }
    if (!list.marks().equals(Set.of(pseudonyms.mark()))) {
      throw new IOException(
          path
              + " lists erased riders, whom this restored folder may have, by the pseudonyms of"
              + " another secret: give the server the privacy.pseudonym-secret of before; or delete"
              + " that file, and these riders are back");
    }
    return new RestoredRiders(new Checkpoint(disk, path), list.erased().keySet(), pseudonyms);
  }

  /**
   * Refuses a data folder that may have erased riders.
   *
   * @throws IOException when it lists them
   */
  public static void refuse(Path data, Disk disk) throws IOException {
    if (!ErasedList.read(disk, data.resolve(ErasedList.AGAIN)).isEmpty()) {
      throw new IOException(
          "this restored folder may have riders who were erased since: start a server on it first,"
              + " and wait until it is ready");
    }
  }

  /** Takes their records out of a log that nobody has read yet. */
  void erase(Log log) throws IOException, InterruptedException {
    LogRewriter.Result result =
        log.rewriter().rewrite(new RecordErasure(this), (through, of, soFar) -> {});
    for (String file : result.unreadable()) {
      LOG.log(Level.WARNING, "it may have records of erased riders: {0}", file);
    }
    LOG.log(
        Level.INFO,
        "of {0} riders who were erased after the backup was made, the log had {1}: {2} records are"
            + " erased again",
        listed.size(),
        found.size(),
        result.counts().erased().total());
  }

  @Override
  public @Nullable String pseudonym(String text) {
    if (text.isEmpty() || text.length() > ID_CHARS_MAX) {
      return null;
    }
    int place = text.hashCode() & (REMEMBERED - 1);
    Hashed hashed = remembered.get(place);
    if (hashed == null || !hashed.text.equals(text)) {
      String pseudonym = pseudonyms.of(text);
      hashed = new Hashed(text, listed.contains(pseudonym) ? pseudonym : null);
      remembered.set(place, hashed);
    }
    if (hashed.pseudonym != null) {
      found.putIfAbsent(hashed.pseudonym, text);
    }
    return hashed.pseudonym;
  }

  /** The ids that were found. */
  public List<String> found() {
    return List.copyOf(found.values());
  }

  /** The pseudonyms of all. */
  public Set<String> listed() {
    return listed;
  }

  /** Adds something that was restored. */
  public void lookIn(Source source) {
    sources.add(source);
  }

  /** Looks for them in all that was added. */
  public void look() throws IOException, InterruptedException {
    for (Source source : sources) {
      source.each(new Look());
    }
  }

  /** They are all erased again; durable on return. */
  public void done() throws IOException {
    file.delete();
  }

  /** Something that was restored, and may name riders. */
  @FunctionalInterface
  public interface Source {
    /** Gives all that may name one. */
    void each(Look look) throws IOException, InterruptedException;
  }

  /** Looks for them in what was restored. Not thread-safe. */
  public final class Look {
    private final RiderErasure inRecords = new RiderErasure(RestoredRiders.this);

    private Look() {}

    /** Looks at a text that is an id, or has one as a part. */
    public void text(String text) {
      String _ = pseudonym(text);
      if (text.startsWith(AUTHOR)) {
        String _ = pseudonym(text.substring(AUTHOR.length()));
      }
      if (text.indexOf('/') >= 0) {
        for (String part : text.split("/", -1)) {
          String _ = pseudonym(part);
        }
      }
    }

    /** Looks at all texts in a JSON value. */
    public void json(byte[] json) {
      byte[] _ =
          JsonTexts.changed(
              json,
              0,
              json.length,
              new JsonTexts.Change() {
                @Override
                public String value(String member, String text) {
                  text(text);
                  return text;
                }

                @Override
                public String name(String name) {
                  text(name);
                  return name;
                }
              });
    }

    /** Looks at an encoded record. */
    public void record(byte[] bytes) {
      byte[] _ = inRecords.left(bytes, 0, bytes.length);
    }
  }
}
