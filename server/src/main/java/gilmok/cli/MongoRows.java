package gilmok.cli;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The documents of a MongoDB collection, by {@code _id}. Values become JSON's: an ObjectId and a
 * UUID a text, a date RFC 3339, a decimal its digits. Identifiers are of one type, as MongoDB
 * compares only these. Not thread-safe.
 */
final class MongoRows implements ImportRows {
  private static final String ID = "_id";
  private static final String COLLECTION = "collection";
  private static final int BATCH = 1_000;
  private static final int PATIENCE_SECONDS = 10;

  /** Referenced here, as the JDK would drop the logger with its level. What fails is said once. */
  private static final Logger DRIVER = Logger.getLogger("org.mongodb.driver");

  private final MongoClient client;
  private final MongoCollection<BsonDocument> collection;
  private @Nullable MongoCursor<BsonDocument> cursor;
  private @Nullable BsonDocument last;
  private final long total;
  private long count;

  private MongoRows(MongoClient client, MongoCollection<BsonDocument> collection) {
    this.client = client;
    this.collection = collection;
    total = collection.estimatedDocumentCount();
  }

  /**
   * Opens a collection.
   *
   * @param uri of the server, with the database's name
   */
  static MongoRows open(String uri, String collection) {
    ConnectionString where;
    try {
      where = new ConnectionString(uri);
    } catch (IllegalArgumentException wrong) {
      throw new CommandFailure("--from-mongo is no URI of MongoDB: " + wrong.getMessage());
    }
    String database = where.getDatabase();
    if (database == null) {
      throw new CommandFailure(
          "--from-mongo must name the database, as in mongodb://127.0.0.1:27017/orders");
    }
    DRIVER.setLevel(Level.OFF);
    MongoClient client =
        MongoClients.create(
            MongoClientSettings.builder()
                .applyToClusterSettings(
                    cluster -> cluster.serverSelectionTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .applyConnectionString(where)
                .build());
    try {
      List<String> there =
          client.getDatabase(database).listCollectionNames().into(new ArrayList<>());
      if (!there.contains(collection)) {
        throw new CommandFailure(
            "the database %s has no collection %s; it has %s"
                .formatted(database, collection, String.join(", ", there)));
      }
      return new MongoRows(
          client, client.getDatabase(database).getCollection(collection, BsonDocument.class));
    } catch (CommandFailure missing) {
      client.close();
      throw missing;
    } catch (MongoException away) {
      client.close();
      throw explained(away);
    }
  }

  private static CommandFailure explained(MongoException failed) {
    return new CommandFailure("the MongoDB of --from-mongo: " + failed.getMessage());
  }

  @Override
  public @Nullable Row next() {
    try {
      MongoCursor<BsonDocument> open = cursor == null ? open() : cursor;
      cursor = open;
      if (!open.hasNext()) {
        return null;
      }
      BsonDocument document = open.next();
      last = document;
      JsonNode value = json(document);
      return new Row(++count, value, value.toString(), null);
    } catch (MongoException failed) {
      throw explained(failed);
    }
  }

  private MongoCursor<BsonDocument> open() {
    BsonDocument after = last;
    BsonDocument filter =
        after == null
            ? new BsonDocument()
            : new BsonDocument(ID, new BsonDocument("$gt", after.get(ID)));
    return collection
        .find(filter)
        .sort(new BsonDocument(ID, new BsonInt32(1)))
        .batchSize(BATCH)
        .iterator();
  }

  /** A value as JSON. */
  static JsonNode json(BsonValue value) {
    JsonMapper mapper = JsonMapper.shared();
    return switch (value.getBsonType()) {
      case DOCUMENT -> {
        ObjectNode object = mapper.createObjectNode();
        value.asDocument().forEach((name, member) -> object.set(name, json(member)));
        yield object;
      }
      case ARRAY -> {
        ArrayNode array = mapper.createArrayNode();
        BsonArray all = value.asArray();
        all.forEach(element -> array.add(json(element)));
        yield array;
      }
      case STRING -> text(value.asString().getValue());
      case INT32, INT64 -> mapper.getNodeFactory().numberNode(value.asNumber().longValue());
      case DOUBLE -> mapper.getNodeFactory().numberNode(value.asDouble().getValue());
      case DECIMAL128 -> text(value.asDecimal128().getValue().toString());
      case BOOLEAN -> mapper.getNodeFactory().booleanNode(value.asBoolean().getValue());
      case DATE_TIME -> text(Instant.ofEpochMilli(value.asDateTime().getValue()).toString());
      case TIMESTAMP -> text(Instant.ofEpochSecond(value.asTimestamp().getTime()).toString());
      case OBJECT_ID -> text(value.asObjectId().getValue().toHexString());
      case BINARY -> text(binary(value.asBinary()));
      case NULL, UNDEFINED -> mapper.nullNode();
      default -> text(value.toString());
    };
  }

  private static String binary(BsonBinary binary) {
    return binary.getType() == BsonBinarySubType.UUID_STANDARD.getValue()
        ? binary.asUuid().toString()
        : Base64.getEncoder().encodeToString(binary.getData());
  }

  private static JsonNode text(String text) {
    return JsonMapper.shared().getNodeFactory().stringNode(text);
  }

  @Override
  public String position() {
    BsonDocument known = last;
    return known == null
        ? ""
        : count
            + " "
            + new BsonDocument(ID, known.get(ID))
                .append(COLLECTION, new BsonString(name()))
                .toJson();
  }

  @Override
  public void resume(String position) {
    int blank = position.indexOf(' ');
    if (blank > 0) {
      BsonDocument known = BsonDocument.parse(position.substring(blank + 1));
      if (!known.getString(COLLECTION).getValue().equals(name())) {
        throw new CommandFailure(
            "the state of an interrupted import is of "
                + known.getString(COLLECTION).getValue()
                + ", not of "
                + name()
                + "; --again begins anew");
      }
      count = Long.parseLong(position.substring(0, blank));
      last = known;
    }
  }

  private String name() {
    return collection.getNamespace().getFullName();
  }

  @Override
  public double progress() {
    return total == 0 ? -1 : Math.min(1, (double) count / total);
  }

  @Override
  public void close() {
    if (cursor != null) {
      cursor.close();
    }
    client.close();
  }
}
