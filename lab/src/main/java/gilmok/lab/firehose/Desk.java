package gilmok.lab.firehose;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Decides the result of each call: first the vendor's limits, then the faults, then the quotas; the
 * remaining records are kept. Owned by one thread, except for the counters and the kept records.
 */
final class Desk {
  private static final String TARGET = "Firehose_20150804.";

  private final Faults faults;
  private final Kept kept;
  private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);
  private final SplittableRandom random;
  private final Bucket records;
  private final Bucket bytes;
  private final Bucket calls;
  private long recordIds;

  Desk(Faults faults, Quotas quotas, Kept kept, long seed, long nowNanos) {
    this.faults = faults;
    this.kept = kept;
    this.random = new SplittableRandom(seed);
    this.records = new Bucket(quotas.records(), nowNanos);
    this.bytes = new Bucket(quotas.bytes(), nowNanos);
    this.calls = new Bucket(quotas.calls(), nowNanos);
    for (Count what : Count.values()) {
      counts.put(what, new LongAdder());
    }
  }

  /**
   * The result of a call.
   *
   * @param delayMillis how long to wait before the response
   * @param isLost whether to close the connection instead of responding
   * @param taken the records that were kept, to be forwarded; null for none
   */
  record Decision(AwsAnswer answer, long delayMillis, boolean isLost, @Nullable Call taken) {}

  /** The value of a counter. Thread-safe. */
  long count(Count what) {
    return counter(what).sum();
  }

  /**
   * Decides the result of a call.
   *
   * @param target the header X-Amz-Target
   * @param isSigned whether there is a header Authorization; its content is not checked
   */
  Decision decide(@Nullable String target, boolean isSigned, byte[] body, long nowNanos) {
    String operation =
        target != null && target.startsWith(TARGET) ? target.substring(TARGET.length()) : "";
    if (!isSigned) {
      return refused(
          AwsAnswer.error(
              403, "MissingAuthenticationTokenException", "Missing Authentication Token"));
    }
    Call call = Call.read(body);
    if (call == null) {
      return refused(AwsAnswer.error(400, "SerializationException", "No JSON of this operation."));
    }
    return switch (operation) {
      case "PutRecordBatch" -> put(call, true, nowNanos);
      case "PutRecord" -> put(call, false, nowNanos);
      case "DescribeDeliveryStream" -> new Decision(description(call), 0, false, null);
      default -> refused(AwsAnswer.error(400, "UnknownOperationException", "No such operation."));
    };
  }

  private Decision put(Call call, boolean isBatch, long nowNanos) {
    add(Count.CALLS, 1);
    // The same random numbers are drawn for every call, so that a seed gives the same sequence with
    // any faults.
    double fate = random.nextDouble();
    double hanging = random.nextDouble();
    boolean isKeptHanging = random.nextBoolean();
    long delay = faults.delayMillis(random.nextDouble(), random.nextDouble());
    AwsAnswer refusal = Vendor.refusal(call);
    if (refusal == null && isPoisoned(call)) {
      refusal = AwsAnswer.invalid("Invalid record data.");
    }
    if (refusal != null) {
      return refused(refusal);
    }
    if (hanging < faults.hanging()) {
      add(Count.CALLS_HUNG, 1);
      return isKeptHanging
          ? taken(call, isBatch, faults.hangMillis(), false, nowNanos)
          : new Decision(AwsAnswer.broken(), faults.hangMillis(), false, null);
    }
    double throttled = faults.throttled();
    if (fate < throttled || !calls.take(1, nowNanos)) {
      add(Count.CALLS_THROTTLED, 1);
      return new Decision(AwsAnswer.slowDown(), delay, false, null);
    }
    double broken = throttled + faults.broken();
    if (fate < broken) {
      add(Count.CALLS_BROKEN, 1);
      return new Decision(AwsAnswer.broken(), delay, false, null);
    }
    return taken(call, isBatch, delay, fate < broken + faults.lost(), nowNanos);
  }

  private Decision taken(Call call, boolean isBatch, long delay, boolean isLost, long nowNanos) {
    List<byte[]> took = new ArrayList<>();
    StringBuilder entries = new StringBuilder();
    String lastError = null;
    boolean isShort = false;
    for (byte[] data : call.records()) {
      entries.append(entries.isEmpty() ? "" : ",");
      String error = error();
      if (error == null && !isWithinQuota(data, nowNanos)) {
        isShort = true;
        error = AwsAnswer.UNAVAILABLE;
      }
      if (error != null) {
        lastError = error;
        entries.append("{\"ErrorCode\":\"").append(error).append("\",\"ErrorMessage\":\"");
        entries.append(
            error.equals(AwsAnswer.UNAVAILABLE) ? AwsAnswer.SLOW_DOWN : "Internal failure.");
        entries.append("\"}");
      } else {
        took.add(data);
        keep(data);
        entries.append("{\"RecordId\":\"").append(recordId()).append("\"}");
      }
    }
    int failed = call.records().size() - took.size();
    add(Count.RECORDS_FAILED, failed);
    if (took.isEmpty() && (isShort || !isBatch)) {
      boolean isThrottled = AwsAnswer.UNAVAILABLE.equals(lastError);
      add(isThrottled ? Count.CALLS_THROTTLED : Count.CALLS_BROKEN, 1);
      return new Decision(
          isThrottled ? AwsAnswer.slowDown() : AwsAnswer.broken(), delay, false, null);
    }
    add(Count.ANSWERS_LOST, isLost ? 1 : 0);
    AwsAnswer answer =
        isBatch
            ? AwsAnswer.of(
                "{\"FailedPutCount\":"
                    + failed
                    + ",\"Encrypted\":false,\"RequestResponses\":["
                    + entries
                    + "]}")
            : AwsAnswer.of("{\"Encrypted\":false," + entries.substring(1));
    return new Decision(answer, delay, isLost, new Call(call.stream(), took));
  }

  /** The error of a record that is refused individually; null if it is accepted. */
  private @Nullable String error() {
    if (random.nextDouble() >= faults.failed()) {
      return null;
    }
    return random.nextBoolean() ? AwsAnswer.UNAVAILABLE : "InternalFailure";
  }

  private boolean isWithinQuota(byte[] data, long nowNanos) {
    return records.take(1, nowNanos) && bytes.take(data.length, nowNanos);
  }

  private void keep(byte[] data) {
    Kept.Lines lines = kept.take(data);
    add(Count.RECORDS, 1);
    add(Count.BYTES, data.length);
    add(Count.BILLED_UNITS, Vendor.billedUnits(data.length));
    add(Count.LINES, (long) lines.known() + lines.unknown());
    add(Count.LINES_UNKNOWN, lines.unknown());
  }

  private String recordId() {
    return Long.toUnsignedString(random.nextLong(), 36) + "-" + recordIds++;
  }

  private boolean isPoisoned(Call call) {
    String marker = faults.poison();
    return marker != null && call.holds(marker.getBytes(StandardCharsets.UTF_8));
  }

  private Decision refused(AwsAnswer answer) {
    add(Count.CALLS_REFUSED, 1);
    return new Decision(answer, 0, false, null);
  }

  private static AwsAnswer description(Call call) {
    return AwsAnswer.of(
        "{\"DeliveryStreamDescription\":{\"DeliveryStreamName\":\""
            + call.stream().replaceAll("[^a-zA-Z0-9_.-]", "")
            + "\",\"DeliveryStreamStatus\":\"ACTIVE\",\"DeliveryStreamType\":\"DirectPut\","
            + "\"VersionId\":\"1\",\"HasMoreDestinations\":false,\"Destinations\":[]}}");
  }

  private void add(Count what, long more) {
    counter(what).add(more);
  }

  private LongAdder counter(Count what) {
    return Objects.requireNonNull(counts.get(what));
  }
}
