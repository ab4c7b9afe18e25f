package gilmok.transfer;

import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a body: a JSON object a line, or an array. A record that is wrong is left
 * out and named; the others are taken. Not thread-safe: one for each body.
 */
final class ImportBody {
  /** Most records of one body. */
  static final int RECORDS_MAX = 1_000;

  private final JsonDocument document = new JsonDocument();
  private final Fields fields = new Fields(document);
  private final RecordBatch batch;
  private final List<Integer> taken = new ArrayList<>();
  private final JsonBuffer rejected = new JsonBuffer();
  private int count;

  ImportBody(RecordBatch batch) {
    this.batch = batch;
  }

  /** How many records were read and can be stored. */
  int taken() {
    return taken.size();
  }

  /** Adds those that the store has rejected. */
  void reject(List<RecordBatch.Rejected> more) {
    more.forEach(one -> reject(taken.get(one.number()), one.field(), one.reason()));
  }

  /** The rejected, as elements of a JSON array: index, field and reason of each. */
  JsonBuffer rejected() {
    return rejected;
  }

  /** Reads a body; null when it could be read, else what refuses all of it. */
  @Nullable Answer read(byte[] body) throws IOException, InterruptedException {
    int from = 0;
    while (from < body.length && body[from] <= ' ') {
      from++;
    }
    Answer refusal =
        from < body.length && body[from] == '[' ? array(body) : lines(body, from, body.length);
    return refusal == null && count == 0 ? Answer.invalid("body", "nothing in it") : refusal;
  }

  private @Nullable Answer array(byte[] body) throws IOException, InterruptedException {
    int root = document.read(body, 0, body.length);
    if (root == JsonDocument.NONE) {
      return Answer.unreadable(document.errorReason());
    }
    Answer refusal = null;
    for (int element = document.first(root);
        element != JsonDocument.NONE && refusal == null;
        element = document.next(element)) {
      refusal = record(element);
    }
    return refusal;
  }

  private @Nullable Answer lines(byte[] body, int start, int end)
      throws IOException, InterruptedException {
    Answer refusal = null;
    int from = start;
    while (from < end && refusal == null) {
      int to = from;
      boolean isBlank = true;
      while (to < end && body[to] != '\n') {
        isBlank &= (body[to++] & 0xff) <= ' ';
      }
      if (!isBlank) {
        refusal = record(document.read(body, from, to - from));
      }
      from = to + 1;
    }
    return refusal;
  }

  private @Nullable Answer record(int value) throws IOException, InterruptedException {
    if (count == RECORDS_MAX) {
      return Answer.refused(Refusal.TOO_LARGE, "body", "over " + RECORDS_MAX + " records at once");
    }
    fields.begin();
    if (value == JsonDocument.NONE) {
      fields.wrong("", document.errorReason());
    } else if (!document.isObject(value)) {
      fields.wrong("", "not an object");
    } else {
      batch.read(document, value, fields);
    }
    if (fields.isGood()) {
      taken.add(count);
    } else {
      reject(count, fields.field(), fields.reason());
    }
    count++;
    return null;
  }

  private void reject(int index, String field, String reason) {
    rejected.ascii(rejected.size() == 0 ? "{\"index\":" : ",{\"index\":").number((long) index);
    rejected.ascii(",\"field\":").string(field);
    rejected.ascii(",\"reason\":").string(reason).put('}');
  }
}
