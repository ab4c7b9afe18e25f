/** Sends spans to a collector, by OTLP over HTTP, with the OpenTelemetry SDK's exporter. */
@NullMarked
package gilmok.trace.otlp;

import org.jspecify.annotations.NullMarked;
