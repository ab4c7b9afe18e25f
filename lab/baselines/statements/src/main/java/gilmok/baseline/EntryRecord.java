package gilmok.baseline;

import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

/** The same as a Java record. */
@Document("statement_entries")
public record EntryRecord(
    @Id String id,
    String riderId,
    long at,
    Kind kind,
    long amount,
    String currency,
    String deliveryId,
    Long distance) {}
