/**
 * What the dialects of phone apps have in common: an upload ({@link
 * gilmok.collect.dialect.Upload}), the event that is built from it ({@link
 * gilmok.collect.dialect.DialectEvent}), and a command for the phone ({@link
 * gilmok.collect.dialect.PhoneCommand}). Each dialect is a {@link gilmok.collect.dialect.Dialect}
 * in a package of its own.
 */
@NullMarked
package gilmok.collect.dialect;

import org.jspecify.annotations.NullMarked;
