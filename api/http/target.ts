/**
 * What a request asks for, with its path and query. The host is ours to ignore: Bun leaves it out when
 * the caller sent none, and hands on one that no URL can have, e.g. x:99999.
 */
export function targetOf(request: Request): URL {
  return new URL(`http://remit.invalid${request.url.replace(/^https?:\/\/[^/?#]*/i, '')}`)
}
