package gilmok.http;

import java.time.Instant;
import java.util.List;

/**
 * A request that took long.
 *
 * @param at when it was answered
 * @param route as in {@code GET /v1/riders/{id}/position}
 * @param key the label of its key, as in the metrics by caller
 * @param nanos from its head to its answer
 * @param bytes of its answer; 0 for a streamed one
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
