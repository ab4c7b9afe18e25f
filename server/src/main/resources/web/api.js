// Requests to the server with the page's session.

import { currentLanguage, say } from "./words.js";

/**
 * The answer's JSON. Throws an Error with what to tell the reader, with the answer's status, and with
 * the seconds after which a busy server wants to be asked again.
 */
export async function ask(method, path, body, signal) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      signal,
      cache: "no-store",
      headers: { "Accept-Language": currentLanguage(), ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Error(say("keyUnreached"));
  }
  if (answer.ok) {
    try {
      return await answer.json();
    } catch {
      throw new Error(say("brokenOff"));
    }
  }
  const refusal = await answer.json().catch(() => ({}));
  const reason = [refusal.field, refusal.reason ?? refusal.detail ?? refusal.title].filter(Boolean).join(": ");
  throw Object.assign(new Error(reason || say("keyOther", { status: answer.status })), {
    status: answer.status,
    retrySeconds: Number(answer.headers.get("Retry-After")),
  });
}
