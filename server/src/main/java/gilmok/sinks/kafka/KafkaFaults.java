package gilmok.sinks.kafka;

import gilmok.config.HiddenSecrets;
import gilmok.sinks.Verdict.Cause;
import gilmok.sinks.Verdict.Retry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.BootstrapResolutionException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.ThrottlingQuotaExceededException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Translates failures of Kafka's client into verdicts: the one place where that is decided. */
final class KafkaFaults {
  private static final int CHARS_MAX = 400;
  private static final int CAUSES_MAX = 10;
  private static final String WRITING = "Write, Describe and DescribeConfigs";

  private KafkaFaults() {}

  /**
   * The verdict on a failure.
   *
   * @param where the brokers, for the operator
   * @param secrets what may not be shown
   */
  static Retry verdict(Throwable failure, String where, List<String> secrets) {
    Throwable cause = root(failure);
    return new Retry(cause(cause), detail(cause, WRITING, where, secrets));
  }

  /** The same of whoever needs those rights, as a text. */
  static String ofNeeding(String rights, Throwable failure, String where, List<String> secrets) {
    return detail(root(failure), rights, where, secrets);
  }

  /** The same of who reads, as a text. */
  static String ofReading(Throwable failure, String where, List<String> secrets) {
    return detail(root(failure), "Read and Describe", where, secrets);
  }

  private static String detail(Throwable cause, String rights, String where, List<String> secrets) {
    String detail = where + ": " + HiddenSecrets.in(told(cause, rights), secrets);
    String plain = detail.replaceAll("\\p{Cntrl}+", " ");
    return plain.substring(0, Math.min(CHARS_MAX, plain.length()));
  }

  /** What a failure is about: the first that has a meaning of its own. */
  private static Throwable root(Throwable failure) {
    Throwable found = failure;
    while (found.getCause() != null
        && (found instanceof ExecutionException
            || found instanceof CompletionException
            || found.getClass() == KafkaException.class
            || isWrapped(found))) {
      found = found.getCause();
    }
    return found;
  }

  /** A timeout that was only waiting for what its cause says. */
  private static boolean isWrapped(Throwable failure) {
    return failure instanceof TimeoutException
        && (failure.getCause() instanceof AuthenticationException
            || failure.getCause() instanceof UnknownTopicOrPartitionException);
  }

  private static Cause cause(Throwable cause) {
    return switch (cause) {
      case AuthenticationException _,
          AuthorizationException _,
          UnknownTopicOrPartitionException _,
          InvalidTopicException _,
          PolicyViolationException _ ->
          Cause.DENIED;
      case ThrottlingQuotaExceededException _ -> Cause.THROTTLED;
      case DisconnectException _, NetworkException _, BootstrapResolutionException _ ->
          Cause.UNREACHABLE;
      case TimeoutException timeout -> isAway(timeout) ? Cause.UNREACHABLE : Cause.TIMEOUT;
      case ConfigException config -> isUnresolved(config) ? Cause.UNREACHABLE : Cause.DENIED;
      case IllegalArgumentException _ -> Cause.DENIED; // as of a login that cannot be read
      default -> Cause.FAILED;
    };
  }

  private static boolean isAway(TimeoutException timeout) {
    String message = String.valueOf(timeout.getMessage());
    return timeout.getCause() instanceof DisconnectException
        || message.contains("node assignment")
        || message.contains("not present in metadata")
        || message.contains("Call(callName");
  }

  private static boolean isUnresolved(ConfigException config) {
    return String.valueOf(config.getMessage()).contains("resolvable");
  }

  private static String told(Throwable cause, String rights) {
    String message = String.valueOf(cause.getMessage());
    return switch (cause) {
      case TopicAuthorizationException topics ->
          "no right for the topic "
              + String.join(", ", new ArrayList<>(topics.unauthorizedTopics()))
              + ": "
              + rights
              + " are needed";
      case AuthorizationException _ -> "no right: " + message;
      case SslAuthenticationException _ ->
          "no TLS with the broker; look at the certificates: " + message + deepest(cause);
      case AuthenticationException _ -> "the client is not let in: " + message;
      case UnknownTopicOrPartitionException _ ->
          "a topic is not there: make it, or set create-topics: " + message;
      case NotEnoughReplicasException _, NotEnoughReplicasAfterAppendException _ ->
          "too few replicas are in sync (min.insync.replicas): " + message;
      case KafkaStorageException _ -> "a broker cannot write, its disk may be full: " + message;
      case TimeoutException timeout ->
          (isAway(timeout) ? "no broker answers: " : "no answer in time: ") + message;
      case ConfigException _, IllegalArgumentException _ ->
          "the client cannot be opened: " + message;
      case IOException _ -> message;
      default -> cause.getClass().getSimpleName() + ": " + message;
    };
  }

  /** What lies below a failure: which certificate is not trusted, say. */
  private static String deepest(Throwable failure) {
    Throwable found = failure;
    for (int i = 0; i < CAUSES_MAX && found.getCause() != null; i++) {
      found = found.getCause();
    }
    return found == failure ? "" : ": " + found.getMessage();
  }
}
