package gilmok.baseline;

import org.bson.codecs.pojo.annotations.BsonId;

/** The same for the driver's codec of records. */
public record CodecEntry(
    @BsonId String id,
    String riderId,
    long at,
    Kind kind,
    long amount,
    String currency,
    String deliveryId,
    Long distance) {}
