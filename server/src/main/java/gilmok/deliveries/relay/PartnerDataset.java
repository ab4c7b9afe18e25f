package gilmok.deliveries.relay;

import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
import gilmok.deliveries.OutboxReader;
import gilmok.deliveries.Partner;
import gilmok.deliveries.UnreadablePartner;
import gilmok.event.JsonBuffer;
import gilmok.event.Reason;
import gilmok.transfer.Dataset;
import gilmok.transfer.DatasetPage;
import gilmok.transfer.ReadBatch;
import gilmok.transfer.RecordBatch;
import gilmok.transfer.StoredTally;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All partners, with their secrets. Thread-safe. */
public record PartnerDataset(Relay relay, InstantSource clock) implements Dataset {
  private static final int ID_CHARS_MAX = 128;
  private static final int SECRETS_MAX = 2;
  private static final Set<String> MEMBERS = Set.of("kind", "id", "url", "secrets", "events");

  @Override
  public String name() {
    return "partners";
  }

  @Override
  public DatasetPage page(String cursor, int limit) throws IOException, InterruptedException {
    List<Partner> found =
        relay.partners().all().stream()
            .filter(partner -> cursor(partner).compareTo(cursor) > 0)
            .sorted(Comparator.comparing(PartnerDataset::cursor))
            .limit(limit + 1L)
            .toList();
    return DatasetPage.of(found, limit, PartnerDataset::write, PartnerDataset::cursor);
  }

  private static String cursor(Partner partner) {
    return partner.reader() + "/" + partner.id();
  }

  @Override
  public RecordBatch batch(String keyId) {
    return new ReadBatch<Partner>(this::read, this::store);
  }

  /** Reads a partner as its route does, for each of its secrets. */
  private @Nullable Partner read(JsonDocument document, int value, Fields fields) {
    fields.only(value, "", MEMBERS);
    String id = fields.need(value, "", "id", ID_CHARS_MAX);
    List<String> secrets = secrets(document, value, fields);
    Partner read = null;
    for (int i = 0; i < secrets.size() && fields.isGood(); i++) {
      JsonBuffer body = new JsonBuffer();
      body.ascii("{\"secret\":").string(secrets.get(i));
      for (String name : List.of("kind", "url", "events")) {
        int member = document.member(value, name);
        if (member != JsonDocument.NONE) {
          body.put(',').string(name).put(':');
          document.copy(member, body);
        }
      }
      switch (PartnerBody.partner(body.put('}').copy(), relay.guard())) {
        case PartnerBody.Wish wish ->
            read =
                new Partner(id, wish.reader(), wish.url(), secrets, wish.events(), clock.millis());
        case PartnerBody.Wrong wrong ->
            fields.wrong(
                wrong.field().equals("secret") ? "secrets[" + i + "]" : wrong.field(),
                wrong.reason());
        case PartnerBody.Unreadable _, PartnerBody.From _ -> fields.wrong("", Reason.NOT_AN_OBJECT);
      }
    }
    return read;
  }

  private static List<String> secrets(JsonDocument document, int value, Fields fields) {
    List<String> secrets = new ArrayList<>();
    int list = document.member(value, "secrets");
    for (int one = document.first(list);
        one != JsonDocument.NONE && secrets.size() <= SECRETS_MAX;
        one = document.next(one)) {
      String text = document.text(one);
      secrets.add(text == null ? "" : text);
    }
    if (!document.isArray(list) || secrets.isEmpty() || secrets.size() > SECRETS_MAX) {
      fields.wrong("secrets", "needs a list of one or two");
    }
    return secrets;
  }

  private RecordBatch.Stored store(List<Partner> brought) throws IOException, InterruptedException {
    StoredTally<Partner> tally = new StoredTally<>(PartnerDataset::write);
    for (Partner partner : brought) {
      try {
        Partner there = relay.partners().find(partner.reader(), partner.id());
        if (there == null) {
          relay.partners().put(partner);
        }
        tally.count(partner, partner.id(), there);
      } catch (UnreadablePartner damaged) {
        tally.reject("id", "is there already, and cannot be read");
      }
    }
    return tally.stored();
  }

  private static void write(Partner partner, JsonBuffer out) {
    String kind = partner.reader() == OutboxReader.SHOP ? "shop" : "agency";
    out.ascii("{\"kind\":\"").ascii(kind);
    out.ascii("\",\"id\":").string(partner.id());
    out.ascii(",\"url\":").string(partner.url());
    out.ascii(",\"secrets\":").strings(partner.secrets());
    out.ascii(",\"events\":").strings(partner.events()).put('}');
  }
}
