package gilmok.cli;

import gilmok.transfer.RecordSum;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What became of all records of an import. Not thread-safe. */
final class ImportTotals {
  private static final int SHOWN_MAX = 20;

  private long read;
  private long accepted;
  private long duplicates;
  private long differing;
  private long rejected;
  private long sent;
  private long kept;
  private final List<String> shown = new ArrayList<>();

  /** Adds the answer to a batch. */
  void add(ImportBatch batch, ImportReply reply) {
    read += batch.size();
    accepted += reply.accepted();
    duplicates += reply.duplicates();
    differing += reply.differing().size();
    sent += batch.sum();
    kept += reply.sum();
    for (String id : reply.differing()) {
      if (shown.size() < SHOWN_MAX) {
        shown.add(id);
      }
    }
  }

  /** Adds what was not sent. */
  void addUnsent(int count) {
    read += count;
  }

  void reject(int count) {
    rejected += count;
  }

  long read() {
    return read;
  }

  boolean isWhole() {
    return rejected == 0 && differing == 0;
  }

  /** Whether the server keeps the very bytes that were sent; only meaningful for our own form. */
  boolean isAsSent() {
    return sent == kept;
  }

  /** The sum of what was sent. */
  long sent() {
    return sent;
  }

  /**
   * Writes the account.
   *
   * @param isStream whether the server has no sum of these
   */
  List<String> lines(String dataset, boolean isStream) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s: %,d records: %,d new, %,d there already, %,d of these with other values, %,d rejected"
            .formatted(dataset, read, accepted, duplicates, differing, rejected));
    if (!isStream) {
      lines.add("sum of what the server keeps of them: " + RecordSum.text(kept));
    }
    if (!shown.isEmpty()) {
      lines.add("other values are kept of: " + String.join(", ", shown));
    }
    return lines;
  }

  void write(ObjectNode state) {
    state.put("read", read);
    state.put("accepted", accepted);
    state.put("duplicates", duplicates);
    state.put("differing", differing);
    state.put("rejected", rejected);
    state.put("sent", sent);
    state.put("kept", kept);
  }

  /** Goes on from the totals of an interrupted import. */
  void resume(JsonNode state) {
    read = state.path("read").asLong();
    accepted = state.path("accepted").asLong();
    duplicates = state.path("duplicates").asLong();
    differing = state.path("differing").asLong();
    rejected = state.path("rejected").asLong();
    sent = state.path("sent").asLong();
    kept = state.path("kept").asLong();
  }
}
