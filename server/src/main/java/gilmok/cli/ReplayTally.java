package gilmok.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The account of one replay: how much was read, and what the server answered about it. Safe for all
 * threads.
 */
final class ReplayTally {
  static final int REASONS_MAX = 5;

  private final Map<String, Span> receipts = new LinkedHashMap<>();
  private final List<String> reasons = new ArrayList<>();
  private long read;
  private long accepted;
  private long duplicates;
  private long quarantined;
  private long requests;
  private long retries;

  /** The range of sequences that one node has given. */
  private record Span(long first, long last) {
    Span and(Span other) {
      return new Span(Math.min(first, other.first), Math.max(last, other.last));
    }
  }

  synchronized void read() {
    read++;
  }

  synchronized long retried() {
    return ++retries;
  }

  synchronized void answered(UploadBatch batch, UploadReply reply) {
    requests++;
    accepted += reply.accepted();
    duplicates += reply.duplicates();
    quarantined += reply.quarantined().size();
    for (UploadReply.Reason reason : reply.quarantined()) {
      if (reasons.size() < REASONS_MAX) {
        long line = batch.line(reason.index());
        reasons.add("line " + line + ": " + reason.field() + ": " + reason.reason());
      }
    }
    UploadReply.Receipt receipt = reply.receipt();
    if (receipt != null) {
      receipts.merge(receipt.node(), new Span(receipt.first(), receipt.last()), Span::and);
    }
  }

  synchronized long acknowledged() {
    return accepted + duplicates + quarantined;
  }

  /** Whether the server has accounted for everything that was read. */
  synchronized boolean isComplete() {
    return acknowledged() == read;
  }

  /**
   * One line for a progress display.
   *
   * @param reached how far the replay is, in words; empty if that is not known
   */
  synchronized String line(double seconds, String reached) {
    StringBuilder line = new StringBuilder(96);
    line.append(
        String.format(
            Locale.ROOT,
            "%,d sent · %,.0f/s · accepted %,d · duplicates %,d · quarantined %,d",
            acknowledged(),
            acknowledged() / Math.max(seconds, 0.001),
            accepted,
            duplicates,
            quarantined));
    if (retries > 0) {
      line.append(String.format(Locale.ROOT, " · repeated %,d", retries));
    }
    if (!reached.isEmpty()) {
      line.append(" · ").append(reached);
    }
    return line.toString();
  }

  /**
   * How far a replay is that sends at once, in words; empty at first.
   *
   * @param readShare how much of the recording was read, from 0 to 1; negative if that is not known
   */
  synchronized String reached(double seconds, double readShare) {
    // What was read waits to be sent, and what was sent to be answered.
    double share = read == 0 ? 0 : readShare * acknowledged() / read;
    return share <= 0.01
        ? ""
        : String.format(
            Locale.ROOT,
            "%.0f %%, %s left",
            100 * share,
            ReplaySchedule.span((long) (seconds * (1 - share) / share * 1e9)));
  }

  /** The whole account. */
  synchronized List<String> summary(double seconds, long passedOver) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%,d of %,d records acknowledged in %,d requests, %.1f s, %,.0f records/s",
            acknowledged(),
            read,
            requests,
            seconds,
            acknowledged() / Math.max(seconds, 0.001)));
    lines.add(String.format(Locale.ROOT, "  accepted     %,d", accepted));
    lines.add(String.format(Locale.ROOT, "  duplicates   %,d", duplicates));
    lines.add(String.format(Locale.ROOT, "  quarantined  %,d", quarantined));
    reasons.forEach(reason -> lines.add("    " + reason));
    if (quarantined > reasons.size()) {
      lines.add(String.format(Locale.ROOT, "    … and %,d more", quarantined - reasons.size()));
    }
    receipts.forEach(
        (node, span) ->
            lines.add("  receipts     " + node + ":" + span.first() + " to " + span.last()));
    if (retries > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  repeated     %,d requests, as the server asked or was away",
              retries));
    }
    if (passedOver > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  skipped      %,d lines of streams that clients do not write",
              passedOver));
    }
    return lines;
  }
}
