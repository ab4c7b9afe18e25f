package gilmok.deliveries;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes old deliveries out of a store, with all that is stored of them. Each call is one small
 * step. What it changes is durable on return. Thread-safe, though meant for one thread; calls
 * block.
 */
public interface DeliveryRemoval {
  /**
   * Stored deliveries by id.
   *
   * @param rows those that can be read
   * @param unreadable how many others there are
   * @param last the last id that was looked at; null when there was none
   */
  record Page(List<StoredDelivery> rows, int unreadable, @Nullable String last) {
    public Page {
      rows = List.copyOf(rows);
    }
  }

  /**
   * Takes or renews the lease: until it ends, no other node archives and removes.
   *
   * @return false when another node holds it
   */
  boolean lead(String node, long nowMillis, long untilMillis)
      throws IOException, InterruptedException;

  /** The plan that was not carried out to its end; null when there is none. */
  @Nullable RemovalPlan plan() throws IOException, InterruptedException;

  /**
   * Stores a plan, in place of an earlier one. From an archived one on, deliveries up to its last
   * id that are not there count as removed ({@link DeliveryStore#removedTo}).
   */
  void put(RemovalPlan plan) throws IOException, InterruptedException;

  /** Forgets the plan. */
  void forget() throws IOException, InterruptedException;

  /**
   * Reads deliveries, whatever their state, by id.
   *
   * @param after only ids that sort after it
   * @param below only ids that sort before it
   * @param limit 1 to 1,000
   */
  Page page(String after, String below, int limit) throws IOException, InterruptedException;

  /** Reads the deliveries of those ids that are there and can be read, by id. */
  List<StoredDelivery> find(List<String> ids) throws IOException, InterruptedException;

  /**
   * Removes deliveries in one atomic step, each with its outbox and dead letters, if it is as it
   * was archived and nothing of it waits to be told.
   *
   * @return how many were removed
   */
  int remove(List<RemovalPlan.Row> rows) throws IOException, InterruptedException;

  /**
   * Gives some of the room that was freed back to the file system, if there is much of it.
   *
   * @return whether there is more to give back
   */
  boolean shrink() throws IOException, InterruptedException;
}
