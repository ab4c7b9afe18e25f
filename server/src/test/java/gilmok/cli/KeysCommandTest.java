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

  private static final String KEYS =
      """
      {"items":[{"id":"k1","name":"app","scopes":["collect"]},
       {"id":"k2","name":"rider-7","scopes":["collect","read"],"rider":"r-7",
        "expiresAt":"2027-01-01T00:00:00Z","rate":5},
       {"id":"k3","name":"twice","scopes":["read"]},{"id":"k4","name":"twice","scopes":["read"]},
       {"id":"k5","name":"k1","scopes":["read"]}]}\
      """;
  private static final String HEAD =
      "ID  NAME     SCOPES        BOUND TO   EXPIRES               RATE";

  @Test
  void list_printsATable() throws IOException {
    try (FakeServer server = new FakeServer(request -> new Answer(200, KEYS))) {
      Shell.Result result = keys(server, "ls");
      assertThat(result.out().lines())
          .startsWith(
              HEAD,
              "k1  app      collect       -          -                     -",
              "k2  rider-7  collect,read  rider r-7  2027-01-01T00:00:00Z  5");
      assertThat(keys(server, "list").out()).isEqualTo(result.out());
    }
  }

  @Test
  void show_printsOne_byItsIdOrItsName() throws IOException {
    try (FakeServer server = new FakeServer(request -> new Answer(200, KEYS))) {
      Shell.Result result = keys(server, "show", "rider-7");
      assertThat(result.out().lines())
          .containsExactly(HEAD, "k2  rider-7  collect,read  rider r-7  2027-01-01T00:00:00Z  5");
      assertThat(keys(server, "show", "k2").out()).isEqualTo(result.out());
      assertThat(keys(server, "show", "k1").out()).contains("app");
      assertThat(keys(server, "show", "twice").err())
          .contains("2 keys are called twice: say which, k3, k4");
      assertThat(keys(server, "show", "none").err()).contains("there is no key none");
    }
  }

  @Test
  void revoke_deletes_byItsIdOrItsName() throws IOException {
    try (FakeServer server =
        new FakeServer(
            request ->
                request.method().equals("GET") ? new Answer(200, KEYS) : new Answer(204, ""))) {
      for (String named : new String[] {"k2", "rider-7"}) {
        Shell.Result result = keys(server, "revoke", named);
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.out().strip()).isEqualTo("revoked k2");
        FakeServer.Asked asked = server.asked().getLast();
        assertThat(asked.method() + " " + asked.path()).isEqualTo("DELETE /v1/keys/k2");
        assertThat(asked.key()).isEqualTo("secret-key");
      }
      int before = server.asked().size();
      assertThat(keys(server, "revoke", "twice").code()).isEqualTo(1);
      assertThat(server.asked()).hasSize(before + 1);
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
