package gilmok.sinks.firehose;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ContainerCredentialsProvider;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.auth.credentials.InstanceProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider;
import software.amazon.awssdk.core.SdkSystemSetting;
import software.amazon.awssdk.profiles.Profile;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.profiles.ProfileFileLocation;
import software.amazon.awssdk.profiles.ProfileFileSystemSetting;
import software.amazon.awssdk.profiles.ProfileProperty;
import software.amazon.awssdk.utils.SystemSetting;

/**
 * The places in which the SDK's default chain looks for credentials, in its order, and what each
 * lacks now. The chain itself reports that in messages that cannot be shown.
 */
final class CredentialLinks {
  /** The kind of section in a profile file that sso_session names. */
  private static final String SSO_SESSION = "sso_session";

  /**
   * One of these places.
   *
   * @param name for the operator, with the profile or role that it is about
   * @param lack what is missing, so that a request is of no use; null when nothing is known to be
   * @param provider makes the provider; the caller closes it
   */
  record Link(String name, @Nullable String lack, Supplier<AwsCredentialsProvider> provider) {}

  private CredentialLinks() {}

  /** All places, in the SDK's order. */
  static List<Link> usual() {
    String profile = ProfileFileSystemSetting.AWS_PROFILE.getStringValueOrThrow();
    return List.of(environment(), webIdentity(), profile(profile), container(), instance(profile));
  }

  private static Link environment() {
    // A system property of the same meaning precedes the variable, as in the SDK.
    boolean isVariable =
        System.getProperty(SdkSystemSetting.AWS_ACCESS_KEY_ID.property(), "").isBlank();
    return new Link(
        "env",
        unset(SdkSystemSetting.AWS_ACCESS_KEY_ID, SdkSystemSetting.AWS_SECRET_ACCESS_KEY),
        isVariable
            ? EnvironmentVariableCredentialsProvider::create
            : SystemPropertyCredentialsProvider::create);
  }

  private static Link webIdentity() {
    String lack =
        unset(SdkSystemSetting.AWS_WEB_IDENTITY_TOKEN_FILE, SdkSystemSetting.AWS_ROLE_ARN);
    if (lack == null) {
      lack = missing(SdkSystemSetting.AWS_WEB_IDENTITY_TOKEN_FILE.getStringValueOrThrow());
    }
    String role =
        SdkSystemSetting.AWS_ROLE_ARN.getStringValue().map(arn -> " as " + arn).orElse("");
    return new Link(
        "web identity" + role,
        lack,
        () -> WebIdentityTokenFileCredentialsProvider.builder().build());
  }

  /** The profile of that name; also used when it is the only place. */
  static Link profile(String name) {
    Supplier<AwsCredentialsProvider> provider =
        () -> ProfileCredentialsProvider.builder().profileName(name).build();
    String title = "profile " + name;
    Path config = ProfileFileLocation.configurationFilePath();
    Path keys = ProfileFileLocation.credentialsFilePath();
    if (!Files.exists(config) && !Files.exists(keys)) {
      return new Link(title, "no such file " + config + ", nor " + keys, provider);
    }
    Optional<Profile> profile;
    try {
      profile = ProfileFile.defaultProfileFile().profile(name);
    } catch (RuntimeException unreadable) {
      return new Link(title, CredentialReasons.of(unreadable), provider);
    }
    if (profile.isEmpty()) {
      String place = Files.exists(config) ? config.toString() : keys.toString();
      return new Link(title, "is not in " + place, provider);
    }
    return profile(title, profile.get().properties(), provider);
  }

  /** A profile by its kind of login, in the order in which the SDK checks them. */
  private static Link profile(
      String title, Map<String, String> told, Supplier<AwsCredentialsProvider> provider) {
    String role = told.get(ProfileProperty.ROLE_ARN);
    if (role != null && told.containsKey(ProfileProperty.WEB_IDENTITY_TOKEN_FILE)) {
      String file = told.get(ProfileProperty.WEB_IDENTITY_TOKEN_FILE);
      return new Link(title + " (web identity as " + role + ")", missing(file), provider);
    }
    if (told.keySet().stream().anyMatch(key -> key.startsWith("sso_"))) {
      String session = told.get(SSO_SESSION);
      return new Link(
          title + (session == null ? " (sso)" : " (sso " + session + ")"), null, provider);
    }
    if (role != null) {
      // The SDK requests the role without the code, and would only be answered that access is
      // denied.
      String lack =
          told.containsKey(ProfileProperty.MFA_SERIAL)
              ? "asks for mfa_serial, a code that a server cannot give"
              : null;
      return new Link(title + " (" + role + ")", lack, provider);
    }
    if (told.containsKey(ProfileProperty.LOGIN_SESSION)) {
      return new Link(title, "asks for login_session, which this build does not have", provider);
    }
    if (told.containsKey(ProfileProperty.CREDENTIAL_PROCESS)) {
      return new Link(title + " (credential_process)", null, provider);
    }
    boolean hasKey = told.containsKey(ProfileProperty.AWS_ACCESS_KEY_ID);
    return new Link(title, hasKey ? null : "has no credentials", provider);
  }

  private static Link container() {
    boolean isSet =
        isSet(SdkSystemSetting.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI)
            || isSet(SdkSystemSetting.AWS_CONTAINER_CREDENTIALS_FULL_URI);
    return new Link(
        "container",
        isSet ? null : "AWS_CONTAINER_CREDENTIALS_FULL_URI and _RELATIVE_URI are not set",
        () -> ContainerCredentialsProvider.builder().build());
  }

  private static Link instance(String profile) {
    boolean isOff = SdkSystemSetting.AWS_EC2_METADATA_DISABLED.getBooleanValue().orElse(false);
    return new Link(
        "instance",
        isOff ? "AWS_EC2_METADATA_DISABLED is set" : null,
        () -> InstanceProfileCredentialsProvider.builder().profileName(profile).build());
  }

  private static @Nullable String unset(SystemSetting one, SystemSetting other) {
    if (!isSet(one)) {
      return one.environmentVariable() + " is not set";
    }
    return isSet(other) ? null : other.environmentVariable() + " is not set";
  }

  private static boolean isSet(SystemSetting setting) {
    return setting.getStringValue().filter(value -> !value.isBlank()).isPresent();
  }

  private static @Nullable String missing(@Nullable String file) {
    return file != null && Files.exists(Path.of(file)) ? null : "no such file " + file;
  }
}
