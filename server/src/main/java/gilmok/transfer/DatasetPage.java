package gilmok.transfer;

import gilmok.event.JsonBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A page of records. Immutable.
 *
 * @param records each a JSON object in UTF-8 without line ends; not copied
 * @param next the cursor of the next page; null when this is the last
 */
public record DatasetPage(List<byte[]> records, @Nullable String next) {
  public DatasetPage {
    records = List.copyOf(records);
  }

  /**
   * A page of what a store has found.
   *
   * @param found up to one more than the limit: then there is another page
   * @param limit how many the page has at most
   * @param writer writes one of them
   * @param cursor names one of them
   */
  public static <T> DatasetPage of(
      List<T> found, int limit, BiConsumer<T, JsonBuffer> writer, Function<T, String> cursor) {
    List<T> shown = found.subList(0, Math.min(limit, found.size()));
    List<byte[]> records = new ArrayList<>(shown.size());
    JsonBuffer out = new JsonBuffer();
    for (T one : shown) {
      out.clear();
      writer.accept(one, out);
      records.add(out.copy());
    }
    return new DatasetPage(records, found.size() > limit ? cursor.apply(shown.getLast()) : null);
  }
}
