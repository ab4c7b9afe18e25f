/**
 * Another server beside ours, for a fleet that comes over: what phones send is passed on to it as
 * it came ({@link gilmok.tee.TeeConfig.Mode#COPY}), or its answers are those that phones get
 * ({@link gilmok.tee.TeeConfig.Mode#SHADOW}). Either way the status of both answers is compared,
 * and {@code GET /v1/tee} reports where they differ. Described in {@code docs/moving-in.md}.
 */
@NullMarked
package gilmok.tee;

import org.jspecify.annotations.NullMarked;
