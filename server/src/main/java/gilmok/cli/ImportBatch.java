package gilmok.cli;

import gilmok.transfer.RecordSum;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Records of one request, and those that cannot be sent. Not thread-safe. */
final class ImportBatch {
  /** Most records of a batch. */
  static final int RECORDS_MAX = 1_000;

  private static final int BYTES_MAX = 2 << 20;

  /** Says of an action that what it did is in the history of its delivery. */
  private static final String IMPORTED = "imported";

  private final boolean isOfActions;
  private final List<byte[]> records = new ArrayList<>();
  private final List<String> texts = new ArrayList<>();
  private final List<Long> numbers = new ArrayList<>();
  private final List<Reject> rejects = new ArrayList<>();
  private final RecordSum sum = new RecordSum();
  private int sentRejects;
  private long bytes;

  /**
   * @param isOfActions whether the records are riders' actions, which must not move deliveries anew
   */
  ImportBatch(boolean isOfActions) {
    this.isOfActions = isOfActions;
  }

  /**
   * A record that is not taken.
   *
   * @param number its line, or its number, in the source
   * @param text the record as it was there
   */
  record Reject(long number, String field, String reason, String text) {}

  /** Adds a record of ours. */
  void add(long number, String text, byte[] record) {
    records.add(record);
    bytes += record.length;
    texts.add(text);
    numbers.add(number);
    sum.add(record);
  }

  /** Adds a record of ours, as it is written in the source. */
  void add(long number, String record) {
    add(number, record, record.getBytes(StandardCharsets.UTF_8));
  }

  /** Adds a record that cannot be sent. */
  void reject(long number, String field, String reason, String text) {
    rejects.add(new Reject(number, field, reason, text));
  }

  /** Notes that the server rejects one of those that were sent. */
  void rejectSent(int index, String field, String reason) {
    rejects.add(new Reject(numbers.get(index), field, reason, texts.get(index)));
    sentRejects++;
  }

  /** Takes over what the server rejects of a part of this batch. */
  void takeRejects(ImportBatch part) {
    rejects.addAll(part.rejects);
    sentRejects += part.sentRejects;
  }

  /** How many were not sent, as they do not fit. */
  int unsent() {
    return rejects.size() - sentRejects;
  }

  boolean isFull() {
    return texts.size() + rejects.size() >= RECORDS_MAX || bytes >= BYTES_MAX;
  }

  boolean isEmpty() {
    return texts.isEmpty() && rejects.isEmpty();
  }

  /** How many are to be sent. */
  int size() {
    return texts.size();
  }

  /** The body of the request: a record a line. */
  byte[] body() {
    ByteArrayOutputStream body = new ByteArrayOutputStream((int) bytes + records.size());
    for (byte[] record : records) {
      body.writeBytes(isOfActions ? ofThePast(record) : record);
      body.write('\n');
    }
    return body.toByteArray();
  }

  /** An action of a delivery with the attribute that keeps it from moving that again. */
  private static byte[] ofThePast(byte[] record) {
    try {
      JsonNode action = JsonMapper.shared().readTree(record);
      if (!(action instanceof ObjectNode object) || !object.has("deliveryId")) {
        return record;
      }
      JsonNode there = object.path("attributes");
      ObjectNode attributes =
          there instanceof ObjectNode some ? some : object.putObject("attributes");
      attributes.put(IMPORTED, true);
      return JsonMapper.shared().writeValueAsBytes(object);
    } catch (JacksonException unreadable) {
      return record; // the server says what is wrong with it
    }
  }

  List<Reject> rejects() {
    return rejects;
  }

  /** The sum of those that are to be sent. */
  long sum() {
    return sum.value();
  }

  /** The first part of them, and the rest. */
  List<ImportBatch> halves() {
    List<ImportBatch> halves = List.of(new ImportBatch(isOfActions), new ImportBatch(isOfActions));
    for (int i = 0; i < texts.size(); i++) {
      halves.get(2 * i < texts.size() ? 0 : 1).add(numbers.get(i), texts.get(i), records.get(i));
    }
    return halves;
  }

  /** Names the records, as in {@code records 51 to 100}. */
  String where() {
    return numbers.isEmpty()
        ? "no records"
        : "records " + numbers.getFirst() + " to " + numbers.getLast();
  }
}
