package gilmok.privacy;

import gilmok.event.DedupKey;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Looks up what riders withhold. While nobody withholds anything, a look-up is the read of one
 * volatile field. Many positions in a row are of one rider, who is looked up once.
 *
 * <p>Not thread-safe: each thread has its own.
 */
public final class ConsentView {
  private final WithheldRiders riders;
  private final DedupKey hash;
  private byte[] last = {};
  private int lastLength = -1;
  private long high;
  private long low;
  private int lastCode;
  private long lastVersion = -1;

  ConsentView(WithheldRiders riders) {
    this.riders = riders;
    hash = new DedupKey(riders.secret());
  }

  /** Whether any rider withholds anything. */
  public boolean isAny() {
    return riders.isAny();
  }

  /** Raised after anybody's consent has changed. */
  public long version() {
    return riders.version();
  }

  /** Whether a rider's location is shown to nobody for that purpose. */
  public boolean hides(Purpose purpose, byte[] utf8, int offset, int length) {
    return (code(utf8, offset, length) & purpose.bit()) != 0;
  }

  /** Why nothing is collected of a rider; null when it is. */
  public @Nullable NotCollected closed(byte[] utf8, int offset, int length) {
    int code = code(utf8, offset, length);
    if ((code & Purpose.ALL) != Purpose.ALL) {
      return null;
    }
    return (code & Consent.OFF_DUTY) == 0 ? NotCollected.WITHDRAWN : NotCollected.OFF_DUTY;
  }

  int code(byte[] utf8, int offset, int length) {
    long version = riders.version(); // before the table: it is raised after a change
    WithheldTable table = riders.table();
    if (table == WithheldTable.NONE) {
      return 0;
    }
    if (length != lastLength || !Arrays.equals(last, 0, length, utf8, offset, offset + length)) {
      digest(utf8, offset, length);
    }
    if (version != lastVersion) {
      lastCode = table.find(high, low);
      lastVersion = version;
    }
    return lastCode;
  }

  private void digest(byte[] utf8, int offset, int length) {
    if (length > last.length) {
      last = new byte[Math.max(length, 128)];
    }
    System.arraycopy(utf8, offset, last, 0, length);
    lastLength = length;
    lastVersion = -1;
    hash.hash(utf8, offset, length);
    high = hash.high();
    low = hash.low();
  }

  RiderDigest digest(byte[] utf8) {
    digest(utf8, 0, utf8.length);
    return new RiderDigest(high, low);
  }
}
