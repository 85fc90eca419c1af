/**
 * The path and query of a request. The host is ignored: Bun leaves it out when the caller sent
 * none, and passes on one that no URL can have, e.g. x:99999.
 */
export function targetOf(request: Request): URL {
  return new URL(`http://remit.invalid${request.url.replace(/^https?:\/\/[^/?#]*/i, '')}`)
}
