/**
 * Takes what this server keeps out in pages, and brings it in again: {@code GET /v1/exports/{name}}
 * and {@code POST /v1/imports/{name}}. Each feature says what its records are ({@link
 * gilmok.transfer.Dataset}). Described in {@code docs/transfer.md}.
 */
@NullMarked
package gilmok.transfer;

import org.jspecify.annotations.NullMarked;
