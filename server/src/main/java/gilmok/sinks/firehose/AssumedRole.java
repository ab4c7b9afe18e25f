package gilmok.sinks.firehose;

import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.StsClientBuilder;
import software.amazon.awssdk.services.sts.auth.StsAssumeRoleCredentialsProvider;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * Credentials of a role that is assumed with other credentials, and assumed again minutes before
 * they expire. When there are none, {@link NoCredentials} gives the reason. Thread-safe; blocks
 * while the role is assumed.
 */
final class AssumedRole implements AwsCredentialsProvider, SdkAutoCloseable {
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);

  private final String role;
  private final AwsCredentialsProvider own;
  private final StsClient sts;
  private final StsAssumeRoleCredentialsProvider assumed;

  /**
   * @param config has a role
   * @param own the credentials that assume the role; closed with this
   * @param session the session's name in the account's records
   * @throws software.amazon.awssdk.core.exception.SdkClientException when no region can be found
   */
  AssumedRole(
      FirehoseConfig config,
      String role,
      String session,
      AwsCredentialsProvider own,
      ProxyRules proxies) {
    this.role = role;
    this.own = own;
    StsClientBuilder builder =
        StsClient.builder()
            .credentialsProvider(own)
            .httpClientBuilder(AwsHttpService.builder(proxies))
            .overrideConfiguration(
                override -> {
                  override.apiCallTimeout(CALL_TIMEOUT);
                  if (config.identity().profile() != null) {
                    override.defaultProfileName(config.identity().profile());
                  }
                });
    if (config.region() != null) {
      builder.region(Region.of(config.region()));
    }
    sts = builder.build();
    assumed =
        StsAssumeRoleCredentialsProvider.builder()
            .stsClient(sts)
            .refreshRequest(
                request ->
                    request
                        .roleArn(role)
                        .externalId(config.identity().externalId())
                        .roleSessionName(session))
            .build();
  }

  @Override
  public AwsCredentials resolveCredentials() {
    try {
      return assumed.resolveCredentials();
    } catch (RuntimeException failed) {
      CredentialChain.throwIfInterrupted(failed);
      throw new NoCredentials("role " + role + ": " + CredentialReasons.of(failed));
    }
  }

  @Override
  public void close() {
    assumed.close();
    sts.close();
    CredentialChain.close(own);
  }
}
