package gilmok.observe;

import java.util.logging.LogManager;

/**
 * Keeps the log's output while the process stops. The JDK's own takes every handler away as soon as
 * stopping begins, and what the parts say of their end would be lost. Public, as the JDK makes it.
 */
public final class LastingLogManager extends LogManager {
  /** Made by the JDK. */
  public LastingLogManager() {}

  /** Does nothing. */
  @Override
  public void reset() {}
}
