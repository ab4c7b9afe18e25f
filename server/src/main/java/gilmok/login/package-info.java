/**
 * How people sign in on the pages: with a key, or with the fleet's own login, by OpenID Connect's
 * authorization code with PKCE (RFC 7636).
 */
@NullMarked
package gilmok.login;

import org.jspecify.annotations.NullMarked;
