package gilmok.sinks.firehose;

import gilmok.sinks.Verdict;
import gilmok.sinks.Verdict.Cause;
import gilmok.sinks.Verdict.Refused;
import gilmok.sinks.Verdict.Retry;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Locale;
import java.util.Set;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Translates a call that failed as a whole to a verdict. Of Firehose's answer, only the code and
 * the status are shown: its messages may repeat signed data. Our own messages about credentials and
 * proxies are shown.
 */
final class FirehoseFaults {
  private static final int CODE_CHARS_MAX = 60;

  private static final Set<String> THROTTLING =
      Set.of(
          "ServiceUnavailable",
          "ServiceUnavailableException",
          "LimitExceededException",
          "ProvisionedThroughputExceededException",
          "RequestLimitExceeded",
          "SlowDown",
          "Throttling",
          "ThrottlingException",
          "ThrottledException",
          "TooManyRequestsException");

  private static final Set<String> REFUSING =
      Set.of(
          "InvalidArgumentException",
          "RequestEntityTooLargeException",
          "SerializationException",
          "ValidationError",
          "ValidationException");

  /**
   * The answers to a caller without that right, or from an endpoint that does not know the
   * operation.
   */
  private static final Set<String> HARMLESS =
      Set.of("AccessDeniedException", "AccessDenied", "UnknownOperationException");

  private FirehoseFaults() {}

  /** The verdict on a call that failed. */
  static Verdict verdict(SdkException failure) {
    return switch (failure) {
      case ApiCallTimeoutException _, ApiCallAttemptTimeoutException _ ->
          new Retry(Cause.TIMEOUT, "no answer in time");
      case AwsServiceException answer -> answered(answer);
      default -> unanswered(failure);
    };
  }

  /**
   * Why nothing can be sent, as far as the answer to a describe call tells; null when it only means
   * that this call is not allowed, or not so often.
   */
  static @Nullable Retry absence(SdkException failure) {
    if (failure instanceof AwsServiceException answer
        && answer.awsErrorDetails() != null
        && HARMLESS.contains(String.valueOf(answer.awsErrorDetails().errorCode()))) {
      return null;
    }
    return switch (verdict(failure)) {
      case Retry retry
          when retry.cause() == Cause.THROTTLED
              && failure instanceof AwsServiceException answer
              && answer.statusCode() / 100 == 4 ->
          null;
      case Retry retry -> retry;
      default -> null; // an endpoint with no operation but PutRecordBatch
    };
  }

  private static Verdict answered(AwsServiceException answer) {
    String code = answer.awsErrorDetails() == null ? null : answer.awsErrorDetails().errorCode();
    int status = answer.statusCode();
    String told = String.format(Locale.ROOT, "%s (%d)", plain(code), status);
    boolean hasNoCode = code == null || code.isEmpty();
    if (isThrottling(code) || answer.isThrottlingException() || status == 429 || status == 503) {
      return new Retry(Cause.THROTTLED, told);
    }
    if (status == 413
        || (code != null && REFUSING.contains(code))
        || (status == 400 && hasNoCode)) {
      return new Refused(told);
    }
    if (status == 408 || status == 504) {
      return new Retry(Cause.TIMEOUT, told);
    }
    // No such stream, no right, no key; or an unknown code, for which a record is hardly to blame.
    return new Retry(status >= 400 && status < 500 ? Cause.DENIED : Cause.FAILED, told);
  }

  private static Verdict unanswered(SdkException failure) {
    IOException io = null;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof NoCredentials none) {
        return new Retry(Cause.DENIED, String.valueOf(none.getMessage()));
      }
      if (cause instanceof ProxyFault proxy) {
        return new Retry(Cause.UNREACHABLE, String.valueOf(proxy.getMessage()));
      }
      io = cause instanceof IOException one ? one : io;
    }
    return switch (io) {
      case null -> new Retry(Cause.FAILED, failure.getClass().getSimpleName());
      case SocketTimeoutException late when !(late instanceof ConnectTimeoutException) ->
          new Retry(Cause.TIMEOUT, "no answer in time");
      default -> new Retry(Cause.UNREACHABLE, io.getClass().getSimpleName());
    };
  }

  /** Whether the code of a call or a record means throttling. */
  static boolean isThrottling(@Nullable String code) {
    return code != null && THROTTLING.contains(code);
  }

  /** A code or an id that is safe to show: one word of limited length. */
  static String plain(@Nullable String code) {
    if (code == null || code.isEmpty()) {
      return "unknown";
    }
    String word = code.length() > CODE_CHARS_MAX ? code.substring(0, CODE_CHARS_MAX) : code;
    return word.replaceAll("[^a-zA-Z0-9._-]", "_");
  }
}
