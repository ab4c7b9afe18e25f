package gilmok.history;

import gilmok.event.DamagedEvent;
import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.event.ShippedRecordKey;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import gilmok.parquet.ParquetType;
import gilmok.parquet.ParquetValues;
import gilmok.shipped.ShippedFiles.RowGroup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reckons a page of log lines, the newest first: one pass over the log and over those parts of
 * files that can have them, the latest first. When that has taken long enough, the page ends before
 * the next part: it has what is later than anything there, perhaps nothing. Not thread-safe: one
 * thread at a time has the question.
 */
final class LogAnswer implements HistoryAnswer {
  /** A page of long lines ends earlier. */
  private static final long PAGE_BYTES_MAX = 2L << 20;

  private final LogQuestion question;
  private final FreshRecords fresh;
  private final RowGroups rows;
  private final QuestionTime time;
  private final QuestionCounts counts;
  private final FirstInOrder<FoundLine> first;
  private final ParquetValues riderId = new ParquetValues("rider_id", ParquetType.TEXT);
  private final ParquetValues happenedAt = new ParquetValues("happened_at", ParquetType.TIME);
  private final ParquetValues receivedAt = new ParquetValues("received_at", ParquetType.TIME);
  private final ParquetValues key = new ParquetValues("dedup_key", ParquetType.TEXT);
  private final ParquetValues level = new ParquetValues("level", ParquetType.TEXT);
  private final ParquetValues message = new ParquetValues("message", ParquetType.TEXT);
  private final ParquetValues id = new ParquetValues("id", ParquetType.TEXT);
  private final ParquetValues attributes = new ParquetValues("attributes", ParquetType.TEXT);
  private final EventView view = new EventView();
  private final ShippedRecordKey shippedKey = new ShippedRecordKey();
  private final JsonBuffer text = new JsonBuffer();
  private final byte @Nullable [] rider;

  /** Where the page ends, as what was not looked at begins there; null when all was. */
  private @Nullable Place end;

  /** Reads {@code fresh} and the files. */
  LogAnswer(
      LogQuestion question,
      FreshRecords fresh,
      @Nullable ShippedStream shipped,
      QuestionTime time,
      QuestionCounts counts)
      throws IOException {
    this.question = question;
    this.fresh = fresh;
    this.time = time;
    this.counts = counts;
    String named = question.rider();
    rider = named == null ? null : named.getBytes(StandardCharsets.UTF_8);
    Comparator<FoundLine> order = Comparator.comparing(FoundLine::place);
    first =
        new FirstInOrder<>(order.reversed(), question.limit(), PAGE_BYTES_MAX, FoundLine::bytes);
    rows =
        new RowGroups(
            new RowGroups.Wanted(shipped, Stream.LOGS, question.rider(), question.span()),
            time,
            counts,
            riderId,
            happenedAt,
            receivedAt,
            key,
            level,
            message,
            id,
            attributes);
  }

  @Override
  public String contentType() {
    return "application/json";
  }

  @Override
  public @Nullable String tag() {
    return null;
  }

  @Override
  public boolean write(JsonBuffer out) throws IOException, InterruptedException {
    fresh.read(this::see);
    rows.pass(this::look);
    List<FoundLine> all = first.all();
    Place reached = end;
    List<FoundLine> found =
        reached == null
            ? all
            : all.stream().filter(line -> line.place().compareTo(reached) >= 0).toList();
    out.page(
        found,
        (line, json) -> {
          byte[] utf8 = line.json().getBytes(StandardCharsets.UTF_8);
          json.raw(utf8, 0, utf8.length);
          counts.answered();
        },
        next(found, found.size() < all.size()));
    return false;
  }

  /** The cursor of the next page; null if there is none. */
  private @Nullable String next(List<FoundLine> found, boolean hasMore) {
    Place reached = end;
    boolean isFull = first.bound() != null && !hasMore;
    Place last = isFull ? found.getLast().place() : reached;
    return last == null ? null : question.behind(last).text();
  }

  /** Looks into the groups, the one with the newest lines first. */
  private void look(List<RowGroup> groups) throws IOException, InterruptedException {
    List<RowGroup> newestFirst =
        groups.stream().sorted(Comparator.comparingLong(RowGroup::maxMillis).reversed()).toList();
    PageCursor after = question.after();
    end = null;
    for (RowGroup group : newestFirst) {
      FoundLine bound = first.bound();
      if (bound != null && group.maxMillis() < bound.place().atMillis()) {
        return;
      }
      Place behind = new Place(group.maxMillis() + 1, 0, 0);
      if (time.isEnough() && question.isWithin(behind)) {
        end = behind;
        return;
      }
      if (after == null || group.minMillis() <= after.last().atMillis()) {
        rows.read(group, this::take);
      }
    }
  }

  /** Looks at a record of the log. */
  private void see(LogReader reader) {
    try {
      view.wrap(reader.bytes(), reader.offset(), reader.length());
    } catch (DamagedEvent damaged) {
      return; // no sink ships it, either
    }
    if (view.kind() != EventKind.LOG_LINE
        || !question.span().has(view.at(), reader.receivedAtMillis())
        || !isTheirs(
            view.bytes(), view.offset(EventField.RIDER_ID), view.length(EventField.RIDER_ID))
        || !question.isOfLevel(
            view.bytes(), view.offset(EventField.LEVEL), view.length(EventField.LEVEL))
        || !question.hasText(
            view.bytes(), view.offset(EventField.MESSAGE), view.length(EventField.MESSAGE))) {
      return;
    }
    text.clear();
    shippedKey.write(Stream.LOGS.code(), view, reader.offset(), reader.length(), text);
    Place place = Place.of(view.at(), text.bytes(), 0);
    if (question.isBehind(place)) {
      text.clear();
      view.writeJson(text);
      first.add(new FoundLine(place, text.toString()));
    }
  }

  /** Looks at a row of a file. */
  private void take(int row) {
    boolean isWhole =
        riderId.has(row)
            && happenedAt.has(row)
            && receivedAt.has(row)
            && level.has(row)
            && message.has(row)
            && key.has(row)
            && key.length(row) == Place.KEY_CHARS;
    if (!isWhole
        || !question.span().has(happenedAt.number(row), receivedAt.number(row))
        || !question.isOfLevel(level.bytes(), level.offset(row), level.length(row))
        || !question.hasText(message.bytes(), message.offset(row), message.length(row))) {
      return;
    }
    Place place = Place.of(happenedAt.number(row), key.bytes(), key.offset(row));
    if (question.isBehind(place)) {
      first.add(new FoundLine(place, json(row)));
    }
  }

  private boolean isTheirs(byte[] bytes, int offset, int length) {
    byte[] one = rider;
    return one == null || Arrays.equals(one, 0, one.length, bytes, offset, offset + length);
  }

  /** A row as {@link EventView#writeJson} would write it. */
  private String json(int row) {
    text.clear();
    text.ascii("{\"riderId\":");
    string(riderId, row);
    text.ascii(",\"at\":").time(happenedAt.number(row)).ascii(",\"level\":");
    string(level, row);
    text.ascii(",\"message\":");
    string(message, row);
    if (id.has(row)) {
      text.ascii(",\"id\":");
      string(id, row);
    }
    if (attributes.has(row)) {
      text.ascii(",\"attributes\":");
      text.raw(attributes.bytes(), attributes.offset(row), attributes.length(row));
    }
    return text.put('}').toString();
  }

  private void string(ParquetValues column, int row) {
    text.string(column.bytes(), column.offset(row), column.length(row));
  }

  @Override
  public void close() {
    rows.close();
  }
}
