package gilmok.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.cli.FakeServer.Answer;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class KeysCommandTest {
  @Test
  void create_sendsWhatWasAskedAndPrintsTheKeyAlone() throws IOException {
    try (FakeServer server =
        new FakeServer(request -> new Answer(201, "{\"id\":\"k1\",\"key\":\"gk_k1_s\"}"))) {
      Shell.Result result =
          keys(
              server,
              "create",
              "rider 7",
              "--scopes=collect,read",
              "--rider=r-7",
              "--expires-in=90d",
              "--rate=5");
      assertThat(result.err()).isEmpty();
      assertThat(result.out().strip()).isEqualTo("gk_k1_s");
      assertThat(result.code()).isZero();
      FakeServer.Asked asked = server.asked().getFirst();
      assertThat(asked.method() + " " + asked.path()).isEqualTo("POST /v1/keys");
      assertThat(asked.body().toString())
          .isEqualTo(
              """
              {"name":"rider 7","scopes":["collect","read"],"rider":"r-7","expiresIn":7776000,\
              "rate":5}\
              """);
    }
  }

  @Test
  void create_boundToTwo_isWrongUsage() {
    Shell.Result result =
        Shell.run("keys", "create", "x", "--scopes=read", "--rider=r", "--shop=s");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err().lines()).hasSize(1);
  }

  @Test
  void list_printsATable() throws IOException {
    String items =
        """
        {"items":[{"id":"k1","name":"app","scopes":["collect"]},
         {"id":"k2","name":"rider-7","scopes":["collect","read"],"rider":"r-7",
          "expiresAt":"2027-01-01T00:00:00Z","rate":5}]}\
        """;
    try (FakeServer server = new FakeServer(request -> new Answer(200, items))) {
      Shell.Result result = keys(server, "list");
      assertThat(result.out().lines())
          .containsExactly(
              "ID  NAME     SCOPES        BOUND TO   EXPIRES               RATE",
              "k1  app      collect       -          -                     -",
              "k2  rider-7  collect,read  rider r-7  2027-01-01T00:00:00Z  5");
    }
  }

  @Test
  void revoke_deletes() throws IOException {
    try (FakeServer server = new FakeServer(request -> new Answer(204, ""))) {
      assertThat(keys(server, "revoke", "k1").code()).isZero();
      FakeServer.Asked asked = server.asked().getFirst();
      assertThat(asked.method() + " " + asked.path()).isEqualTo("DELETE /v1/keys/k1");
      assertThat(asked.key()).isEqualTo("secret-key");
    }
  }

  @Test
  void anyCommand_refused_failsWithTheServersReason() throws IOException {
    try (FakeServer server =
        new FakeServer(request -> new Answer(404, "{\"title\":\"There is nothing here.\"}"))) {
      Shell.Result result = keys(server, "revoke", "k9");
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err()).contains("There is nothing here.");
    }
  }

  private static Shell.Result keys(FakeServer server, String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = "keys";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[arguments.length + 1] = "--url=" + server.url();
    all[arguments.length + 2] = "--key=secret-key";
    return Shell.run(all);
  }
}
