package gilmok.erasure;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOptions;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoIndex;
import gilmok.documents.MongoQuery;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * The erasures of all nodes of one MongoDB: a document each, with the state of each node as JSON,
 * and the rider's id until the last node is done. Each node is in a document of its own from its
 * first start on, so that one that is stopped is waited for. Thread-safe; calls block.
 */
public final class MongoErasures implements ErasureStore {
  /** The name of the collection. */
  public static final String COLLECTION = "erasures";

  /** The indexes that the queries need. */
  public static final List<MongoIndex> INDEXES = List.of(MongoIndex.of("open", "open", "askedAt"));

  private static final String ID = "_id";
  private static final String OPEN = "open";
  private static final String RIDER = "riderId";
  private static final String PHONES = "phones";
  private static final String NODES = "nodes";
  private static final String NODE_ID = "node/";
  private static final UpdateOptions ADD = new UpdateOptions().upsert(true);
  private static final BsonDocument OLDEST_FIRST = new BsonDocument("askedAt", new BsonInt32(1));

  private final MongoDocuments documents;
  private final MongoCollection<BsonDocument> erasures;
  private final String node;
  private volatile boolean isKnown;

  MongoErasures(MongoDocuments documents, String node) {
    this.documents = documents;
    this.node = node;
    erasures = documents.collection(COLLECTION, new BsonDocumentCodec());
  }

  /** All queries, for {@code gilmok doctor}. */
  public static List<MongoQuery> queries() {
    return List.of(
        MongoQuery.of("erasures: one", COLLECTION, MongoBson.byId("e")),
        new MongoQuery("erasures: open ones", COLLECTION, openOnes(), OLDEST_FIRST, false),
        MongoQuery.of("erasures: nodes", COLLECTION, nodes()));
  }

  private static BsonDocument openOnes() {
    return new BsonDocument(OPEN, BsonBoolean.TRUE);
  }

  private static BsonDocument nodes() {
    return new BsonDocument(
        ID,
        new BsonDocument("$gt", new BsonString(NODE_ID))
            .append("$lt", new BsonString("node0"))); // what follows the slash
  }

  @Override
  public void add(Erasure erasure) throws IOException, InterruptedException {
    BsonDocument states = new BsonDocument();
    for (String one : all()) {
      states.put(one, new BsonString(text(NodeErasure.BEGIN)));
    }
    BsonDocument document =
        new BsonDocument(ID, new BsonString(erasure.id()))
            .append(RIDER, new BsonString(String.valueOf(erasure.riderId())))
            .append(PHONES, new BsonArray(erasure.phones().stream().map(BsonString::new).toList()))
            .append("pseudonym", new BsonString(erasure.pseudonym()))
            .append("askedAt", new BsonDateTime(erasure.askedAtMillis()))
            .append("keyId", new BsonString(erasure.keyId()))
            .append(OPEN, BsonBoolean.TRUE)
            .append(NODES, states);
    documents.ask(() -> erasures.insertOne(document));
  }

  /** The nodes that there are, this one included. */
  private List<String> all() throws IOException, InterruptedException {
    makeKnown();
    return documents.ask(() -> erasures.find(nodes()).into(new ArrayList<>())).stream()
        .map(one -> one.getString(ID).getValue().substring(NODE_ID.length()))
        .toList();
  }

  private void makeKnown() throws IOException, InterruptedException {
    if (!isKnown) {
      BsonDocument id = new BsonDocument(ID, new BsonString(NODE_ID + node));
      BsonDocument set =
          new BsonDocument("$setOnInsert", new BsonDocument("isNode", BsonBoolean.TRUE));
      documents.ask(() -> erasures.updateOne(id, set, ADD));
      isKnown = true;
    }
  }

  @Override
  public @Nullable Erasure find(String id) throws IOException, InterruptedException {
    BsonDocument found = documents.ask(() -> erasures.find(MongoBson.byId(id)).first());
    return found == null || !found.containsKey("pseudonym") ? null : erasure(found);
  }

  @Override
  public List<Erasure> open() throws IOException, InterruptedException {
    makeKnown();
    return documents
        .ask(() -> erasures.find(openOnes()).sort(OLDEST_FIRST).into(new ArrayList<>()))
        .stream()
        .map(MongoErasures::erasure)
        .toList();
  }

  private static Erasure erasure(BsonDocument found) {
    Map<String, NodeErasure> nodes = new TreeMap<>();
    found
        .getDocument(NODES)
        .forEach((name, state) -> nodes.put(name, ErasureJson.node(state.asString().getValue())));
    BsonValue rider = found.get(RIDER);
    return new Erasure(
        found.getString(ID).getValue(),
        rider == null ? null : rider.asString().getValue(),
        found.getArray(PHONES, new BsonArray()).stream()
            .map(it -> it.asString().getValue())
            .toList(),
        found.getString("pseudonym").getValue(),
        found.getDateTime("askedAt").getValue(),
        found.getString("keyId").getValue(),
        nodes);
  }

  @Override
  public void save(Erasure erasure) throws IOException, InterruptedException {
    BsonDocument state =
        new BsonDocument(NODES + "." + node, new BsonString(text(erasure.of(node))));
    documents.ask(
        () -> erasures.updateOne(MongoBson.byId(erasure.id()), new BsonDocument("$set", state)));
    Erasure now = erasure.of(node).isDone() ? find(erasure.id()) : null;
    if (now != null && now.isDone()) { // whoever is the last one sees it
      BsonDocument end =
          new BsonDocument(
                  "$unset",
                  new BsonDocument(RIDER, new BsonString("")).append(PHONES, new BsonString("")))
              .append("$set", new BsonDocument(OPEN, BsonBoolean.FALSE));
      documents.ask(() -> erasures.updateOne(MongoBson.byId(erasure.id()), end));
    }
  }

  private static String text(NodeErasure state) {
    return new String(ErasureJson.bytes(state), StandardCharsets.UTF_8);
  }
}
