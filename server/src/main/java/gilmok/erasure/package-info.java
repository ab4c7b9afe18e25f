/**
 * A rider's data, erased and handed out.
 *
 * <p>An erasure goes through everything that keeps something of riders ({@link
 * gilmok.erasure.Erasable}), one after the other, and through all of it a second time: what was in
 * somebody's hand during the first pass, as an event on its way from the documents into the log, is
 * found then. At last comes what cleans up behind all, once ({@link gilmok.erasure.Erasable.When}).
 * Each step is idempotent, and what is done is durable before the next begins; so a process that is
 * killed goes on at its next start. It ends with a certificate, which is kept and has the rider's
 * pseudonym, never the id.
 *
 * <p>Of several nodes of one MongoDB, each erases in its own log and files. They meet in a
 * document, which has the rider's id until the last of them is done.
 */
@NullMarked
package gilmok.erasure;

import org.jspecify.annotations.NullMarked;
