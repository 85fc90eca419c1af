/**
 * The path and query of a request. The host is ignored: Bun omits it if the caller sent
 * none, and passes on invalid ones, e.g. x:99999.
 */
export function targetOf(request: Request): URL {
  return new URL(`http://remit.invalid${request.url.replace(/^https?:\/\/[^/?#]*/i, '')}`)
}
