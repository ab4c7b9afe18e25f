package gilmok.cache;

import java.io.IOException;

/** A load threw what is no outage: a bug, of the source or of what it was given. */
public final class LoadFailure extends IOException {
  private static final long serialVersionUID = 1L;

  LoadFailure(Throwable bug) {
    super("the load has a bug: " + bug, bug);
  }
}
