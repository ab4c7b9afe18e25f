package gilmok.missions;

import gilmok.documents.MongoBson;
import org.bson.BsonDocument;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;

/** Encodes and decodes the document of a rider's progress in a mission. Thread-safe. */
final class MongoProgressCodec implements Codec<MissionStore.Progress> {
  static final String VERSION = "version";
  static final String SETTLED = "settledAt";

  /** The document's id. A mission's id has no slash; a rider's may have some. */
  static String id(String riderId, String missionId) {
    return riderId + '/' + missionId;
  }

  @Override
  public Class<MissionStore.Progress> getEncoderClass() {
    return MissionStore.Progress.class;
  }

  @Override
  public void encode(BsonWriter writer, MissionStore.Progress value, EncoderContext context) {
    throw new UnsupportedOperationException("progress is made by updates alone");
  }

  @Override
  public MissionStore.Progress decode(BsonReader reader, DecoderContext context) {
    String missionId = "";
    String json = "";
    long version = 0;
    long settledAt = 0;
    reader.readStartDocument();
    while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
      switch (reader.readName()) {
        case "_id" -> {
          String id = reader.readString();
          missionId = id.substring(id.lastIndexOf('/') + 1);
        }
        case "json" -> json = reader.readString();
        case VERSION -> version = MongoBson.whole(reader);
        case SETTLED -> settledAt = MongoBson.whole(reader);
        default -> reader.skipValue();
      }
    }
    reader.readEndDocument();
    return new MissionStore.Progress(missionId, json, version, settledAt);
  }

  /** Reads a document with whose it is. */
  static MissionStore.RiderProgress riderProgress(BsonDocument one) {
    String id = one.getString("_id").getValue();
    int slash = id.lastIndexOf('/');
    MissionStore.Progress progress =
        new MissionStore.Progress(
            id.substring(slash + 1),
            one.getString("json").getValue(),
            one.getNumber(VERSION).longValue(),
            one.getNumber(SETTLED).longValue());
    return new MissionStore.RiderProgress(id.substring(0, slash), progress);
  }
}
