package gilmok.app;

import static java.util.Objects.requireNonNull;

import gilmok.documents.MongoServer;
import gilmok.documents.MongoWire;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A database of a test class' own in MongoDB, dropped after it. A static extension. */
final class TestDatabase implements BeforeAllCallback, AfterAllCallback {
  private @Nullable MongoServer server;
  private String name = "";

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    MongoServer any = MongoServer.any();
    name = any.newDatabase();
    server = any;
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (server != null) {
      server.drop(name);
    }
  }

  MongoServer server() {
    return requireNonNull(server);
  }

  String name() {
    return name;
  }

  /** The settings of a server with its documents there. */
  String[] settings(String... more) {
    return settings(server().uri(), more);
  }

  /** Those of a server that reaches it by a proxy. */
  String[] settings(MongoWire by, String... more) {
    return settings("mongodb://127.0.0.1:" + by.port() + "/?directConnection=true", more);
  }

  private String[] settings(String uri, String... more) {
    Stream<String> own =
        Stream.of("documents.mongo-uri=" + uri, "documents.mongo-database=" + name);
    return Stream.concat(own, Stream.of(more)).toArray(String[]::new);
  }
}
