package gilmok.retention;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes old documents of one kind out of a store, with all that is stored of them. Each call is one
 * small step. What it changes is durable on return. Thread-safe, though meant for one thread; calls
 * block.
 *
 * @param <T> a document
 */
public interface DocumentRemoval<T extends OldDocument> {
  /**
   * Stored documents in the order in which they are looked at.
   *
   * @param rows those that can be read
   * @param unreadable how many others there are
   * @param last where the next page begins; null when there was none
   */
  record Page<T>(List<T> rows, int unreadable, @Nullable String last) {
    public Page {
      rows = List.copyOf(rows);
    }
  }

  /** What is to be removed, and who does it. */
  RemovalPlans plans();

  /** Why documents stay ({@link OldDocument#stays}), each a value of the metric's label. */
  List<String> causes();

  /**
   * How far documents count as removed from a plan on, as {@link RemovalPlans#put} stores it; empty
   * for no further than before.
   *
   * @param latestMillis the latest time of what the plan has
   */
  String removedTo(RemovalPlan plan, long latestMillis);

  /**
   * How long it takes until everybody who asks how far was removed is told of a plan; nothing of it
   * is removed before.
   */
  default long settleNanos() {
    return 0;
  }

  /**
   * Reads documents, whatever their state.
   *
   * @param after {@link Page#last} of the page before; empty for the first
   * @param beforeMillis only documents of a time before that
   * @param limit 1 to 1,000
   */
  Page<T> page(String after, long beforeMillis, int limit) throws IOException, InterruptedException;

  /** Reads the documents of those ids that are there and can be read, in the order of pages. */
  List<T> find(List<String> ids) throws IOException, InterruptedException;

  /**
   * Removes documents in one atomic step, each with all that belongs to it, if it is as it was
   * archived and can go.
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
