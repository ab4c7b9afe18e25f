package gilmok.sinks.firehose;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Describes a failure to get credentials in a few words: files, hosts, codes. Text of other
 * services and programs is not shown: a service that refuses a signature repeats the signed data,
 * with a token in it, and a program that should print a key may have printed it to its error
 * output.
 */
final class CredentialReasons {
  private static final int CHARS_MAX = 160;
  private static final int CAUSES_MAX = 10;

  /** Where a fixed sentence of the SDK begins to quote something. */
  private static final Pattern QUOTE = Pattern.compile("[:({\\[\\n].*", Pattern.DOTALL);

  /** Text that could be a key: long, with digits, large and small letters. */
  private static final Pattern KEY =
      Pattern.compile(
          "(?=[\\w+/=-]*[0-9])(?=[\\w+/=-]*[a-z])(?=[\\w+/=-]*[A-Z])[\\w+/=-]{16,}"
              + "|\\bA[KS]IA[A-Z0-9]{8,}");

  private CredentialReasons() {}

  /** Describes the reason of a failure. */
  static String of(Throwable failure) {
    String sentence = failure.getClass().getSimpleName();
    Throwable cause = failure;
    for (int i = 0; cause != null && i < CAUSES_MAX; i++, cause = cause.getCause()) {
      if (cause instanceof NoCredentials none) {
        return none.reason();
      }
      String told = told(cause);
      if (told != null) {
        return cut(told, CHARS_MAX);
      }
      boolean isTheirs =
          cause instanceof SdkException
              || cause instanceof IllegalStateException
              || cause instanceof IllegalArgumentException;
      if (isTheirs && cause.getMessage() != null) {
        sentence = words(QUOTE.matcher(cause.getMessage()).replaceFirst(""));
      }
    }
    return sentence;
  }

  /**
   * Text that is safe to show: one line of limited length, without anything that could be a key.
   */
  static String words(String text) {
    String line = KEY.matcher(text.strip()).replaceAll("***").replaceAll("\\p{Cntrl}+", " ");
    return cut(line, CHARS_MAX);
  }

  private static String cut(String text, int charsMax) {
    return text.length() <= charsMax ? text : text.substring(0, charsMax - 1) + "…";
  }

  private static @Nullable String told(Throwable cause) {
    return switch (cause) {
      case ProxyFault fault -> fault.getMessage();
      case AwsServiceException answer -> answered(answer);
      case NoSuchFileException missing -> "no such file " + missing.getFile();
      case AccessDeniedException closed -> "may not read " + closed.getFile();
      case UnknownHostException unknown -> "cannot resolve " + words(message(unknown));
      case ConnectException refused -> words(message(refused));
      case SocketTimeoutException _ -> "no answer in time";
      default -> null;
    };
  }

  private static String answered(AwsServiceException answer) {
    String service =
        answer.awsErrorDetails() == null ? null : answer.awsErrorDetails().serviceName();
    String code = answer.awsErrorDetails() == null ? null : answer.awsErrorDetails().errorCode();
    String told = FirehoseFaults.plain(service) + " answered " + FirehoseFaults.plain(code);
    return told + " (" + answer.statusCode() + ")";
  }

  private static String message(Throwable cause) {
    return String.valueOf(cause.getMessage());
  }
}
