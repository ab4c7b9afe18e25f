package gilmok.ship.firehose;

import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Credentials as another provider finds them. When it finds none that is told apart from all other
 * faults, and without its words: those name profiles, roles and files. Thread-safe.
 */
record UsualCredentials(AwsCredentialsProvider provider) implements AwsCredentialsProvider {

  /** There are none. */
  static final class None extends SdkClientException {
    private static final long serialVersionUID = 1L;

    None() {
      super(SdkClientException.builder().message("no credentials"));
    }
  }

  @Override
  public AwsCredentials resolveCredentials() {
    try {
      return provider.resolveCredentials();
    } catch (SdkException e) {
      throw new None();
    }
  }
}
