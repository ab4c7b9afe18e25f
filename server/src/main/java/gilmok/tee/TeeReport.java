package gilmok.tee;

import gilmok.config.Settings;
import gilmok.event.JsonBuffer;
import gilmok.http.OtherAnswer;
import gilmok.observe.Counter;
import gilmok.observe.Meters;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What became of the requests that both servers got: how many were answered alike, and where not.
 * Thread-safe.
 */
final class TeeReport {
  private static final int KEPT_MAX = 100;
  private static final int PAIRS_MAX = 200;

  /**
   * A request that was answered differently, or not taken whole.
   *
   * @param request method and path as sent
   * @param ours our status
   * @param quarantined how many of its records went into quarantine here
   * @param theirs the other server's; 0 when it did not answer
   * @param failure why it did not
   */
  private record Different(
      long atMillis, String request, int ours, int quarantined, int theirs, String failure) {}

  private final Counter alike;
  private final Counter quarantined;
  private final Counter different;
  private final Counter unanswered;
  private final Counter dropped;
  private final Counter withheld;
  private final Counter notStored;
  private final Deque<Different> kept = new ArrayDeque<>();
  private final Map<String, Long> pairs = new TreeMap<>();

  TeeReport(Meters meters) {
    alike = counter(meters, "alike");
    quarantined = counter(meters, "quarantined");
    different = counter(meters, "different");
    unanswered = counter(meters, "unanswered");
    dropped = counter(meters, "dropped");
    withheld = counter(meters, "withheld");
    notStored =
        meters.counter(
            "gilmok_tee_not_stored_total",
            "Requests that the other server accepted and this one did not, in mode shadow.");
  }

  private static Counter counter(Meters meters, String outcome) {
    return meters.counter(
        "gilmok_tee_requests_total",
        "Requests for both servers, by whether they were answered alike.",
        "outcome",
        outcome);
  }

  /** How many requests the other server has not answered. */
  long unansweredSoFar() {
    return unanswered.total();
  }

  /** A request was not passed on, as too much waits. */
  void dropped() {
    dropped.increment();
  }

  /** A request was not passed on, as it has records of riders who do not agree. */
  void withheld() {
    withheld.increment();
  }

  /**
   * Both have answered a request, or the other one will not.
   *
   * @param setAside how many of its records went into quarantine here, if we have accepted it
   */
  void answered(
      long atMillis,
      String request,
      int ours,
      int setAside,
      OtherAnswer theirs,
      TeeConfig.Mode mode) {
    boolean isOurs = ours / 100 == 2;
    int aside = isOurs ? setAside : 0;
    Different one =
        new Different(atMillis, request, ours, aside, theirs.status(), theirs.failure());
    if (theirs.status() == 0) {
      unanswered.increment();
    } else if (isOurs == theirs.isSuccess()) {
      if (aside > 0) {
        quarantined.increment();
        keep(one);
      } else {
        alike.increment();
      }
      return;
    } else {
      different.increment();
    }
    if (mode == TeeConfig.Mode.SHADOW && theirs.isSuccess() && !isOurs) {
      notStored.increment();
    }
    pair(ours + " " + theirs.status());
    keep(one);
  }

  private synchronized void pair(String statuses) {
    if (pairs.size() < PAIRS_MAX || pairs.containsKey(statuses)) {
      pairs.merge(statuses, 1L, Long::sum);
    }
  }

  private synchronized void keep(Different one) {
    kept.addLast(one);
    if (kept.size() > KEPT_MAX) {
      kept.removeFirst();
    }
  }

  /** The report as JSON. */
  byte[] json(TeeConfig config, long waitingBytes) {
    List<Different> last;
    Map<String, Long> counts;
    synchronized (this) {
      last = new ArrayList<>(kept).reversed();
      counts = new TreeMap<>(pairs);
    }
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"url\":").string(String.valueOf(config.url()));
    out.ascii(",\"mode\":").string(Settings.dashed(config.mode()));
    out.ascii(",\"alike\":").number(alike.total());
    out.ascii(",\"quarantined\":").number(quarantined.total());
    out.ascii(",\"different\":").number(different.total());
    out.ascii(",\"unanswered\":").number(unanswered.total());
    out.ascii(",\"dropped\":").number(dropped.total());
    out.ascii(",\"withheld\":").number(withheld.total());
    out.ascii(",\"notStored\":").number(notStored.total());
    out.ascii(",\"waitingBytes\":").number(waitingBytes);
    out.ascii(",\"statuses\":[");
    String comma = "";
    for (Map.Entry<String, Long> pair : counts.entrySet()) {
      String[] both = pair.getKey().split(" ");
      out.ascii(comma).ascii("{\"ours\":").ascii(both[0]).ascii(",\"theirs\":").ascii(both[1]);
      out.ascii(",\"count\":").number(pair.getValue()).put('}');
      comma = ",";
    }
    out.ascii("],\"last\":[");
    comma = "";
    for (Different one : last) {
      out.ascii(comma).ascii("{\"at\":").time(one.atMillis);
      out.ascii(",\"request\":").string(one.request);
      out.ascii(",\"ours\":").number(one.ours).ascii(",\"theirs\":").number(one.theirs);
      if (one.quarantined > 0) {
        out.ascii(",\"quarantined\":").number(one.quarantined);
      }
      if (!one.failure.isEmpty()) {
        out.ascii(",\"failure\":").string(one.failure);
      }
      out.put('}');
      comma = ",";
    }
    return out.ascii("]}").copy();
  }
}
