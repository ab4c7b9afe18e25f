package gilmok.sinks.firehose;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each way to log in of the default chain, in a process that has only this one. */
@Tag("process")
@Timeout(180)
class LoginIT {
  private static final String ROLE = "arn:aws:iam::123456789012:role/ships";
  private static final String START = "https://fleet.awsapps.example/start";

  @TempDir Path home;
  private FakeLogin login;
  private FakeFirehose firehose;

  @BeforeEach
  void start() throws IOException {
    login = new FakeLogin();
    firehose = new FakeFirehose(FakeFirehose::taken);
  }

  @AfterEach
  void stop() {
    firehose.close();
    login.close();
  }

  private List<String> sink(String... more) {
    List<String> told = new ArrayList<>(List.of(more));
    told.addAll(List.of("endpoint", firehose.uri().toString(), "region", "ap-northeast-2"));
    return told;
  }

  private Map<String, String> endpoints(String... more) {
    Map<String, String> environment = new HashMap<>();
    for (String service : List.of("STS", "SSO", "SSO_OIDC")) {
      environment.put("AWS_ENDPOINT_URL_" + service, login.uri().toString());
    }
    for (int i = 0; i < more.length; i += 2) {
      environment.put(more[i], more[i + 1]);
    }
    return environment;
  }

  private void profiles(String text) throws IOException {
    Files.createDirectories(home.resolve(".aws"));
    Files.writeString(home.resolve(".aws/config"), text);
  }

  /** Writes a token as {@code aws sso login} does. */
  private void token(String of, String json) throws Exception {
    byte[] sha1 = MessageDigest.getInstance("SHA-1").digest(of.getBytes(StandardCharsets.UTF_8));
    Path folder = Files.createDirectories(home.resolve(".aws/sso/cache"));
    Files.writeString(folder.resolve(HexFormat.of().formatHex(sha1) + ".json"), json);
  }

  @Test
  void nothingAnywhere_everyLinkIsNamedWithItsReason() throws Exception {
    List<String> told = SendingProcess.send(home, Map.of(), List.of(sink()));

    assertThat(told)
        .containsExactly(
            "Retry[cause=DENIED, detail=no credentials: env: AWS_ACCESS_KEY_ID is not set;"
                + " web identity: AWS_WEB_IDENTITY_TOKEN_FILE is not set; profile default: no such"
                + " file "
                + home.resolve(".aws/config")
                + ", nor "
                + home.resolve(".aws/credentials")
                + "; container: AWS_CONTAINER_CREDENTIALS_FULL_URI and _RELATIVE_URI are not set;"
                + " instance: AWS_EC2_METADATA_DISABLED is set]");
    assertThat(firehose.keyIds()).isEmpty();
  }

  @Test
  void profilesThatAreOfNoUse_areEachNamedWithWhatTheyLack() throws Exception {
    profiles(
        """
        [profile console]
        login_session = arn:aws:iam::123456789012:user/kim
        [profile code]
        role_arn = %s
        source_profile = keys
        mfa_serial = arn:aws:iam::123456789012:mfa/kim
        [profile keys]
        aws_access_key_id = AKIDKEYS
        aws_secret_access_key = s3cret-Shown-nowhere-1
        [profile half]
        aws_access_key_id = AKIDHALF
        [profile program]
        credential_process = sh -c 'echo s3cret-Shown-nowhere-2 >&2; exit 3'
        [profile empty]
        region = eu-west-1
        """
            .formatted(ROLE));

    List<List<String>> sinks = new ArrayList<>();
    for (String name : List.of("console", "code", "half", "program", "empty", "nobody", "keys")) {
      sinks.add(sink("profile", name));
    }
    List<String> told = SendingProcess.send(home, endpoints(), sinks);

    assertThat(told).hasSize(7);
    assertThat(told.get(0))
        .contains("profile console: asks for login_session, which this build does not have");
    assertThat(told.get(1)).contains("profile code (" + ROLE + "): asks for mfa_serial");
    assertThat(told.get(2)).contains("profile half: ").contains("aws_secret_access_key");
    assertThat(told.get(3))
        .contains("profile program (credential_process): Command returned non-zero exit value]");
    assertThat(told.get(4)).contains("profile empty: has no credentials");
    assertThat(told.get(5)).contains("profile nobody: is not in " + home.resolve(".aws/config"));
    assertThat(told.get(6)).startsWith("Done[");
    assertThat(told.subList(0, 6)).allMatch(line -> line.startsWith("Retry[cause=DENIED, "));
    assertThat(told.toString()).doesNotContain("s3cret-Shown-nowhere");
    assertThat(firehose.keyIds()).isNotEmpty().containsOnly("AKIDKEYS");
  }

  @Test
  void aWebIdentity_asKubernetesGivesIt_isTheRole() throws Exception {
    Path token = Files.writeString(home.resolve("token"), FakeLogin.WEB_TOKEN);
    Map<String, String> environment =
        endpoints(
            "AWS_ROLE_ARN",
            ROLE,
            "AWS_WEB_IDENTITY_TOKEN_FILE",
            token.toString(),
            "AWS_REGION",
            "ap-northeast-2");

    assertThat(SendingProcess.send(home, environment, List.of(sink())))
        .singleElement()
        .asString()
        .startsWith("Done[");
    assertThat(firehose.keyIds()).isNotEmpty().containsOnly("ASIAROLE1");

    Files.writeString(token, "an-0ther-T0ken-that-is-a-secret");
    assertThat(SendingProcess.send(home, environment, List.of(sink())))
        .singleElement()
        .asString()
        .contains("web identity as " + ROLE + ": Sts answered AccessDenied (403); profile default:")
        .doesNotContain("an-0ther");
  }

  @Test
  void singleSignOn_isTheRoleOfItsProfile() throws Exception {
    String profile =
        """
        [profile %s]
        sso_account_id = 123456789012
        sso_role_name = ships
        %s
        """;
    String old = "sso_region = ap-northeast-2\nsso_start_url = ";
    profiles(
        profile.formatted("old", old + START)
            + profile.formatted("late", old + START + "/late")
            + profile.formatted("gone", old + START + "/gone")
            + profile.formatted("new", "sso_session = fleet")
            + "[sso-session fleet]\nsso_region = ap-northeast-2\nsso_start_url = "
            + START);
    String json = "{\"accessToken\":\"%s\",\"expiresAt\":\"%s\"%s}";
    token(START, json.formatted(FakeLogin.SSO_TOKEN, Instant.now().plusSeconds(3600), ""));
    token(START + "/late", json.formatted("an-0ld-T0ken-of-kim", "2020-01-01T00:00:00Z", ""));
    token(
        "fleet",
        json.formatted(
            "an-0ld-T0ken-of-kim",
            "2020-01-01T00:00:00Z",
            ",\"refreshToken\":\"r\",\"clientId\":\"c\",\"clientSecret\":\"s\",\"region\":"
                + "\"ap-northeast-2\",\"startUrl\":\""
                + START
                + "\",\"registrationExpiresAt\":\"2100-01-01T00:00:00Z\""));

    List<String> told =
        SendingProcess.send(
            home,
            endpoints(),
            List.of(
                sink("profile", "old"),
                sink("profile", "late"),
                sink("profile", "gone"),
                sink("profile", "new")));

    assertThat(told).hasSize(4);
    assertThat(told.get(0)).startsWith("Done[");
    assertThat(told.get(1)).contains("profile late (sso): ").contains("aws sso login");
    assertThat(told.get(2)).contains("profile gone (sso): no such file " + home);
    assertThat(told.get(3)).as("its token is renewed").startsWith("Done[");
    assertThat(told.toString()).doesNotContain("an-0ld-T0ken", FakeLogin.SSO_TOKEN);
    assertThat(firehose.keyIds()).contains("ASIASSO1", "ASIASSO2");
    assertThat(login.asked().getFirst())
        .containsEntry("path", "/federation/credentials")
        .containsEntry("role_name", "ships")
        .containsEntry("account_id", "123456789012");
    assertThat(login.asked()).anyMatch(one -> "/token".equals(one.get("path")));
  }

  /**
   * Covers the clients that the SDK makes itself, too: the proxy is the only way out of the
   * network.
   */
  @Test
  void aProxyInTheEnvironment_isAskedForAllOfThem() throws Exception {
    profiles(
        """
        [profile sso]
        sso_region = ap-northeast-2
        sso_start_url = %s
        sso_account_id = 123456789012
        sso_role_name = ships
        """
            .formatted(START));
    token(
        START, "{\"accessToken\":\"t\",\"expiresAt\":\"" + Instant.now().plusSeconds(3600) + "\"}");
    try (TunnelProxy proxy = TunnelProxy.refusing(403)) {
      Map<String, String> environment =
          Map.of(
              "HTTPS_PROXY", proxy.uri("kim:s3cret@").toString(),
              "AWS_ACCESS_KEY_ID", "AKIDKEYS",
              "AWS_SECRET_ACCESS_KEY", "s3cret-a");
      List<String> region = List.of("region", "ap-northeast-2");
      List<String> role = new ArrayList<>(List.of("role-arn", ROLE));
      role.addAll(region);
      List<String> sso = new ArrayList<>(List.of("profile", "sso"));
      sso.addAll(region);

      List<String> told = SendingProcess.send(home, environment, List.of(region, role, sso));

      assertThat(told).hasSize(3).allMatch(line -> line.contains("proxy " + proxy.uri("") + ": "));
      assertThat(told.toString()).doesNotContain("s3cret", "kim");
      assertThat(told.get(1)).contains("no credentials: role " + ROLE + ": proxy ");
      assertThat(told.get(2)).contains("no credentials: profile sso (sso): proxy ");
      assertThat(proxy.asked())
          .contains(
              "CONNECT firehose.ap-northeast-2.amazonaws.com:443 HTTP/1.1",
              "CONNECT sts.ap-northeast-2.amazonaws.com:443 HTTP/1.1",
              "CONNECT portal.sso.ap-northeast-2.amazonaws.com:443 HTTP/1.1");
    }
  }
}
