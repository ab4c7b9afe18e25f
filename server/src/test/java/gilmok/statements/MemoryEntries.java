package gilmok.statements;

import gilmok.event.DayRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Entries in memory, implemented simply, that can be made to fail. Not thread-safe. */
final class MemoryEntries implements EntryStore {
  private static final Comparator<StatementEntry> ORDER =
      Comparator.comparingLong(StatementEntry::atMillis).thenComparing(StatementEntry::id);

  private final Map<String, StatementEntry> entries = new HashMap<>();
  @Nullable Error fault;
  private int pagesLeft = Integer.MAX_VALUE;

  /** Makes all pages after that many fail. */
  void failAfterPages(int pages) {
    pagesLeft = pages;
  }

  @Override
  public Added add(List<StatementEntry> added) {
    int accepted = 0;
    List<String> differing = new ArrayList<>();
    for (StatementEntry entry : added) {
      StatementEntry kept = entries.putIfAbsent(entry.id(), entry);
      if (kept == null) {
        accepted++;
      } else if (!kept.equals(entry)) {
        differing.add(entry.id());
      }
    }
    return new Added(accepted, added.size() - accepted, differing);
  }

  @Override
  public DaySums sum(String riderId, DayRange days, String currency) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<StatementEntry> page(
      String riderId, long fromMillis, long untilMillis, @Nullable StatementEntry after, int limit)
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

  @Override
  public List<StatementEntry> after(String id, int limit) {
    return entries.values().stream()
        .filter(entry -> entry.id().compareTo(id) > 0)
        .sorted(Comparator.comparing(StatementEntry::id))
        .limit(limit)
        .toList();
  }
}
