package gilmok.collect.devices;

import gilmok.audit.Actor;
import gilmok.audit.Audit;
import gilmok.audit.AuditAction;
import gilmok.audit.AuditEntry;
import gilmok.collect.dialect.PhoneCommand;
import gilmok.collect.json.Fields;
import gilmok.event.HiddenKey;
import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import java.io.IOException;
import java.util.List;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The routes {@code /v1/devices}: the rider and the group of each phone, and the commands for it.
 * Handlers run on event loops and leave changes to {@link Offload}.
 */
public final class DeviceRoutes {
  private static final String PATH = "/v1/devices";
  private static final String ONE = PATH + "/{id}";
  private static final String JSON = "application/json";
  private static final int BODY_BYTES_MAX = 16 << 10;
  private static final int ID_MAX = 128;
  private static final int LIST_MAX = 1000;
  private static final int IN_FLIGHT_MAX = 256;

  private final Devices devices;
  private final Audit audit;
  private final DevicesConfig config;
  private final RandomGenerator random;
  private final BiFunction<String, PhoneCommand, @Nullable String> refusals;
  private final ThreadLocal<DeviceBody> bodies = ThreadLocal.withInitial(DeviceBody::new);
  private final Offload offload;

  /**
   * The routes of those devices.
   *
   * @param refusals why a dialect cannot carry a command; null if it can
   */
  public DeviceRoutes(
      Devices devices,
      Audit audit,
      DevicesConfig config,
      RandomGenerator random,
      BiFunction<String, PhoneCommand, @Nullable String> refusals,
      Offloads offloads) {
    this.devices = devices;
    this.audit = audit;
    this.config = config;
    this.random = random;
    this.refusals = refusals;
    offload = offloads.of("devices", "devices cannot be written", IN_FLIGHT_MAX, null);
  }

  /** All of them. */
  public List<Route> routes() {
    return List.of(
        route("GET", PATH, 0, this::list).queriedBy("riderId", "limit", "cursor"),
        route("GET", ONE, 0, this::show),
        route("PUT", ONE, BODY_BYTES_MAX, this::tie),
        route("DELETE", ONE, 0, this::untie),
        route("POST", ONE + "/commands", BODY_BYTES_MAX, this::tell));
  }

  private static Route route(String method, String path, int bodyBytesMax, Route.Handler handler) {
    return Route.operate(method, path, Priority.READS, bodyBytesMax, handler);
  }

  private void tie(Exchange exchange) {
    DeviceBody body = bodies.get();
    String id = id(exchange);
    if (id != null && isRead(exchange, body)) {
      Device tied = body.tie(Device.unknown(id));
      if (tied == null) {
        exchange.refuse(Refusal.INVALID, body.field(), body.reason());
      } else {
        change(
            exchange,
            AuditAction.DEVICE_TIED,
            id,
            tie(tied),
            () -> devices.tie(id, tied.rider(), tied.group()),
            200);
      }
    }
  }

  private void untie(Exchange exchange) {
    String id = exchange.pathParameter("id");
    if (devices.find(id) == null) {
      refuseUnknown(exchange);
    } else {
      change(exchange, AuditAction.DEVICE_UNTIED, id, null, () -> devices.untie(id), 204);
    }
  }

  private void tell(Exchange exchange) {
    DeviceBody body = bodies.get();
    String id = id(exchange);
    if (id == null || !isRead(exchange, body)) {
      return;
    }
    PhoneCommand command = body.command(Long.toHexString(random.nextLong()));
    if (command == null) {
      exchange.refuse(Refusal.INVALID, body.field(), body.reason());
      return;
    }
    Device known = devices.find(id);
    String refusal =
        known == null || known.dialect() == null ? null : refusals.apply(known.dialect(), command);
    if (refusal != null) {
      exchange.refuse(Refusal.CONFLICT, "type", refusal);
    } else if (known != null && known.waiting().size() >= config.commandsMax()) {
      exchange.refuse(Refusal.CONFLICT, "id", tooMany());
    } else {
      JsonBuffer after = new JsonBuffer().ascii("{\"command\":");
      after.string(command.id()).ascii(",\"type\":").string(command.type().label()).put('}');
      change(
          exchange,
          AuditAction.DEVICE_COMMANDED,
          id,
          after.toString(),
          () -> devices.tell(id, command),
          202);
    }
  }

  private void show(Exchange exchange) {
    Device device = devices.find(exchange.pathParameter("id"));
    if (device == null) {
      refuseUnknown(exchange);
    } else {
      JsonBuffer out = new JsonBuffer();
      write(device, out);
      exchange.reply(200, JSON, out.copy());
    }
  }

  private void refuseUnknown(Exchange exchange) {
    if (devices.isRead()) {
      exchange.refuse(Refusal.NOT_FOUND, "id", "nothing is known of this device");
    } else {
      exchange.refuse(Refusal.BUSY);
    }
  }

  private String tooMany() {
    return config.commandsMax() + " commands wait for this phone already";
  }

  private void list(Exchange exchange) {
    if (!devices.isRead()) {
      exchange.refuse(Refusal.BUSY);
      return;
    }
    int limit = limit(exchange.query("limit"));
    if (limit < 0) {
      exchange.refuse(Refusal.INVALID, "limit", "must be a number from 1 to " + LIST_MAX);
      return;
    }
    String after = exchange.query("cursor");
    List<Device> page =
        devices.list(after == null ? "" : after, exchange.query("riderId"), limit + 1);
    List<Device> shown = page.subList(0, Math.min(limit, page.size()));
    String next = page.size() > limit ? shown.getLast().id() : null;
    JsonBuffer out = new JsonBuffer().page(shown, DeviceRoutes::write, next);
    exchange.reply(200, JSON, out.copy());
  }

  /** Reads a limit: from 1 to the largest one, which is also the default; -1 for anything else. */
  private static int limit(@Nullable String asked) {
    if (asked == null) {
      return LIST_MAX;
    }
    long limit = Fields.digits(asked);
    return limit >= 1 && limit <= LIST_MAX ? (int) limit : -1;
  }

  private static void write(Device device, JsonBuffer out) {
    out.ascii("{\"id\":").string(device.id());
    out.ascii(",\"riderId\":").string(device.rider());
    out.ascii(device.riderId() == null ? ",\"tied\":false" : ",\"tied\":true");
    if (device.group() != null) {
      out.ascii(",\"group\":").string(device.group());
    }
    if (device.dialect() != null) {
      out.ascii(",\"dialect\":").string(device.dialect());
      out.ascii(",\"heardAt\":").time(device.heardAtMillis());
    }
    out.ascii(",\"commands\":").list(device.waiting(), DeviceRoutes::write);
    if (!device.ended().isEmpty()) {
      out.ascii(",\"ended\":").list(device.ended(), DeviceRoutes::write);
    }
    out.put('}');
  }

  private static void write(Device.Waiting waiting, JsonBuffer out) {
    out.ascii("{\"id\":").string(waiting.command().id());
    out.ascii(",\"type\":").string(waiting.command().type().label());
    out.ascii(",\"since\":").time(waiting.sinceMillis()).put('}');
  }

  private static void write(Device.Ended ended, JsonBuffer out) {
    out.ascii("{\"id\":").string(ended.id());
    out.ascii(",\"type\":").string(ended.type().label());
    out.ascii(",\"end\":").string(ended.end().label());
    out.ascii(",\"at\":").time(ended.atMillis()).put('}');
  }

  /** The device's id in the path; null when the request was refused. */
  private static @Nullable String id(Exchange exchange) {
    String id = exchange.pathParameter("id");
    boolean fits = !id.isBlank() && id.codePointCount(0, id.length()) <= ID_MAX;
    if (!fits || id.chars().anyMatch(Character::isISOControl)) {
      exchange.refuse(Refusal.INVALID, "id", "1 to 128 characters, no controls");
      return null;
    }
    if (HiddenKey.isIn(id)) {
      exchange.refuse(Refusal.INVALID, "id", "holds a key, which others could read in it");
      return null;
    }
    return id;
  }

  private static boolean isRead(Exchange exchange, DeviceBody body) {
    if (body.read(exchange.bodyBytes(), exchange.bodyOffset(), exchange.bodyLength())) {
      return true;
    }
    exchange.refuse(Refusal.UNREADABLE, "body", "not a JSON object");
    return false;
  }

  /** Whose a device is, as the audit shows it; null for a device that nobody has tied. */
  private static @Nullable String tie(@Nullable Device device) {
    if (device == null || device.riderId() == null) {
      return null;
    }
    JsonBuffer out = new JsonBuffer().ascii("{\"riderId\":").string(device.riderId());
    if (device.group() != null) {
      out.ascii(",\"group\":").string(device.group());
    }
    return out.put('}').toString();
  }

  private Devices.Outcome change(
      AuditAction action,
      Actor actor,
      String id,
      @Nullable String after,
      Audit.Change<Devices.Outcome> change)
      throws IOException, InterruptedException {
    String before = action == AuditAction.DEVICE_COMMANDED ? null : tie(devices.find(id));
    return audit.change(
        new AuditEntry(action, actor, id, before, after),
        change,
        outcome ->
            switch (outcome) {
              case DONE -> null;
              case NO_ROOM -> "no more devices fit";
              case TOO_MANY_COMMANDS -> tooMany();
            });
  }

  private void change(
      Exchange exchange,
      AuditAction action,
      String id,
      @Nullable String after,
      Audit.Change<Devices.Outcome> change,
      int status) {
    Actor actor = Actor.of(exchange);
    offload.ask(
        exchange,
        () -> {
          Devices.Outcome outcome =
              audit.oneByOne("device/" + id, () -> change(action, actor, id, after, change));
          return switch (outcome) {
            case DONE -> status == 204 ? Answer.empty(204) : changed(id, status);
            case NO_ROOM ->
                Answer.conflict("id", "there are " + devices.size() + " devices, no more fit");
            case TOO_MANY_COMMANDS -> Answer.conflict("id", tooMany());
          };
        });
  }

  private Answer changed(String id, int status) {
    Device changed = devices.find(id);
    JsonBuffer out = new JsonBuffer();
    write(changed == null ? Device.unknown(id) : changed, out);
    return Answer.json(status, out.copy());
  }
}
