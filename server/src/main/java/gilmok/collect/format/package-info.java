/**
 * Declared formats: what an app of the fleet's own sends, on its own path, described in a file
 * instead of in code. {@link gilmok.collect.format.FormatParser} reads the declaration and names
 * everything that is wrong with it; {@link gilmok.collect.format.FormatDecoder} decodes uploads by
 * it, as a {@link gilmok.collect.dialect.Dialect}: the same rules for quarantine, repeats, limits
 * and bound keys. Described in {@code docs/formats.md}.
 */
@NullMarked
package gilmok.collect.format;

import org.jspecify.annotations.NullMarked;
