import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.ServerVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.bson.Document;

/**
 * Starts mongo-java-server, which stands for MongoDB, on a free port of loopback, and prints the
 * port. For each line of its input, the name of a database, it deletes all deliveries there
 * and prints how many there were. It ends with its input.
 */
final class StandIn {
  private StandIn() {}

  /** {@code java -cp gilmok-all.jar StandIn.java}. */
  public static void main(String[] arguments) throws Exception {
    MongoServer server = new MongoServer(new MemoryBackend().version(ServerVersion.MONGO_5_0));
    int port = server.bind().getPort();
    PrintWriter out = new PrintWriter(new FileOutputStream(FileDescriptor.out), true);
    out.println(port);
    try (MongoClient client =
            MongoClients.create("mongodb://127.0.0.1:" + port + "/?directConnection=true");
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String name = in.readLine(); name != null; name = in.readLine()) {
        MongoDatabase database = client.getDatabase(name);
        long deleted = 0;
        for (String collection : List.of("deliveries", "claims")) { // but not the keys
          deleted +=
              database.getCollection(collection).deleteMany(new Document()).getDeletedCount();
        }
        out.println(deleted);
      }
    } finally {
      server.shutdownNow();
    }
  }
}
