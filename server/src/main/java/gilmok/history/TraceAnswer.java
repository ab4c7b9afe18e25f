package gilmok.history;

import gilmok.event.JsonBuffer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reckons an answer of positions. Not thread-safe: one thread at a time has the question. */
final class TraceAnswer implements HistoryAnswer {
  private final TraceQuestion question;
  private final RiderWalk walk;
  private final LinePoints points;
  private final QuestionCounts counts;
  private final TraceWriter writer;
  private boolean isBegun;
  private int written;
  private @Nullable String lastRider;
  private @Nullable Place last;

  /** Begins where the page does. */
  TraceAnswer(TraceQuestion question, PastPoints past, QuestionCounts counts)
      throws IOException, InterruptedException {
    this.question = question;
    this.counts = counts;
    writer = question.format().writer();
    PageCursor after = question.after();
    Place place = after == null ? null : after.last();
    boolean isLine = question.simplify() > 0 && place != null;
    walk =
        new RiderWalk(
            past,
            question.riders(),
            after == null ? "" : after.rider(),
            place != null && isLine ? place.before() : place);
    points = new LinePoints(walk, question.simplify(), isLine ? place : null);
  }

  @Override
  public String contentType() {
    return question.format().contentType();
  }

  @Override
  public @Nullable String tag() throws IOException, InterruptedException {
    return walk.tag(question.text());
  }

  @Override
  public boolean write(JsonBuffer out) throws IOException, InterruptedException {
    if (!isBegun) {
      isBegun = true;
      writer.begin(out);
    }
    int end = out.size() + PIECE_BYTES;
    while (out.size() < end) {
      String rider = walk.rider();
      if (rider == null) {
        writer.end(null, out);
        return false;
      }
      TracePoint point = points.next();
      if (point == null) {
        points.nextRider();
      } else if (question.format().hasPages() && written == question.limit()) {
        writer.end(next(), out);
        return false;
      } else {
        if (points.isAfterGap()) {
          writer.gap(out);
        }
        writer.point(rider, point, out);
        lastRider = rider;
        last = point.place();
        written++;
        counts.answered();
      }
    }
    return true;
  }

  /** The cursor of the next page; null when there was none to be behind. */
  private @Nullable String next() {
    return lastRider == null || last == null ? null : question.behind(lastRider, last).text();
  }

  @Override
  public void close() {
    walk.close();
  }
}
