/**
 * The dialect of OwnTracks in its HTTP mode, on iOS and Android, and of apps that speak like it: a
 * message is a JSON object with its {@code _type}; the answer is a JSON array of messages.
 */
@NullMarked
package gilmok.collect.owntracks;

import org.jspecify.annotations.NullMarked;
