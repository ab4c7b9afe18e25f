package gilmok.privacy;

import static gilmok.documents.MongoBson.byId;
import static gilmok.documents.MongoBson.document;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoIndex;
import gilmok.documents.MongoQuery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonWriter;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/** The register of all nodes in MongoDB. Thread-safe; calls block. */
public final class MongoRegister implements RegisterStore {
  /** The name of the collection of rows. */
  public static final String COLLECTION = "register";

  /** The indexes that the queries need. */
  public static final List<MongoIndex> INDEXES =
      List.of(MongoIndex.of("of_rider", "rider", "_id"), MongoIndex.of("of_who", "who", "_id"));

  private static final String NAMES = "pseudonyms";
  private static final UpdateOptions ADD = new UpdateOptions().upsert(true);
  private static final BulkWriteOptions EACH_BY_ITSELF = new BulkWriteOptions().ordered(false);
  private static final RawBsonDocument NEWEST_FIRST =
      document(order -> order.writeInt32("_id", -1));
  private static final RawBsonDocument OLDEST_FIRST = document(order -> order.writeInt32("_id", 1));

  private final MongoDocuments documents;
  private final MongoCollection<BsonDocument> rows;
  private final MongoCollection<BsonDocument> names;

  /** The register in a database that has the {@link #INDEXES}; sends no query yet. */
  public MongoRegister(MongoDocuments documents) {
    this.documents = documents;
    rows = documents.collection(COLLECTION, new BsonDocumentCodec());
    names = documents.collection(NAMES, new BsonDocumentCodec());
  }

  /** All queries, for {@code gilmok doctor}. */
  public static List<MongoQuery> queries() {
    return List.of(
        page("register: a page", null, null),
        page("register: a page of a rider", "p", null),
        page("register: a page of a key", null, "k"));
  }

  private static MongoQuery page(String name, @Nullable String rider, @Nullable String who) {
    Question question = new Question(rider, who, "0", "1", 0, 1, 1);
    return new MongoQuery(name, COLLECTION, filter(question), NEWEST_FIRST, false);
  }

  @Override
  public void add(List<RegisterRow> added, Map<String, String> named, List<RegisterRow> marks)
      throws IOException, InterruptedException {
    List<UpdateOneModel<BsonDocument>> all = new ArrayList<>();
    named.forEach(
        (pseudonym, rider) ->
            all.add(
                new UpdateOneModel<>(
                    byId(pseudonym),
                    document(
                        writer ->
                            document(writer, "$setOnInsert", to -> to.writeString("rider", rider))),
                    ADD)));
    if (!all.isEmpty()) {
      documents.ask(() -> names.bulkWrite(all, EACH_BY_ITSELF));
    }
    write(added, MongoRegister::adding);
    write(marks, MongoRegister::adding);
  }

  @Override
  public void put(List<RegisterRow> added) throws IOException, InterruptedException {
    write(added, MongoRegister::putting);
  }

  private void write(List<RegisterRow> added, Function<RegisterRow, RawBsonDocument> update)
      throws IOException, InterruptedException {
    if (added.isEmpty()) {
      return;
    }
    List<UpdateOneModel<BsonDocument>> updates =
        added.stream()
            .map(row -> new UpdateOneModel<BsonDocument>(byId(row.id()), update.apply(row), ADD))
            .toList();
    documents.ask(() -> rows.bulkWrite(updates, EACH_BY_ITSELF));
  }

  private static RawBsonDocument adding(RegisterRow row) {
    return document(
        writer -> {
          document(writer, "$setOnInsert", to -> same(row, to));
          document(writer, "$min", to -> to.writeInt64("first", row.span().fromMillis()));
          document(writer, "$max", to -> to.writeInt64("last", row.span().toMillis()));
          document(writer, "$inc", to -> to.writeInt64("count", row.span().count()));
        });
  }

  private static RawBsonDocument putting(RegisterRow row) {
    return document(
        writer ->
            document(
                writer,
                "$setOnInsert",
                to -> {
                  same(row, to);
                  to.writeInt64("first", row.span().fromMillis());
                  to.writeInt64("last", row.span().toMillis());
                  to.writeInt64("count", row.span().count());
                }));
  }

  private static void same(RegisterRow row, BsonWriter to) {
    to.writeString("kind", row.kind().label());
    to.writeString("rider", row.rider());
    to.writeString("who", row.who());
    to.writeString("what", row.what());
    to.writeString("purposes", row.purposes());
    to.writeString("basis", row.basis());
    to.writeString("node", row.node());
  }

  @Override
  public List<RegisterRow> page(Question question) throws IOException, InterruptedException {
    return documents.ask(
        () ->
            rows.find(filter(question))
                .sort(NEWEST_FIRST)
                .limit(question.limit())
                .map(MongoRegister::row)
                .into(new ArrayList<>()));
  }

  private static RawBsonDocument filter(Question question) {
    return document(
        filter -> {
          MongoBson.text(filter, "rider", question.rider());
          MongoBson.text(filter, "who", question.who());
          document(
              filter,
              "_id",
              id -> {
                id.writeString("$gte", question.fromId());
                id.writeString("$lt", question.belowId());
              });
          MongoBson.compare(filter, "last", "$gte", question.fromMillis());
          MongoBson.compare(filter, "first", "$lt", question.toMillis());
        });
  }

  @Override
  public Map<String, String> names(Collection<String> pseudonyms)
      throws IOException, InterruptedException {
    List<BsonDocument> found =
        documents.ask(() -> names.find(MongoBson.byIds(pseudonyms)).into(new ArrayList<>()));
    Map<String, String> all = new HashMap<>();
    for (BsonDocument one : found) {
      all.put(one.getString("_id").getValue(), one.getString("rider").getValue());
    }
    return all;
  }

  @Override
  public int forget(String pseudonym) throws IOException, InterruptedException {
    return (int) documents.ask(() -> names.deleteOne(byId(pseudonym))).getDeletedCount();
  }

  @Override
  public int remove(String belowId) throws IOException, InterruptedException {
    RawBsonDocument below =
        document(filter -> document(filter, "_id", id -> id.writeString("$lt", belowId)));
    List<String> ids =
        documents.ask(
            () ->
                rows.find(below)
                    .sort(OLDEST_FIRST)
                    .limit(ROWS_MAX)
                    .map(one -> one.getString("_id").getValue())
                    .into(new ArrayList<>()));
    return ids.isEmpty()
        ? 0
        : (int) documents.ask(() -> rows.deleteMany(MongoBson.byIds(ids))).getDeletedCount();
  }

  private static RegisterRow row(BsonDocument document) {
    return new RegisterRow(
        document.getString("_id").getValue(),
        RegisterRow.Kind.of(document.getString("kind").getValue()),
        document.getString("rider").getValue(),
        document.getString("who").getValue(),
        document.getString("what").getValue(),
        document.getString("purposes").getValue(),
        document.getString("basis").getValue(),
        new RegisterRow.Span(
            document.getNumber("first").longValue(),
            document.getNumber("last").longValue(),
            document.getNumber("count").longValue()),
        document.getString("node").getValue());
  }
}
