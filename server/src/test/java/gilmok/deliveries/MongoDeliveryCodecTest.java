package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.auth.Binding;
import gilmok.deliveries.MongoDelivery.Aside;
import gilmok.deliveries.MongoDelivery.Progress;
import gilmok.documents.MongoBson;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bson.BsonBinaryReader;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class MongoDeliveryCodecTest {
  private static final MongoDeliveryCodec CODEC = new MongoDeliveryCodec();

  private static final List<Step> STEPS = List.of(Step.values());

  private final Day day = new Day();

  @Test
  void withNothingOptional_isTheSame() {
    DeliveryPlace bare = new DeliveryPlace(-90, 180, "", null);
    DeliveryOrder order = new DeliveryOrder("o", "s", null, null, bare, bare, OrderTerms.NONE);
    assertSame(stored(day.of(order)));
  }

  @Test
  void withEachOptionalOfAnOrder_isTheSame() {
    for (int bits = 0; bits < 256; bits++) {
      DeliveryOrder order =
          new DeliveryOrder(
              "o",
              "s",
              has(bits, 0) ? "agency" : null,
              has(bits, 1) ? "customer" : null,
              new DeliveryPlace(1, 2.5, "here", has(bits, 2) ? "+82" : null),
              new DeliveryPlace(1e-9, -2, "길", has(bits, 3) ? "" : null),
              new OrderTerms(
                  has(bits, 4) ? Long.MAX_VALUE : null,
                  has(bits, 4) ? "KRW" : null,
                  has(bits, 5) ? 0L : null,
                  has(bits, 6) ? -1L : null,
                  has(bits, 7) ? "$set \u0001 \uD83D\uDEF5" : null));
      assertSame(stored(day.of(order)));
    }
  }

  @Test
  void withEachOptionalOfMovesAndActions_isTheSame() {
    for (int bits = 0; bits < 256; bits++) {
      assertSame(stored(moved(bits)));
    }
  }

  @Test
  void withAnyHistory_isTheSame() {
    Random random = new Random(5);
    int late = 0;
    for (int i = 0; i < 200; i++) {
      Delivery delivery = day.delivery("s", random.nextBoolean() ? "a" : null);
      for (int j = 0; j < 20; j++) {
        day.pass(1_000);
        if (random.nextInt(3) == 0) {
          Step step = List.of(Step.PICK_UP, Step.COMPLETE).get(random.nextInt(2));
          Move action = Day.action(step, "r" + random.nextInt(2), "n:" + j, day.millis());
          delivery = Lifecycle.act(delivery, action, day.millis());
        } else {
          Step step = STEPS.get(random.nextInt(STEPS.size()));
          Move move = step == Step.ASSIGN ? day.assign("r" + random.nextInt(2)) : day.move(step);
          delivery =
              Lifecycle.move(delivery, move, day.millis())
                      instanceof Decision.Allowed(Delivery next)
                  ? next
                  : delivery;
        }
      }
      late += delivery.events().stream().anyMatch(DeliveryEvent::late) ? 1 : 0;
      assertSame(stored(delivery));
    }
    assertThat(late).isPositive();
  }

  @Test
  void withAllThatIsToBeTold_isTheSame() {
    Progress some =
        new Progress(
            3,
            MongoDelivery.waitingUntil(day.millis()),
            7,
            day.millis(),
            "refused",
            List.of(new Aside(1, 4, "gone", 5), new Aside(2, 1, null, 6)),
            List.of(
                new WebhookAttempt(1, 3, 410, 7, "gone"), new WebhookAttempt(2, 9, 200, 1, null)));
    assertThat(some.dueMillis()).isEqualTo(day.millis());
    assertSame(new MongoDelivery(day.delivery(), 1L << 40, some, MongoDelivery.UNTOLD, some));
  }

  @Test
  void whatIsNotKnown_isPassedOver() {
    MongoDelivery stored = stored(moved(0));
    BsonDocument document = new BsonDocumentCodec().decode(reader(encode(stored)), DECODING);
    document.put("later", new BsonDocument("x", new BsonInt32(1)));
    document.getDocument("order").put("later", new BsonString("x"));
    document.getArray("events").get(0).asDocument().put("later", new BsonString("x"));
    RawBsonDocument more = new RawBsonDocument(document, new BsonDocumentCodec());
    assertThat(CODEC.decode(reader(more), DECODING)).isEqualTo(stored);
  }

  private static final DecoderContext DECODING = DecoderContext.builder().build();

  private static void assertSame(MongoDelivery stored) {
    assertThat(CODEC.decode(reader(encode(stored)), DECODING)).isEqualTo(stored);
  }

  private static RawBsonDocument encode(MongoDelivery stored) {
    RawBsonDocument whole =
        MongoBson.document(
            writer -> {
              writer.writeName("all");
              CODEC.encode(writer, stored, EncoderContext.builder().build());
            });
    return (RawBsonDocument) whole.getDocument("all");
  }

  private static BsonBinaryReader reader(RawBsonDocument document) {
    return new BsonBinaryReader(document.getByteBuffer().asNIO());
  }

  private static MongoDelivery stored(Delivery delivery) {
    return new MongoDelivery(
        delivery, 9, MongoDelivery.UNTOLD, MongoDelivery.UNTOLD, MongoDelivery.UNTOLD);
  }

  /**
   * A delivery after the usual moves, with two actions held behind them; the bits choose which
   * optional fields are there.
   */
  private Delivery moved(int bits) {
    Delivery delivery = day.delivery("shop", has(bits, 0) ? "agency" : null);
    List<Move> moves = new ArrayList<>();
    for (Step step : List.of(Step.ACCEPT, Step.ASSIGN, Step.PICK_UP, Step.COMPLETE)) {
      moves.add(
          new Move(
              step,
              "key:k",
              null,
              day.millis(),
              day.millis(),
              null,
              new StepDetails(
                  has(bits, 1) ? 1.5 : null,
                  has(bits, 1) ? -1.5 : null,
                  step == Step.ASSIGN && has(bits, 2) ? "rider" : null,
                  step == Step.ACCEPT && has(bits, 3) ? "agency" : null,
                  has(bits, 4) ? "because" : null,
                  has(bits, 5)
                      ? new DeliveryProof(
                          DeliveryProof.Kind.SIGNATURE,
                          has(bits, 6) ? "4711" : null,
                          has(bits, 6) ? null : "a".repeat(64),
                          has(bits, 6) ? null : "https://example.com/a")
                      : null,
                  has(bits, 7) ? "n:" + step : null)));
    }
    for (Move move : moves.subList(0, has(bits, 7) ? 3 : 4)) {
      if (Lifecycle.decide(delivery, move, day.millis()) instanceof Decision.Allowed(Delivery d)) {
        delivery = d;
      }
    }
    Move early = moves.getLast();
    Delivery held = Lifecycle.hold(delivery, early);
    return Lifecycle.hold(
        held,
        new Move(
            early.step(),
            early.by(),
            has(bits, 2) ? new Binding(Binding.Kind.RIDER, "r") : null,
            early.atMillis(),
            early.arrivedAtMillis(),
            has(bits, 3) ? 4 : null,
            new StepDetails(
                early.details().lat(),
                early.details().lon(),
                null,
                has(bits, 4) ? "a" : null,
                early.reason(),
                early.proof(),
                "n:other")));
  }

  private static boolean has(int bits, int bit) {
    return (bits >> bit & 1) == 1;
  }
}
