/**
 * The audit: who changed what. An entry is a record of the log's stream {@code audit}, durable
 * before the change that it describes is made; so no change is without its entry, and an entry
 * whose change failed is followed by a second record that says so. A follower copies the entries
 * into the documents, where every node can read them, and where they are kept for {@code
 * audit.retention}. How far it is, is in the documents, too: when these are put back from a backup,
 * what the log still has is copied again. Sinks are sent the stream where their settings name it.
 *
 * <p>A process that dies between an entry and its change leaves an entry without a change: the
 * audit may name too much, never too little. What somebody changes on the machine itself, with the
 * server stopped, is not in it.
 */
@NullMarked
package gilmok.audit;

import org.jspecify.annotations.NullMarked;
