package gilmok.lab.firehose;

import org.jspecify.annotations.Nullable;

/**
 * The vendor's hard limits, and its responses to calls over them: <a
 * href="https://docs.aws.amazon.com/firehose/latest/APIReference/API_PutRecordBatch.html">
 * PutRecordBatch</a>.
 */
final class Vendor {
  static final int RECORDS_MAX = 500;
  static final int CALL_BYTES_MAX = 4 << 20;
  static final int RECORD_BYTES_MAX = 1_000 << 10;

  /** The size of a step in which records are billed. */
  static final int BILLED_STEP_BYTES = 5 << 10;

  private Vendor() {}

  /** The refusal of a call that is over a limit; null for any other call. */
  static @Nullable AwsAnswer refusal(Call call) {
    int count = call.records().size();
    if (call.stream().isEmpty()) {
      return violation("deliveryStreamName", "Member must not be null");
    }
    if (count == 0) {
      return violation("records", "Member must have length greater than or equal to 1");
    }
    if (count > RECORDS_MAX) {
      return violation("records", "Member must have length less than or equal to " + RECORDS_MAX);
    }
    for (int i = 0; i < count; i++) {
      if (call.records().get(i).length > RECORD_BYTES_MAX) {
        return violation(
            "records." + (i + 1) + ".member.data",
            "Member must have length less than or equal to " + RECORD_BYTES_MAX);
      }
    }
    return call.bytes() > CALL_BYTES_MAX
        ? AwsAnswer.invalid("Records size exceeds 4 MB limit")
        : null;
  }

  private static AwsAnswer violation(String place, String constraint) {
    return AwsAnswer.error(
        400,
        "ValidationException",
        "1 validation error detected: Value at '"
            + place
            + "' failed to satisfy constraint: "
            + constraint);
  }

  /** The number of steps that a record is billed as. */
  static long billedUnits(int bytes) {
    return Math.max(1, (bytes + BILLED_STEP_BYTES - 1) / BILLED_STEP_BYTES);
  }
}
