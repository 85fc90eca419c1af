import type { Assets } from '../../web/build.ts'

/** Assets of pages. */

const A_YEAR = 'public, max-age=31536000, immutable'

/** A page's asset; 404 for every other name. */
export function fileResponse(request: Request, name: string, { files }: Assets): Response {
  const file = files.get(name)
  if (file === undefined) return new Response(null, { status: 404 })
  const headers = { 'content-type': file.type, 'cache-control': A_YEAR, vary: 'accept-encoding' }
  return takesGzip(request)
    ? new Response(file.gzip, { headers: { ...headers, 'content-encoding': 'gzip' } })
    : new Response(file.bytes, { headers })
}

/** Whether the caller accepts a compressed body: RFC 9110, section 12.5.3. */
export function takesGzip(request: Request): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(request.headers.get('accept-encoding') ?? '')
}
