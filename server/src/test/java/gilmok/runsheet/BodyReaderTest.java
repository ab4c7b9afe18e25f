package gilmok.runsheet;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.runsheet.RunSheetBody.Unreadable;
import gilmok.runsheet.RunSheetBody.Wish;
import gilmok.runsheet.RunSheetBody.Wrong;
import gilmok.runsheet.plan.Objective;
import gilmok.runsheet.plan.PlanCheck;
import gilmok.runsheet.plan.PlanOrder;
import gilmok.runsheet.plan.Stop;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class BodyReaderTest {
  private static final String MATRIX = "\"matrix\":[[0,5,9],[4,0,7],[8,6,0]]";
  private static final String ORDER = "{\"orderId\":\"a\",\"pickup\":1,\"dropoff\":2}";
  private static final String GOOD = "{" + MATRIX + ",\"start\":0,\"orders\":[" + ORDER + "]}";
  private static final String SEOUL = "{\"lat\":37.5,\"lon\":127.0}";
  private static final String ON_THE_GROUND =
      "{\"start\":"
          + SEOUL
          + ",\"end\":{\"lat\":37.51,\"lon\":127.0},\"speed\":5,\"orders\":[{\"orderId\":\"a\","
          + "\"pickup\":{\"lat\":37.52,\"lon\":127.0},\"dropoff\":{\"lat\":37.53,\"lon\":127.0}},"
          + "{\"orderId\":\"b\",\"pickedUp\":true,\"dropoff\":{\"lat\":37.54,\"lon\":127.0}}]}";

  static RunSheetBody read(String body) {
    byte[] bytes = ("#" + body + "#").getBytes(StandardCharsets.UTF_8);
    return BodyReader.read(bytes, 1, bytes.length - 2);
  }

  private static Wish wish(String body) {
    RunSheetBody read = read(body);
    assertThat(read).isInstanceOf(Wish.class);
    return (Wish) read;
  }

  private static String with(String more) {
    return GOOD.substring(0, GOOD.length() - 1) + "," + more + "}";
  }

  private static String orders(String orders) {
    return "{" + MATRIX + ",\"start\":0,\"orders\":[" + orders + "]}";
  }

  @Test
  void leastThatCanBeSaid_isTaken() {
    Wish wish = wish(GOOD);
    assertThat(wish.problem().nodes()).isEqualTo(3);
    assertThat(wish.problem().cost(1, 2)).isEqualTo(7);
    assertThat(wish.problem().cost(2, 1)).isEqualTo(6);
    assertThat(wish.problem().start()).isZero();
    assertThat(wish.problem().end()).isNull();
    assertThat(wish.problem().orders()).containsExactly(new PlanOrder("a", 1, 2));
    assertThat(wish.problem().objective()).isEqualTo(Objective.TRAVEL);
    assertThat(wish.problem().serviceTime()).isZero();
    assertThat(wish.budgetMillis()).isEqualTo(500);
    assertThat(wish.points()).isNull();
    assertThat(wish.visits()).isNull();
  }

  @Test
  void everythingThatCanBeSaid_isTaken() {
    Wish wish =
        wish(
            "{\"plan\":[{\"kind\":\"dropoff\",\"orderId\":\"a\"}],\"budgetMs\":10000,"
                + "\"objective\":\"lateness\",\"capacity\":3,\"serviceTime\":60,\"orders\":["
                + "{\"pickedUp\":true,\"dueBy\":-5,\"readyAt\":-7,\"dropoff\":2,\"pickup\":1,"
                + "\"orderId\":\"a\"}],\"end\":2,\"start\":1,"
                + MATRIX
                + "}");
    assertThat(wish.problem().start()).isEqualTo(1);
    assertThat(wish.problem().end()).isEqualTo(2);
    assertThat(wish.problem().serviceTime()).isEqualTo(60);
    assertThat(wish.problem().capacity()).isEqualTo(3);
    assertThat(wish.problem().objective()).isEqualTo(Objective.LATENESS_THEN_TRAVEL);
    assertThat(wish.budgetMillis()).isEqualTo(10_000);
    assertThat(wish.visits()).containsExactly(new PlanCheck.Visit(0, Stop.Kind.DROPOFF));
    PlanOrder order = wish.problem().orders().getFirst();
    assertThat(order.readyAt()).isEqualTo(-7);
    assertThat(order.dueBy()).isEqualTo(-5);
    assertThat(order.pickedUp()).isTrue();
  }

  @Test
  void null_isAsGoodAsAbsent() {
    Wish wish =
        wish(
            with(
                "\"end\":null,\"serviceTime\":null,\"capacity\":null,\"objective\":null,"
                    + "\"speed\":null,\"budgetMs\":null,\"plan\":null"));
    assertThat(wish.problem().end()).isNull();
    assertThat(wish.visits()).isNull();
    assertThat(read(orders("{\"orderId\":\"a\",\"pickup\":1,\"dropoff\":2,\"dueBy\":null}")))
        .isInstanceOf(Wish.class);
  }

  @Test
  void noOrders_isAProblemToo() {
    assertThat(wish("{\"matrix\":[[0]],\"start\":0,\"orders\":[]}").problem().orders()).isEmpty();
  }

  @Test
  void coordinates_becomeNodesWithSecondsBetweenThem() {
    Wish wish = wish(ON_THE_GROUND);
    assertThat(wish.points())
        .containsExactly(
            new GroundPoint(37.5, 127.0),
            new GroundPoint(37.51, 127.0),
            new GroundPoint(37.52, 127.0),
            new GroundPoint(37.53, 127.0),
            new GroundPoint(37.54, 127.0));
    assertThat(wish.problem().end()).isEqualTo(1);
    assertThat(wish.problem().orders().getFirst().pickup()).isEqualTo(2);
    assertThat(wish.problem().orders().getLast().dropoff()).isEqualTo(4);
    // A hundredth of a degree is 1,112 m.
    assertThat(wish.problem().cost(0, 1)).isEqualTo(222);
    assertThat(wish.problem().cost(3, 0)).isEqualTo(667);
  }

  static Stream<Arguments> wrong() {
    String two = "{\"orderId\":\"b\",\"pickup\":1,\"dropoff\":2}";
    String many = String.join(",", Collections.nCopies(101, ORDER));
    String rows = String.join(",", Collections.nCopies(513, "[0]"));
    String cells = String.join(",", Collections.nCopies(513, "0"));
    String start = ",\"start\":0,\"orders\":[]}";
    return Stream.of(
        Arguments.of("{}", "start"),
        Arguments.of("{\"start\":0}", "orders"),
        Arguments.of("{\"start\":0,\"orders\":[]}", "matrix"),
        Arguments.of("{\"matrix\":7" + start, "matrix"),
        Arguments.of("{\"matrix\":[]" + start, "matrix"),
        Arguments.of("{\"matrix\":[0,1]" + start, "matrix[0]"),
        Arguments.of("{\"matrix\":[[0,1],[1]]" + start, "matrix[1]"),
        Arguments.of("{\"matrix\":[[0,1,2],[1,0,2]]" + start, "matrix[0]"),
        Arguments.of("{\"matrix\":[[0,-1],[1,0]]" + start, "matrix[0][1]"),
        Arguments.of("{\"matrix\":[[0,500000001],[1,0]]" + start, "matrix[0][1]"),
        Arguments.of("{\"matrix\":[[0,1],[9223372036854775808,0]]" + start, "matrix[1][0]"),
        Arguments.of("{\"matrix\":[[0,1.5],[1,0]]" + start, "matrix[0][1]"),
        Arguments.of("{\"matrix\":[[0,\"1\"],[1,0]]" + start, "matrix[0][1]"),
        Arguments.of("{\"matrix\":[[0,null],[1,0]]" + start, "matrix[0][1]"),
        Arguments.of("{\"matrix\":[" + rows + "]" + start, "matrix"),
        Arguments.of("{\"matrix\":[[" + cells + "]]" + start, "matrix[0]"),
        Arguments.of(GOOD.replace("\"start\":0", "\"start\":3"), "start"),
        Arguments.of(GOOD.replace("\"start\":0", "\"start\":-1"), "start"),
        Arguments.of(GOOD.replace("\"start\":0", "\"start\":\"x\""), "start"),
        Arguments.of(GOOD.replace("\"start\":0", "\"start\":0.5"), "start"),
        Arguments.of(GOOD.replace("\"start\":0", "\"start\":" + SEOUL), "start"),
        Arguments.of(with("\"end\":9"), "end"),
        Arguments.of(with("\"end\":" + SEOUL), "end"),
        Arguments.of(with("\"speed\":5"), "speed"),
        Arguments.of(with("\"serviceTime\":-1"), "serviceTime"),
        Arguments.of(with("\"serviceTime\":500000001"), "serviceTime"),
        Arguments.of(with("\"capacity\":0"), "capacity"),
        Arguments.of(with("\"objective\":\"cheap\""), "objective"),
        Arguments.of(with("\"objective\":1"), "objective"),
        Arguments.of(with("\"budgetMs\":9"), "budgetMs"),
        Arguments.of(with("\"budgetMs\":10001"), "budgetMs"),
        Arguments.of(with("\"budgetMs\":\"500\""), "budgetMs"),
        Arguments.of(with("\"vehicle\":1"), "vehicle"),
        Arguments.of(with("\"plan\":{}"), "plan"),
        Arguments.of(with("\"plan\":[1]"), "plan[0]"),
        Arguments.of(with("\"plan\":[{\"orderId\":\"z\",\"kind\":\"pickup\"}]"), "plan[0].orderId"),
        Arguments.of(with("\"plan\":[{\"orderId\":\"a\",\"kind\":\"fetch\"}]"), "plan[0].kind"),
        Arguments.of(with("\"plan\":[{\"orderId\":\"a\"}]"), "plan[0].kind"),
        Arguments.of(with("\"plan\":[{\"kind\":\"pickup\"}]"), "plan[0].orderId"),
        Arguments.of(
            with("\"plan\":[{\"kind\":\"pickup\",\"orderId\":\"a\",\"at\":1}]"), "plan[0].at"),
        Arguments.of(
            with(
                "\"plan\":["
                    + String.join(
                        ",", Collections.nCopies(401, "{\"orderId\":\"a\",\"kind\":\"pickup\"}"))
                    + "]"),
            "plan"),
        Arguments.of(orders(many), "orders"),
        Arguments.of(orders("7"), "orders[0]"),
        Arguments.of(orders("{\"pickup\":1,\"dropoff\":2}"), "orders[0].orderId"),
        Arguments.of(orders("{\"orderId\":\"\",\"pickup\":1,\"dropoff\":2}"), "orders[0].orderId"),
        Arguments.of(
            orders("{\"orderId\":\"" + "x".repeat(129) + "\",\"pickup\":1,\"dropoff\":2}"),
            "orders[0].orderId"),
        Arguments.of(orders("{\"orderId\":5,\"pickup\":1,\"dropoff\":2}"), "orders[0].orderId"),
        Arguments.of(orders("{\"orderId\":\"a\",\"dropoff\":2}"), "orders[0].pickup"),
        Arguments.of(orders("{\"orderId\":\"a\",\"pickup\":1}"), "orders[0].dropoff"),
        Arguments.of(orders("{\"orderId\":\"a\",\"pickup\":1,\"dropoff\":1}"), "orders[0].dropoff"),
        Arguments.of(orders("{\"orderId\":\"a\",\"pickup\":3,\"dropoff\":1}"), "orders[0].pickup"),
        Arguments.of(orders("{\"orderId\":\"a\",\"pickup\":1,\"dropoff\":9}"), "orders[0].dropoff"),
        Arguments.of(
            orders(ORDER + ",{\"orderId\":\"b\",\"pickup\":0,\"dropoff\":1}"), "orders[1].dropoff"),
        Arguments.of(orders(ORDER + "," + ORDER), "orders[1].orderId"),
        Arguments.of(
            orders("{\"orderId\":\"a\",\"pickup\":1,\"dropoff\":2,\"readyAt\":1000000000001}"),
            "orders[0].readyAt"),
        Arguments.of(
            orders("{\"orderId\":\"a\",\"pickup\":1,\"dropoff\":2,\"dueBy\":9223372036854775807}"),
            "orders[0].dueBy"),
        Arguments.of(
            orders("{\"orderId\":\"a\",\"pickup\":1,\"dropoff\":2,\"dueBy\":\"noon\"}"),
            "orders[0].dueBy"),
        Arguments.of(
            orders("{\"orderId\":\"a\",\"pickup\":1,\"dropoff\":2,\"pickedUp\":1}"),
            "orders[0].pickedUp"),
        Arguments.of(
            orders("{\"orderId\":\"a\",\"pickup\":1,\"dropoff\":2,\"fee\":1}"), "orders[0].fee"),
        Arguments.of(
            orders("{\"orderId\":\"a\",\"pickup\":" + SEOUL + ",\"dropoff\":2}"),
            "orders[0].pickup"),
        Arguments.of(
            "{"
                + MATRIX
                + ",\"start\":0,\"capacity\":1,\"orders\":["
                + ORDER.replace("}", ",\"pickedUp\":true},")
                + two.replace("}", ",\"pickedUp\":true}")
                + "]}",
            "capacity"),
        Arguments.of(ON_THE_GROUND.replace("\"speed\":5,", ""), "speed"),
        Arguments.of(ON_THE_GROUND.replace("\"speed\":5", "\"speed\":0"), "speed"),
        Arguments.of(ON_THE_GROUND.replace("\"speed\":5", "\"speed\":1e999"), "speed"),
        Arguments.of(ON_THE_GROUND.replace("\"speed\":5", "\"speed\":\"5\""), "speed"),
        Arguments.of(ON_THE_GROUND.replace("37.5,", "90.5,"), "start.lat"),
        Arguments.of(ON_THE_GROUND.replace("37.5,\"lon\":127.0", "37.5"), "start.lon"),
        Arguments.of(ON_THE_GROUND.replace("37.5,\"lon\"", "37.5,\"lng\""), "start.lng"),
        Arguments.of(ON_THE_GROUND.replace(SEOUL, "0"), "matrix"));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void whatIsWrong_isNamed(String body, String field) {
    RunSheetBody read = read(body);
    assertThat(read).as(body).isInstanceOf(Wrong.class);
    Wrong wrong = (Wrong) read;
    assertThat(wrong.field()).isEqualTo(field);
    assertThat(wrong.reason()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "7",
        "[]",
        "null",
        "{",
        "{\"start\":",
        "{\"start\":0,}",
        "{\"start\":0} 1",
        "{\"start\":0,\"start\":0}",
        "{\"matrix\":[[0,",
        "{\"start\":01}",
        "{\"orders\":[{\"orderId\":\"a"
      })
  void whatIsNoJsonObject_isUnreadable(String body) {
    RunSheetBody read = read(body);
    assertThat(read).isInstanceOf(Unreadable.class);
  }

  @Test
  void anyBytes_areAWishOrARefusal() {
    SplittableRandom random = new SplittableRandom(7);
    for (String good : List.of(GOOD, ON_THE_GROUND, with("\"plan\":[],\"budgetMs\":10"))) {
      byte[] bytes = good.getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < 5000; i++) {
        byte[] spoilt = bytes.clone();
        for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
          byte other = spoilt[random.nextInt(spoilt.length)];
          spoilt[random.nextInt(spoilt.length)] =
              random.nextBoolean() ? other : (byte) random.nextInt(256);
        }
        int length = random.nextInt(4) == 0 ? random.nextInt(spoilt.length) : spoilt.length;
        RunSheetBody read = BodyReader.read(spoilt, 0, length);
        assertThat(read).isNotNull();
      }
    }
  }
}
