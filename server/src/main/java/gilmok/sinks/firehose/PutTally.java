package gilmok.sinks.firehose;

import gilmok.log.StreamCounts;
import gilmok.sinks.Batch;
import gilmok.sinks.Verdict;
import gilmok.sinks.Verdict.Cause;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.firehose.model.PutRecordBatchResponse;
import software.amazon.awssdk.services.firehose.model.PutRecordBatchResponseEntry;

/**
 * The results of a batch while its calls are answered. A line is kept when its Firehose record came
 * back with an id and without an error; that the call was answered with 200 proves nothing.
 *
 * <p>Not thread-safe: one for each batch.
 */
final class PutTally {
  private static final int PLACE_CHARS_MAX = 200;

  private final Batch batch;
  private final BitSet kept = new BitSet();
  private final StreamCounts acknowledged = new StreamCounts();
  private final StringBuilder place = new StringBuilder();
  private Cause cause = Cause.FAILED;
  private String detail = "";
  private @Nullable Verdict stop;

  /** How much of one call Firehose has kept. */
  record Kept(int records, long bytes, long billedBytes, boolean isThrottled) {}

  PutTally(Batch batch) {
    this.batch = batch;
  }

  /** Evaluates the answer to a call. */
  Kept answered(FirehoseEncoder.Call call, PutRecordBatchResponse response) {
    List<PutRecordBatchResponseEntry> entries = response.requestResponses();
    int sent = call.records.size();
    if (entries.size() != sent) {
      fault(Cause.FAILED, "answered for " + entries.size() + " of " + sent + " records");
      return new Kept(0, 0, 0, false);
    }
    int records = 0;
    long bytes = 0;
    long billedBytes = 0;
    boolean isThrottled = false;
    String error = "";
    for (int record = 0; record < sent; record++) {
      PutRecordBatchResponseEntry entry = entries.get(record);
      if (isKept(entry)) {
        keep(call, record);
        int length = call.records.get(record).length;
        int step = FirehoseLimits.BILLED_BYTES_STEP;
        records++;
        bytes += length;
        billedBytes += (long) (length + step - 1) / step * step;
      } else if (!isThrottled) {
        isThrottled = FirehoseFaults.isThrottling(entry.errorCode());
        error = FirehoseFaults.plain(entry.errorCode());
      }
    }
    if (records < sent) {
      String some = sent - records + " of " + sent + " records: " + error;
      fault(isThrottled ? Cause.THROTTLED : Cause.FAILED, some);
    }
    if (records > 0) {
      found(response.responseMetadata().requestId());
    }
    return new Kept(records, bytes, billedBytes, isThrottled);
  }

  private static boolean isKept(PutRecordBatchResponseEntry entry) {
    String id = entry.recordId();
    String code = entry.errorCode();
    return id != null && !id.isEmpty() && (code == null || code.isEmpty());
  }

  private void keep(FirehoseEncoder.Call call, int record) {
    for (int i = call.from(record); i < call.to(record); i++) {
      kept.set(call.line(i));
      acknowledged.add(batch.stream(call.line(i)));
    }
  }

  /** Keeps the first fault, but prefers throttling, which tells what to do. */
  private void fault(Cause seen, String told) {
    if (detail.isEmpty() || (seen == Cause.THROTTLED && cause != Cause.THROTTLED)) {
      cause = seen;
      detail = told;
    }
  }

  private void found(@Nullable String requestId) {
    String plain = FirehoseFaults.plain(requestId);
    if (place.length() + 1 + plain.length() <= PLACE_CHARS_MAX) {
      place.append(place.isEmpty() ? "" : " ").append(plain);
    }
  }

  /** A call failed as a whole, and the batch's further calls are not made. */
  void stopped(Verdict why) {
    stop = why;
  }

  /** The verdict on the batch. */
  Verdict verdict(BitSet tooLarge, BitSet damaged) {
    // One reason at a time: the other records are sent again, and are rejected then.
    BitSet rejected = tooLarge.isEmpty() ? damaged : tooLarge;
    String reason = tooLarge.isEmpty() ? FirehoseEncoder.DAMAGED : FirehoseEncoder.TOO_LARGE;
    if (!tooLarge.isEmpty() && !damaged.isEmpty()) {
      fault(Cause.FAILED, FirehoseEncoder.DAMAGED);
    }
    Verdict rest = rest(rejected);
    return rejected.isEmpty() ? rest : new Verdict.RejectThese(rejected, "", reason, rest);
  }

  private Verdict rest(BitSet rejected) {
    BitSet again = new BitSet();
    again.set(0, batch.size());
    again.andNot(kept);
    again.andNot(rejected);
    if (again.isEmpty()) {
      return new Verdict.Done(acknowledged, place.toString());
    }
    switch (stop) {
      case Verdict.Refused refused -> {
        if (kept.isEmpty() && rejected.isEmpty()) {
          return refused;
        }
        // When sent alone, they are refused as a whole.
        fault(Cause.FAILED, refused.reason());
      }
      case Verdict.Retry retry -> fault(retry.cause(), retry.detail());
      case null, default -> {}
    }
    return kept.isEmpty()
        ? new Verdict.Retry(cause, detail)
        : new Verdict.RetryThese(again, acknowledged, place.toString(), cause, detail);
  }
}
