package gilmok.statements;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Entries in memory, as plainly as can be, that can be told to fail. Not thread-safe. */
final class MemoryEntries implements EntryStore {
  private static final Comparator<Entry> ORDER =
      Comparator.comparingLong(Entry::atMillis).thenComparing(Entry::id);

  private final Map<String, Entry> entries = new HashMap<>();
  @Nullable Error fault;
  private int pagesLeft = Integer.MAX_VALUE;

  /** Has all pages fail after so many. */
  void failAfterPages(int pages) {
    pagesLeft = pages;
  }

  @Override
  public Added add(List<Entry> added) {
    int accepted = 0;
    List<String> differing = new ArrayList<>();
    for (Entry entry : added) {
      Entry kept = entries.putIfAbsent(entry.id(), entry);
      if (kept == null) {
        accepted++;
      } else if (!kept.equals(entry)) {
        differing.add(entry.id());
      }
    }
    return new Added(accepted, added.size() - accepted, differing);
  }

  @Override
  public Sums sum(String riderId, Days days, String currency) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Entry> page(
      String riderId, long fromMillis, long untilMillis, @Nullable Entry after, int limit)
      throws IOException {
    if (pagesLeft-- <= 0) {
      if (fault != null) {
        throw fault;
      }
      throw new IOException("told to fail");
    }
    return entries.values().stream()
        .filter(entry -> entry.riderId().equals(riderId))
        .filter(entry -> entry.atMillis() >= fromMillis && entry.atMillis() < untilMillis)
        .filter(entry -> after == null || ORDER.compare(entry, after) > 0)
        .sorted(ORDER)
        .limit(limit)
        .toList();
  }
}
