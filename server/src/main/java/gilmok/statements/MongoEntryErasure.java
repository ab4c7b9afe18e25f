package gilmok.statements;

import com.mongodb.client.MongoCollection;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.event.RiderAlias;
import java.io.IOException;
import org.bson.conversions.Bson;

/**
 * Puts a rider's pseudonym into the rider's entries in MongoDB: what was paid must be kept.
 * Thread-safe; calls block.
 */
public final class MongoEntryErasure {
  private final MongoDocuments documents;
  private final MongoCollection<StatementEntry> entries;

  /** Entries in a database; sends no query yet. */
  public MongoEntryErasure(MongoDocuments documents) {
    this.documents = documents;
    entries = documents.collection(MongoEntries.COLLECTION, MongoEntries.CODEC);
  }

  /** Renames; returns how many entries have changed. */
  public long rename(RiderAlias alias) throws IOException, InterruptedException {
    Bson which = MongoBson.document(writer -> writer.writeString("riderId", alias.id()));
    Bson update =
        MongoBson.document(
            writer ->
                MongoBson.document(
                    writer, "$set", set -> set.writeString("riderId", alias.pseudonym())));
    return documents.ask(() -> entries.updateMany(which, update)).getModifiedCount();
  }
}
