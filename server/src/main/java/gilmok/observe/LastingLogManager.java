package gilmok.observe;

import java.util.logging.LogManager;

/**
 * Keeps the log's output while the process stops. The JDK's own log manager removes all handlers as
 * soon as the stop begins, which would lose what the parts log while they end. Public, as the JDK
 * instantiates it.
 */
public final class LastingLogManager extends LogManager {
  /** Called by the JDK. */
  public LastingLogManager() {}

  /** Does nothing, so that handlers stay. */
  @Override
  public void reset() {}
}
