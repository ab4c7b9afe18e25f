package gilmok.statements;

import gilmok.event.JsonBuffer;
import gilmok.event.JsonLines;
import java.io.IOException;
import java.util.List;

/** The entries of a rider's statements. Thread-safe; blocks. */
public record EntryHandout(EntryStore store) {
  private static final int PAGE = 1_000;

  /** Gives them, the earliest first. */
  public void write(String riderId, JsonLines out) throws IOException, InterruptedException {
    JsonBuffer json = new JsonBuffer();
    StatementEntry last = null;
    List<StatementEntry> page = store.page(riderId, 0, Long.MAX_VALUE, last, PAGE);
    while (!page.isEmpty()) {
      for (StatementEntry one : page) {
        json.clear();
        StatementJson.write(one, json);
        out.line(json);
        last = one;
      }
      page = store.page(riderId, 0, Long.MAX_VALUE, last, PAGE);
    }
  }
}
