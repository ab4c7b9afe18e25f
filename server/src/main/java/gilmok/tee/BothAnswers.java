package gilmok.tee;

import gilmok.http.Exchange;
import gilmok.http.OtherAnswer;
import org.jspecify.annotations.Nullable;

/**
 * The answers to one request, which come on two threads; told to the report once both are there.
 */
final class BothAnswers implements Exchange.Answered {
  private final TeeReport report;
  private final TeeConfig.Mode mode;
  private final String request;
  private final long atMillis;
  private int ours;
  private int setAside;
  private @Nullable OtherAnswer theirs;

  BothAnswers(TeeReport report, TeeConfig.Mode mode, String request, long atMillis) {
    this.report = report;
    this.mode = mode;
    this.request = request;
    this.atMillis = atMillis;
  }

  /** Our answer's status, and how many records we have put into quarantine. */
  @Override
  public synchronized void answered(int status, int quarantined) {
    ours = status;
    setAside = quarantined;
    tell();
  }

  /** The other server's answer. */
  synchronized void theirs(OtherAnswer answer) {
    theirs = answer;
    tell();
  }

  private void tell() {
    OtherAnswer other = theirs;
    if (ours != 0 && other != null) {
      report.answered(atMillis, request, ours, setAside, other, mode);
    }
  }
}
