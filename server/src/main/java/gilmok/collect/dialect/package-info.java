/**
 * What the dialects of phone apps have in common: what was sent ({@link
 * gilmok.collect.dialect.Upload}), the event being put together of it ({@link
 * gilmok.collect.dialect.DialectEvent}), and what a phone can be told ({@link
 * gilmok.collect.dialect.PhoneCommand}). Each dialect is a {@link gilmok.collect.dialect.Dialect}
 * in a package of its own.
 */
@NullMarked
package gilmok.collect.dialect;

import org.jspecify.annotations.NullMarked;
