package gilmok.adapter;

import gilmok.retention.DocumentArchive;
import gilmok.sinks.file.ArchiveFolder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Documents that come in pages, as the rows of a file. */
final class ArchivedRows {
  private ArchivedRows() {}

  /** The row of each document, one after the other. */
  static <T> ArchiveFolder.Rows of(
      DocumentArchive.Pages<T> pages, Function<T, List<@Nullable Object>> row) {
    Deque<T> ahead = new ArrayDeque<>();
    return () -> {
      if (ahead.isEmpty()) {
        ahead.addAll(pages.next());
      }
      T next = ahead.poll();
      return next == null ? null : row.apply(next);
    };
  }
}
