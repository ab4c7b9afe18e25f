package gilmok.cache;

import java.io.IOException;

/**
 * A load that failed by a bug, not by an outage: the source, or what it called, threw an unchecked
 * exception or an error.
 */
public final class LoadFailure extends IOException {
  private static final long serialVersionUID = 1L;

  LoadFailure(Throwable bug) {
    super("the load has a bug: " + bug, bug);
  }
}
