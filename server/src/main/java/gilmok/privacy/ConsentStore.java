package gilmok.privacy;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what counts for each rider. Thread-safe; calls block, and throw {@link IOException} when
 * the storage fails.
 */
public interface ConsentStore {
  /** Most consents of one page. */
  int PAGE_MAX = 10_000;

  /**
   * Some consents.
   *
   * @param next where the next page begins, or what has changed after it; null behind the last
   */
  record Page(List<Consent> consents, @Nullable String next) {}

  /**
   * Changes that other nodes may have made.
   *
   * @param throughMillis the time of the last one, of the store's clock
   * @param isAll whether there are no more
   */
  record Changes(List<Consent> consents, long throughMillis, boolean isAll) {}

  /** Replaces a rider's consent, and one of the rider's pseudonym. Durable on return. */
  void put(Consent consent, String pseudonym) throws IOException, InterruptedException;

  /** The consent under a rider's id or a pseudonym; null if there is none. */
  @Nullable Consent find(String riderId) throws IOException, InterruptedException;

  /** A page of all consents, in the order of their ids. */
  Page page(@Nullable String after) throws IOException, InterruptedException;

  /**
   * What has changed since a moment of the store's clock, the oldest first. Only of a store that
   * nodes share.
   */
  Changes changes(long sinceMillis) throws IOException, InterruptedException;

  /** The time of the last change, of the store's clock; 0 if there is none. */
  long newestMillis() throws IOException, InterruptedException;

  /**
   * Replaces a rider's id by the pseudonym, for an erasure; what was withheld stays so. The same
   * again changes nothing.
   *
   * @return how many consents there were under the id
   */
  int erase(String riderId, String pseudonym, RiderDigest digest)
      throws IOException, InterruptedException;
}
