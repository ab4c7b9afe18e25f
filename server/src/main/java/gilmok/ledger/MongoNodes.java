package gilmok.ledger;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.ReplaceOptions;
import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoQuery;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * Where the fleet's nodes answer, in the MongoDB that they share: a document for each node, which
 * it writes once at its start. A node that has gone stays there: its records are in no other log.
 * Thread-safe.
 */
public final class MongoNodes implements NodeAddresses, BackgroundLoop.Work {
  private static final String NODES = "nodes";
  private static final String ID = "_id";
  private static final String URL = "url";
  private static final String SINCE = "since";

  private final MongoDocuments documents;
  private final MongoCollection<BsonDocument> nodes;
  private final BsonDocument own;

  /** Only the loop's thread writes it. */
  private volatile boolean isTold;

  /**
   * Tells the others where this node answers, as soon as the database answers.
   *
   * @param url of this node
   * @param startedAtMillis epoch ms
   */
  public static MongoNodes telling(
      MongoDocuments documents,
      NodeId node,
      String url,
      long startedAtMillis,
      BackgroundLoops loops) {
    BsonDocument own =
        new BsonDocument(ID, new BsonString(node.toString()))
            .append(URL, new BsonString(url))
            .append(SINCE, new BsonDateTime(startedAtMillis));
    MongoNodes nodes = new MongoNodes(documents, own);
    loops.optional("node-address", "other nodes are not told node.url", nodes).start();
    return nodes;
  }

  /** Tells nobody, but knows the others. */
  public MongoNodes(MongoDocuments documents) {
    this(documents, new BsonDocument());
  }

  private MongoNodes(MongoDocuments documents, BsonDocument own) {
    this.documents = documents;
    this.own = own;
    nodes = documents.collection(NODES, new BsonDocumentCodec());
  }

  /** The queries that it sends to the database. */
  public static List<MongoQuery> queries() {
    return List.of(MongoQuery.of("nodes: one", NODES, MongoBson.byId("n")));
  }

  @Override
  public @Nullable String of(NodeId node) throws IOException, InterruptedException {
    BsonDocument found = documents.ask(() -> nodes.find(MongoBson.byId(node.toString())).first());
    BsonValue url = found == null ? null : found.get(URL);
    return url != null && url.isString() ? url.asString().getValue() : null;
  }

  @Override
  public long pass() throws IOException, InterruptedException {
    if (!isTold) {
      BsonValue id = own.get(ID);
      documents.ask(
          () -> nodes.replaceOne(new BsonDocument(ID, id), own, new ReplaceOptions().upsert(true)));
      isTold = true;
    }
    return Long.MAX_VALUE;
  }
}
