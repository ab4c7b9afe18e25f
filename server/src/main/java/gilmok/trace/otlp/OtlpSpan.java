package gilmok.trace.otlp;

import gilmok.observe.FieldLog.Field;
import gilmok.observe.SlowRequest;
import gilmok.trace.TraceContext;
import gilmok.trace.TraceSpan;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.common.InstrumentationLibraryInfo;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A span in the form that the SDK's exporter takes. Immutable. */
record OtlpSpan(
    Resource resource,
    SpanContext context,
    SpanContext parent,
    SpanKind kind,
    String name,
    long startNanos,
    long endNanos,
    StatusData status,
    Attributes attributes)
    implements SpanData {
  private static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create("gilmok");

  /** A part shorter than this share of its request is only an attribute, no span of its own. */
  private static final int SHARE_MIN = 10;

  private static final double NANOS_IN_MILLI = 1e6;

  /** Adds a span, and its long parts as spans below it. */
  static void add(Resource resource, TraceSpan span, List<SpanData> target) {
    AttributesBuilder attributes = Attributes.builder();
    for (Field field : span.attributes()) {
      put(attributes, field);
    }
    for (SlowRequest.Part part : span.parts()) {
      attributes.put("gilmok." + part.name() + ".ms", part.nanos() / NANOS_IN_MILLI);
    }
    long end = epochNanos(span.ended());
    long start = end - span.nanos();
    SpanContext context = context(span.context(), span.context().span());
    target.add(
        new OtlpSpan(
            resource,
            context,
            span.parentId() == 0
                ? SpanContext.getInvalid()
                : context(span.context(), hex(span.parentId())),
            span.kind() == TraceSpan.Kind.SERVER ? SpanKind.SERVER : SpanKind.CLIENT,
            span.name(),
            start,
            end,
            span.isFault() ? StatusData.error() : StatusData.unset(),
            attributes.build()));
    // One behind the other, in the order of the request's way: their lengths are measured, when
    // each began is not.
    long at = start;
    for (SlowRequest.Part part : span.parts()) {
      long until = Math.min(end, at + part.nanos());
      if (part.nanos() * SHARE_MIN >= span.nanos()) {
        target.add(part(resource, context, span.context(), part.name(), at, until));
      }
      at = until;
    }
  }

  private static OtlpSpan part(
      Resource resource,
      SpanContext parent,
      TraceContext trace,
      String name,
      long start,
      long end) {
    return new OtlpSpan(
        resource,
        context(trace, trace.child().span()),
        parent,
        SpanKind.INTERNAL,
        name,
        start,
        end,
        StatusData.unset(),
        Attributes.empty());
  }

  private static void put(AttributesBuilder attributes, Field field) {
    switch (field.value()) {
      case Integer number -> attributes.put(field.name(), (long) number);
      case Long number -> attributes.put(field.name(), (long) number);
      case Double number -> attributes.put(field.name(), (double) number);
      default -> attributes.put(field.name(), field.value().toString());
    }
  }

  private static SpanContext context(TraceContext trace, String spanId) {
    return SpanContext.create(
        trace.traceId(), spanId, TraceFlags.getSampled(), TraceState.getDefault());
  }

  private static String hex(long spanId) {
    return HexFormat.of().toHexDigits(spanId);
  }

  private static long epochNanos(Instant at) {
    return TimeUnit.SECONDS.toNanos(at.getEpochSecond()) + at.getNano();
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public SpanKind getKind() {
    return kind;
  }

  @Override
  public SpanContext getSpanContext() {
    return context;
  }

  @Override
  public SpanContext getParentSpanContext() {
    return parent;
  }

  @Override
  public StatusData getStatus() {
    return status;
  }

  @Override
  public long getStartEpochNanos() {
    return startNanos;
  }

  @Override
  public Attributes getAttributes() {
    return attributes;
  }

  @Override
  public List<EventData> getEvents() {
    return List.of();
  }

  @Override
  public List<LinkData> getLinks() {
    return List.of();
  }

  @Override
  public long getEndEpochNanos() {
    return endNanos;
  }

  @Override
  public boolean hasEnded() {
    return true;
  }

  @Override
  public int getTotalRecordedEvents() {
    return 0;
  }

  @Override
  public int getTotalRecordedLinks() {
    return 0;
  }

  @Override
  public int getTotalAttributeCount() {
    return attributes.size();
  }

  @Override
  public InstrumentationScopeInfo getInstrumentationScopeInfo() {
    return SCOPE;
  }

  @Override
  @Deprecated
  @SuppressWarnings("InlineMeSuggester") // the interface still asks for it
  public InstrumentationLibraryInfo getInstrumentationLibraryInfo() {
    return InstrumentationLibraryInfo.empty();
  }

  @Override
  public Resource getResource() {
    return resource;
  }
}
