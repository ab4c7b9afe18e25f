package gilmok.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import gilmok.cli.Commands;
import gilmok.documents.MongoServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code gilmok indexes}, against a real MongoDB. */
@Tag("engine")
final class IndexesCommandIT {
  @Test
  void looks_prints_andMakes() throws Exception {
    MongoServer mongo = MongoServer.any();
    String database = mongo.newDatabase();
    try {
      String[] where = {
        "documents.mongo-uri=" + mongo.uri(), "documents.mongo-database=" + database
      };
      MongoCollection<Document> entries =
          mongo.database(database).getCollection("statement_entries");
      List<Document> some = new ArrayList<>();
      for (int i = 0; i < 2_000; i++) {
        some.add(new Document("_id", "e-" + i).append("riderId", "r").append("at", i));
      }
      entries.insertMany(some);
      String lacking = run(where, "ls");
      assertThat(run(where)).isEqualTo(lacking);
      assertThat(lacking)
          .startsWith("1\n")
          .contains("MongoDB: the index statement of statement_entries is not there")
          .contains("MongoDB: the index shop_order of deliveries is not there");
      assertThat(lacking.lines()).hasSize(18);

      String made = run(where, "create");
      assertThat(made)
          .startsWith("0\nMongoDB: statement of statement_entries is being made for 0 s")
          .endsWith("all indexes are there\n");
      assertThat(run(where)).isEqualTo("0\nall indexes are there\n");
      assertThat(entries.listIndexes())
          .extracting(index -> index.getString("name"))
          .contains("statement");

      assertThat(run(where, "--create")).isEqualTo("0\nall indexes are there\n");
      assertThat(run(where, "--print")).isEqualTo(run(where, "show"));
      assertThat(run(where, "show"))
          .startsWith("0\ndb = db.getSiblingDB(\"" + database + "\");\ndb.runCommand(")
          .contains("\"expireAfterSeconds\": ")
          .contains("NumberLong(\"-4611686018427387904\")");
    } finally {
      mongo.drop(database);
    }
  }

  @Test
  void whoDoesNotAnswer_isSaid_andPrintingAsksNobody() {
    String[] where = {
      "documents.mongo-uri=mongodb://127.0.0.1:1/fleet?directConnection=true",
      "documents.mongo-timeout=200ms"
    };
    assertThat(run(where)).startsWith("1\n").contains("gilmok: MongoDB: ");
    assertThat(run(where, "show")).startsWith("0\ndb = db.getSiblingDB(\"fleet\");");
    assertThat(run(new String[0], "ls")).startsWith("0\ndocuments.mongo-uri is not set");
  }

  private static String run(String[] settings, String... more) {
    List<String> arguments = new ArrayList<>(List.of("indexes"));
    arguments.addAll(List.of(more));
    for (String setting : settings) {
      arguments.add("--set");
      arguments.add(setting);
    }
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said, true);
    int code = Commands.run(out, out, arguments.toArray(String[]::new), new IndexesCommand());
    return code + "\n" + said;
  }
}
