package gilmok.redis;

import gilmok.config.HiddenSecrets;
import gilmok.redis.RedisReply.Fault;
import gilmok.redis.RedisReply.Kind;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** Converts the driver's exceptions into faults. Immutable. */
final class RedisFaults {
  private static final int CAUSES_MAX = 10;

  private final List<String> secrets;

  /**
   * @param secrets texts that no fault's detail may contain
   */
  RedisFaults(List<String> secrets) {
    this.secrets = secrets;
  }

  Fault of(Throwable thrown) {
    Throwable last = thrown;
    Throwable cause = thrown;
    for (int i = 0; cause != null && i < CAUSES_MAX; i++, cause = cause.getCause()) {
      if (cause instanceof RedisCommandExecutionException refused) {
        String text = text(refused);
        return new Fault(Kind.REFUSED, text.split(" ", 2)[0], text);
      }
      if (cause instanceof RedisCommandTimeoutException || cause instanceof TimeoutException) {
        return new Fault(Kind.TIMEOUT, "", text(cause));
      }
      last = cause;
    }
    String text = text(last);
    boolean full = text.contains("queue size exceeded") || text.contains("buffer size exceeded");
    return new Fault(full ? Kind.BUSY : Kind.UNREACHABLE, "", text);
  }

  private String text(Throwable thrown) {
    String message = thrown.getMessage();
    return HiddenSecrets.in(message == null ? name(thrown) : message, secrets);
  }

  private static String name(Throwable thrown) {
    return thrown instanceof TimeoutException
        ? "no connection in time"
        : thrown.getClass().getSimpleName();
  }
}
