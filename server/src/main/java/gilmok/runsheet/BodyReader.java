package gilmok.runsheet;

import gilmok.runsheet.RunSheetRequest.Given;
import gilmok.runsheet.RunSheetRequest.Wanted;
import gilmok.runsheet.RunSheetRequest.Where;
import gilmok.runsheet.plan.Objective;
import gilmok.runsheet.plan.ProblemDraft;
import gilmok.runsheet.plan.Stop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Parses the body of {@code POST /v1/run-sheets} from bytes to numbers, without a tree in between,
 * up to the first error. A null field counts as absent.
 *
 * <p>Not thread-safe: one for each body.
 */
final class BodyReader {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final int ID_CHARS_MAX = 128;

  /**
   * A plan has at most two stops for each order. Up to twice as many are read, so that the check
   * can report the extra ones.
   */
  private static final int VISITS_MAX = 4 * ProblemDraft.ORDERS_MAX;

  private final JsonParser in;
  private final RunSheetRequest request = new RunSheetRequest();
  private RunSheetBody.@Nullable Wrong wrong;

  private BodyReader(JsonParser in) {
    this.in = in;
  }

  /** Parses a body. */
  static RunSheetBody read(byte[] bytes, int offset, int length) {
    try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), bytes, offset, length)) {
      return in.nextToken() == JsonToken.START_OBJECT
          ? new BodyReader(in).read()
          : new RunSheetBody.Unreadable();
    } catch (JacksonException unreadable) {
      return new RunSheetBody.Unreadable();
    }
  }

  private RunSheetBody read() {
    while (isGood() && in.nextToken() != JsonToken.END_OBJECT) {
      member(name());
    }
    if (wrong != null) {
      return wrong;
    }
    return in.nextToken() == null
        ? new RequestAssembler(request).make()
        : new RunSheetBody.Unreadable();
  }

  private void member(String name) {
    if (isNull()) {
      return;
    }
    switch (name) {
      case "matrix" -> matrix();
      case "start" -> request.start = where("start");
      case "end" -> request.end = where("end");
      case "orders" -> orders();
      case "serviceTime" -> request.serviceTime = whole("serviceTime", 0, ProblemDraft.COST_MAX);
      case "capacity" -> request.capacity = (int) whole("capacity", 1, Integer.MAX_VALUE);
      case "objective" -> objective();
      case "speed" -> request.speed = number("speed", GroundPoint.SPEED_MIN, GroundPoint.SPEED_MAX);
      case "budgetMs" ->
          request.budgetMillis =
              (int)
                  whole("budgetMs", RunSheetBody.BUDGET_MIN_MILLIS, RunSheetBody.BUDGET_MAX_MILLIS);
      case "plan" -> plan();
      default -> wrong(name, "is not a field of a run sheet");
    }
  }

  private void matrix() {
    if (!isArray("matrix")) {
      return;
    }
    long[][] rows = new long[8][];
    int count = 0;
    while (isGood() && in.nextToken() != JsonToken.END_ARRAY) {
      if (count == ProblemDraft.NODES_MAX) {
        wrong("matrix", "has more than " + ProblemDraft.NODES_MAX + " rows");
      } else if (in.currentToken() != JsonToken.START_ARRAY) {
        wrong("matrix[" + count + "]", "needs a row of whole numbers");
      } else {
        rows = count == rows.length ? Arrays.copyOf(rows, 2 * count) : rows;
        rows[count] = row(count, count == 0 ? 8 : rows[0].length);
        count++;
      }
    }
    request.matrix = Arrays.copyOf(rows, count);
  }

  private long[] row(int from, int likely) {
    long[] row = new long[likely];
    int count = 0;
    while (isGood() && in.nextToken() != JsonToken.END_ARRAY) {
      if (count == ProblemDraft.NODES_MAX) {
        wrong("matrix[" + from + "]", "has more than " + ProblemDraft.NODES_MAX + " entries");
      } else if (isLong()) {
        row = count == row.length ? Arrays.copyOf(row, 2 * count + 8) : row;
        row[count++] = in.getLongValue();
      } else {
        wrong("matrix[" + from + "][" + count + "]", notWhole());
      }
    }
    return count == row.length ? row : Arrays.copyOf(row, count);
  }

  private void orders() {
    if (!isArray("orders")) {
      return;
    }
    List<Wanted> orders = new ArrayList<>();
    request.orders = orders;
    while (isGood() && in.nextToken() != JsonToken.END_ARRAY) {
      String at = "orders[" + orders.size() + "]";
      if (orders.size() == ProblemDraft.ORDERS_MAX) {
        wrong("orders", "are more than " + ProblemDraft.ORDERS_MAX);
      } else if (isObject(at)) {
        orders.add(order(at + "."));
      }
    }
  }

  private Wanted order(String at) {
    Wanted order = new Wanted();
    while (isGood() && in.nextToken() != JsonToken.END_OBJECT) {
      String name = name();
      if (isNull()) {
        continue;
      }
      switch (name) {
        case "orderId" -> order.id = id(at + name);
        case "pickup" -> order.pickup = where(at + name);
        case "dropoff" -> order.dropoff = where(at + name);
        case "readyAt" ->
            order.readyAt = whole(at + name, -ProblemDraft.TIME_MAX, ProblemDraft.TIME_MAX);
        case "dueBy" ->
            order.dueBy = whole(at + name, -ProblemDraft.TIME_MAX, ProblemDraft.TIME_MAX);
        case "pickedUp" -> order.pickedUp = isTrue(at + name);
        default -> wrong(at + name, "is not a field of an order");
      }
    }
    if (isGood() && order.id.isEmpty()) {
      wrong(at + "orderId", "is missing");
    } else if (isGood() && order.dropoff == null) {
      wrong(at + "dropoff", "is missing");
    } else if (isGood() && order.pickup == null && !order.pickedUp) {
      wrong(at + "pickup", "is missing");
    }
    return order;
  }

  private void plan() {
    if (!isArray("plan")) {
      return;
    }
    List<Given> plan = new ArrayList<>();
    request.plan = plan;
    while (isGood() && in.nextToken() != JsonToken.END_ARRAY) {
      String at = "plan[" + plan.size() + "]";
      if (plan.size() == VISITS_MAX) {
        wrong("plan", "has more than " + VISITS_MAX + " stops");
      } else if (isObject(at)) {
        visit(at + ".", plan);
      }
    }
  }

  private void visit(String at, List<Given> plan) {
    String order = "";
    Stop.Kind kind = null;
    while (isGood() && in.nextToken() != JsonToken.END_OBJECT) {
      String name = name();
      switch (name) {
        case "orderId" -> order = id(at + name);
        case "kind" -> kind = kind(at + name);
        default -> wrong(at + name, "is not a field of a plan's stop");
      }
    }
    if (isGood() && order.isEmpty()) {
      wrong(at + "orderId", "is missing");
    } else if (isGood() && kind == null) {
      wrong(at + "kind", "is missing");
    } else if (kind != null) {
      plan.add(new Given(order, kind));
    }
  }

  private Stop.@Nullable Kind kind(String field) {
    String said = in.currentToken() == JsonToken.VALUE_STRING ? in.getString() : "";
    return switch (said) {
      case "pickup" -> Stop.Kind.PICKUP;
      case "dropoff" -> Stop.Kind.DROPOFF;
      default -> {
        wrong(field, "must be pickup or dropoff");
        yield null;
      }
    };
  }

  private void objective() {
    String said = in.currentToken() == JsonToken.VALUE_STRING ? in.getString() : "";
    Objective objective = Objectives.of(said);
    if (objective == null) {
      wrong("objective", "must be " + Objectives.NAMES);
    } else {
      request.objective = objective;
    }
  }

  private @Nullable Where where(String field) {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      return new Where.Node((int) whole(field, Integer.MIN_VALUE, Integer.MAX_VALUE));
    }
    Double lat = null;
    Double lon = null;
    while (isGood() && in.nextToken() != JsonToken.END_OBJECT) {
      String name = name();
      switch (name) {
        case "lat" -> lat = number(field + "." + name, -90, 90);
        case "lon" -> lon = number(field + "." + name, -180, 180);
        default -> wrong(field + "." + name, "is neither lat nor lon");
      }
    }
    if (isGood() && (lat == null || lon == null)) {
      wrong(field + (lat == null ? ".lat" : ".lon"), "is missing");
    }
    return lat == null || lon == null ? null : new Where.At(new GroundPoint(lat, lon));
  }

  private String id(String field) {
    String said = in.currentToken() == JsonToken.VALUE_STRING ? in.getString() : "";
    if (said.isEmpty() || said.length() > ID_CHARS_MAX) {
      wrong(field, "needs a text of 1 to " + ID_CHARS_MAX + " characters");
      return "";
    }
    return said;
  }

  private boolean isTrue(String field) {
    JsonToken token = in.currentToken();
    if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
      wrong(field, "must be true or false");
    }
    return token == JsonToken.VALUE_TRUE;
  }

  private long whole(String field, long least, long most) {
    if (!isLong()) {
      wrong(field, notWhole());
      return least;
    }
    long said = in.getLongValue();
    if (said < least || said > most) {
      wrong(field, "is " + said + ", not " + least + " to " + most);
    }
    return said;
  }

  private double number(String field, double least, double most) {
    boolean isNumber = in.currentToken().isNumeric();
    double said = isNumber ? in.getDoubleValue() : Double.NaN;
    // In this form the condition also rejects NaN.
    if (!(said >= least && said <= most)) {
      wrong(field, "needs a number from " + least + " to " + most);
      return least;
    }
    return said;
  }

  private boolean isLong() {
    return in.currentToken() == JsonToken.VALUE_NUMBER_INT
        && in.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
  }

  private String notWhole() {
    return in.currentToken() == JsonToken.VALUE_NUMBER_INT
        ? "is beyond all that a whole number can be here"
        : "needs a whole number";
  }

  /** Reads a member's name and moves to its value. */
  private String name() {
    String name = in.currentName();
    in.nextToken();
    return name;
  }

  private boolean isNull() {
    return in.currentToken() == JsonToken.VALUE_NULL;
  }

  private boolean isArray(String field) {
    if (in.currentToken() != JsonToken.START_ARRAY) {
      wrong(field, "needs an array");
    }
    return isGood();
  }

  private boolean isObject(String field) {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      wrong(field, "needs an object");
    }
    return isGood();
  }

  private boolean isGood() {
    return wrong == null;
  }

  private void wrong(String field, String reason) {
    wrong = wrong == null ? new RunSheetBody.Wrong(field, reason) : wrong;
  }
}
