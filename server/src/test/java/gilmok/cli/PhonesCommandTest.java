package gilmok.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.cli.FakeServer.Answer;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("server")
class PhonesCommandTest {
  private static final String KEY = "gk_abcdefghijkl_0123456789";
  private static final String GIVEN = "--phone-key=" + KEY;

  @Test
  void keyNotGiven_makesOneThatCanOnlyCollectForTheRider() throws IOException {
    try (FakeServer server = new FakeServer(_ -> new Answer(201, made("2027-02-23T09:00:00Z")))) {
      Shell.Result result =
          Shell.run(
              "phones",
              "--rider=rider-7",
              "--url=" + server.url(),
              "--key=secret-key",
              "--phone-url=https://fleet.example.com");
      assertThat(result.err()).isEmpty();
      assertThat(result.code()).isZero();
      FakeServer.Asked asked = server.asked().getFirst();
      assertThat(asked.method() + " " + asked.path()).isEqualTo("POST /v1/keys");
      assertThat(asked.key()).isEqualTo("secret-key");
      assertThat(asked.body().toString())
          .isEqualTo(
              """
              {"name":"phone rider-7","scopes":["collect"],"rider":"rider-7",\
              "expiresIn":7776000}\
              """);
      assertThat(server.asked())
          .extracting(one -> one.method() + " " + one.path())
          .containsExactly(
              "POST /v1/keys", "GET /v1/devices/rider-7-phone", "PUT /v1/devices/rider-7-phone");
      assertThat(result.out())
          .startsWith(
              "Rider rider-7, key "
                  + KEY
                  + "\nThis new key expires at 2027-02-23T09:00:00Z;"
                  + " --expires-in 365d or never: later, or not.\n")
          .contains("OwnTracks (Android, iOS), --app owntracks")
          .containsPattern("Server URL +https://fleet.example.com/osmand\\?key=" + KEY)
          .contains("overland://setup?url=https%3A%2F%2Ffleet.example.com%2Foverland&token=" + KEY)
          .contains("▀")
          .doesNotContain("secret-key", server.url().toString());
    }
  }

  private static String made(String expiresAt) {
    return "{\"id\":\"k1\",\"key\":\"" + KEY + "\",\"expiresAt\":\"" + expiresAt + "\"}";
  }

  @Test
  void expiresIn_isAskedFor_andNeverIsNoEnd() throws IOException {
    try (FakeServer server =
        new FakeServer(_ -> new Answer(201, "{\"id\":\"k1\",\"key\":\"" + KEY + "\"}"))) {
      String[] asked = {
        "phones", "--rider=r", "--url=" + server.url(), "--key=k", "--app=overland"
      };
      String[] never = Arrays.copyOf(asked, asked.length + 1);
      never[asked.length] = "--expires-in=never";
      assertThat(Shell.run(never).out()).contains("\nThis new key never expires;");
      assertThat(server.asked().getFirst().body().has("expiresIn")).isFalse();
      String[] wrong = Arrays.copyOf(asked, asked.length + 1);
      wrong[asked.length] = "--expires-in=soon";
      int before = server.asked().size();
      assertThat(Shell.run(wrong).code()).isEqualTo(2);
      assertThat(Shell.run(wrong).err()).contains("--expires-in").contains("soon");
      assertThat(server.asked()).hasSize(before);
    }
  }

  @Test
  void keyGiven_asksNobody() {
    Shell.Result result =
        Shell.run(
            "phones", "--rider=r", GIVEN, "--url=https://fleet.example.com", "--app=overland");
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isZero();
    assertThat(result.out())
        .contains("Access Token   " + KEY, "Endpoint URL   https://fleet.example.com/overland", "▀")
        .doesNotContain("OwnTracks");
  }

  @Test
  void noQr_printsNone() {
    Shell.Result result =
        Shell.run("phones", "--rider=r", GIVEN, "--url=https://fleet.example.com", "--no-qr");
    assertThat(result.err().strip())
        .isEqualTo("gilmok: say whose it is: PUT /v1/devices/r-phone {riderId}");
    assertThat(result.out()).contains("GPSLogger").doesNotContain("▀", "█", "\u001b");
  }

  @Test
  void loopback_isWarnedOf() {
    Shell.Result result = Shell.run("phones", "--rider=r", GIVEN, "--no-qr");
    assertThat(result.code()).isZero();
    assertThat(result.err()).contains("phones do not reach http://127.0.0.1:8080", "--phone-url");
  }

  @ParameterizedTest
  @CsvSource({
    "--phone-url=fleet,--phone-url is no URL",
    "--phone-key=short,--phone-key needs 16 to 128",
    "--app=fax,'--app fax is none of owntracks, traccar,'",
    "--url=https://a.example/?b,--url needs no user"
  })
  void wrongOption_isNamedBeforeAnyKeyIsMade(String option, String message) {
    Shell.Result result = Shell.run("phones", "--rider=r", option);
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err().lines()).hasSize(1);
    assertThat(result.err()).contains(message);
  }

  @Test
  void riderMissing_isWrongUsage() {
    assertThat(Shell.run("phones").err()).contains("--rider");
  }

  @Test
  void refused_failsWithTheServersReason() throws IOException {
    try (FakeServer server =
        new FakeServer(request -> new Answer(409, "{\"detail\":\"two active keys\"}"))) {
      Shell.Result result =
          Shell.run("phones", "--rider=r", "--url=" + server.url(), "--key=secret-key");
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err()).contains("two active keys");
      assertThat(result.out()).isEmpty();
    }
  }
}
