package gilmok.transfer;

import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
import java.io.IOException;
import java.util.List;

/** The records of one body, while they are brought in. Not thread-safe: one for each body. */
public interface RecordBatch {
  /**
   * Reads a record. If something is wrong with it, {@code fields} say what, and it is left out.
   *
   * @param value the record in the document
   * @param fields of that document, with no fault yet
   */
  void read(JsonDocument document, int value, Fields fields)
      throws IOException, InterruptedException;

  /**
   * Stores what was read; durable on return. What is there already stays as it is, so bringing
   * records again repairs a call that has failed.
   */
  Stored store() throws IOException, InterruptedException;

  /**
   * What became of the records.
   *
   * @param accepted how many are new
   * @param duplicates how many were there already
   * @param differing the ids of those duplicates that are there with other values
   * @param rejected those that the store does not take
   * @param sum of all that are there as they were brought ({@link RecordSum})
   */
  record Stored(
      int accepted, int duplicates, List<String> differing, List<Rejected> rejected, long sum) {
    public Stored {
      differing = List.copyOf(differing);
      rejected = List.copyOf(rejected);
    }
  }

  /**
   * A record that was read but is not taken.
   *
   * @param number of the record among those that were read, from 0
   * @param field what is wrong, as the client names it
   */
  record Rejected(int number, String field, String reason) {}
}
