/**
 * Whose location it is: what the law wants recorded of it, and what a rider has agreed to. Outside
 * of the rider's own data a rider is known by a pseudonym ({@link gilmok.privacy.Pseudonyms}).
 */
@NullMarked
package gilmok.privacy;

import org.jspecify.annotations.NullMarked;
