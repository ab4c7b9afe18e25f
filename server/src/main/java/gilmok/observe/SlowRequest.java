package gilmok.observe;

import java.time.Instant;
import java.util.List;

/**
 * A request that took long, or a sink's batch.
 *
 * @param at when it was answered
 * @param route as in {@code GET /v1/riders/{id}/position}, or {@code sink files}
 * @param status of its answer; 0 for a batch
 * @param key the label of its key, as in the metrics by caller; empty for a batch
 * @param nanos from its head to its answer; from the receipt of a batch's first record to the
 *     sink's last answer
 * @param bytes of its answer, 0 for a streamed one; of the batch's records
 * @param parts where the time went, in the order of the request's way
 * @param unexplainedNanos what no part explains
 */
public record SlowRequest(
    Instant at,
    String route,
    int status,
    String key,
    long nanos,
    long bytes,
    List<Part> parts,
    long unexplainedNanos) {
  /** A part of a request's time: what it is called, and how long it took. */
  public record Part(String name, long nanos) {}

  /** Whether over a tenth of its time is explained by no part. */
  public boolean isUnexplained() {
    return unexplainedNanos * 10 > nanos;
  }
}
