package gilmok.statements;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.deliveries.OrderTerms;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bodies of {@code POST /v1/statement-entries}. */
@Tag("unit")
final class EntryBodyTest {
  private static final String GOOD =
      "{\"id\":\"a\",\"riderId\":\"r\",\"at\":1,\"kind\":\"fee\",\"amount\":5}";

  @Test
  void entries_areReadWithWhatTheySay() {
    EntryBody.Read read =
        read(
            "["
                + GOOD
                + ",{\"id\":\"b\",\"riderId\":\"r\",\"at\":\"2026-03-01T09:00:00+09:00\","
                + "\"kind\":\"deduction\",\"amount\":1000000000000,\"currency\":\"USD\","
                + "\"deliveryId\":\"d\",\"distance\":1234.5}]");
    assertThat(read)
        .isEqualTo(
            new EntryBody.Read.Good(
                List.of(
                    new StatementEntry("a", "r", 1, EntryKind.FEE, 5, "KRW", null, 0),
                    new StatementEntry(
                        "b",
                        "r",
                        1_772_323_200_000L,
                        EntryKind.DEDUCTION,
                        StatementEntry.AMOUNT_MAX,
                        "USD",
                        "d",
                        1_234_500))));
  }

  /** A delivery that is taken with a larger fee would earn its rider nothing. */
  @Test
  void amount_holdsEveryFeeThatADeliveryMayHave() {
    assertThat(StatementEntry.AMOUNT_MAX).isEqualTo(OrderTerms.FEE_MAX);
  }

  @Test
  void one_isAsGoodAsAnArrayOfIt() {
    assertThat(read(GOOD)).isEqualTo(read("[" + GOOD + "]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "id":"a"       | "id":""             | id       | empty
          "id":"a"       | "id":5              | id       | not a string
          "id":"a"       | "id":"delivery:x"   | id       | completed deliveries
          "id":"a"       | "id":"a\\u0001"     | id       | control character
          "riderId":"r"  | "riderId":null      | riderId  | missing
          "at":1         | "at":"noon"         | at       | not a time
          "at":1         | "at":null           | at       | missing
          "kind":"fee"   | "kind":"tip"        | kind     | must be fee, incentive or deduction
          "amount":5     | "amount":-5         | amount   | negative
          "amount":5     | "amount":"5"        | amount   | not a number
          "amount":5     | "amount":5.5        | amount   | minor units
          "amount":5     | "amount":1000000000001 | amount | minor units
          "amount":5     | "amount":null       | amount   | missing
          "amount":5     | "amount":5,"currency":"krw" | currency | not three capital letters
          "amount":5     | "amount":5,"distance":1.2345 | distance | at most 3 decimals
          "amount":5     | "amount":5,"distance":-1 | distance | at most 3 decimals
          "amount":5     | "amount":5,"distance":10000000.001 | distance | at most 3 decimals
          "amount":5     | "amount":5,"distance":1e3 | distance | at most 3 decimals
          "amount":5     | "amount":5,"tip":1  | tip      | is not a field of this
          "amount":5     | "amount":5,"amount":6 | amount | given twice
          """)
  void wrong_isNamedWithItsIndex(String good, String bad, String field, String reason) {
    String wrong = GOOD.replace(good, bad);
    assertWrong(read(wrong), field, reason);
    assertWrong(read("[" + GOOD + "," + wrong + "]"), "[1]." + field, reason);
  }

  @Test
  void whatHoldsNoEntries_isRefused() {
    assertThat(read("[]")).isEqualTo(new EntryBody.Read.Wrong("body", "nothing in it"));
    assertThat(read("[7]")).isEqualTo(new EntryBody.Read.Wrong("[0]", "not an object"));
    assertThat(read("7")).isInstanceOf(EntryBody.Read.Unreadable.class);
    assertThat(read("")).isInstanceOf(EntryBody.Read.Unreadable.class);
    assertThat(read("[" + GOOD)).isInstanceOf(EntryBody.Read.Unreadable.class);
  }

  @Test
  void overTheBound_isTooMany() {
    String most = (GOOD + ",").repeat(EntryBody.ENTRIES_MAX);
    assertThat(read("[" + most + GOOD + "]")).isEqualTo(new EntryBody.Read.TooMany());
    assertThat(read("[" + most.substring(0, most.length() - 1) + "]"))
        .isInstanceOf(EntryBody.Read.Good.class);
  }

  @ParameterizedTest
  @CsvSource({"0,0", "0.001,1", "12.5,12500", "10000000,10000000000", "7.000,7000"})
  void distance_isKeptInMillimetres(String metres, long millimetres) {
    EntryBody.Read read = read(GOOD.replace("}", ",\"distance\":" + metres + "}"));
    assertThat(read).isInstanceOf(EntryBody.Read.Good.class);
    assertThat(((EntryBody.Read.Good) read).entries().getFirst().distance()).isEqualTo(millimetres);
  }

  private static void assertWrong(EntryBody.Read read, String field, String reason) {
    assertThat(read).isInstanceOf(EntryBody.Read.Wrong.class);
    EntryBody.Read.Wrong wrong = (EntryBody.Read.Wrong) read;
    assertThat(wrong.field()).isEqualTo(field);
    assertThat(wrong.reason()).contains(reason);
  }

  private static EntryBody.Read read(String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return new EntryBody("KRW").read(bytes, 0, bytes.length);
  }
}
