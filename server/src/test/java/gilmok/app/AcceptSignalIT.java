package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.Program.Ended;
import gilmok.documents.MongoServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code gilmok accept} that is told to end in the middle, as by Ctrl-C. */
@Tag("engine")
@Timeout(180)
final class AcceptSignalIT {
  @Test
  void toldToEnd_itRemovesItsDatabase_andPrintsWhatItHas() throws Exception {
    MongoServer server = MongoServer.any();
    try (Program program =
        Program.start(
            "accept",
            "--mongo-uri=" + server.uri(),
            "--set=documents.mongo-timeout=30s",
            "--scratch=aaaaaaaaaaaa")) {
      Program.await(() -> server.databases().contains("gilmok_accept_aaaaaaaaaaaa"));
      program.terminate();
      Ended ended = program.end();
      assertThat(ended.code()).as(ended.err()).isEqualTo(143);
      assertThat(ended.out())
          .containsPattern("the rest +interrupted while: .* not tried")
          .containsPattern("cleaned up +nothing is left of the database gilmok_accept_a+ +pass");
      assertThat(server.databases()).doesNotContain("gilmok_accept_aaaaaaaaaaaa");
    }
  }
}
