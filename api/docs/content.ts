import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Exchange } from '../http/exchange.ts'
import { lazily } from '../http/lazily.ts'
import { isNamed } from '../request/entityTag.ts'

/**
 * Large static texts: built once, compressed once, and sent only to
 * callers that don't have them cached (RFC 9110, sections 8.8.3, 12.5.3 and 13.1.2).
 */

const ENCODINGS = ['br', 'gzip', 'identity'] as const
type Encoding = (typeof ENCODINGS)[number]

type Bytes = Uint8Array<ArrayBuffer>

export interface Content {
  /** The response to a request for it, or 304 if the caller has it cached. */
  answer(exchange: Exchange): Promise<Response>
}

interface ContentOptions {
  readonly type: string
  /** The value of Cache-Control. */
  readonly cacheControl: string
  readonly headers?: Readonly<Record<string, string>>
}

type Variants = Readonly<Record<Encoding, { readonly bytes: Bytes; readonly tag: string }>>

/** Content that is built at its first request. A failed build is retried at the next. */
export function content(
  make: () => Promise<string | Uint8Array>,
  { type, cacheControl, headers = {} }: ContentOptions,
): Content {
  const prepared = lazily(async () => compress(await make()))
  return {
    async answer({ request, set }) {
      const encoding = chosenEncoding(request.headers.get('accept-encoding'))
      const { bytes, tag } = (await prepared())[encoding]
      set.headers['cache-control'] = cacheControl
      const described = { ...headers, etag: tag, vary: 'accept-encoding' }
      if (isNamed(tag, request.headers)) {
        return new Response(null, { status: 304, headers: described })
      }
      const encoded = encoding === 'identity' ? {} : { 'content-encoding': encoding }
      return new Response(bytes, { headers: { ...described, ...encoded, 'content-type': type } })
    },
  }
}

/** The compression runs on other threads. Each encoding has its own tag, as strong tags require. */
async function compress(made: string | Uint8Array): Promise<Variants> {
  const bytes = new Uint8Array(typeof made === 'string' ? new TextEncoder().encode(made) : made)
  const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 32)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(bytes, quality),
    promisify(gzip)(bytes),
  ])
  return {
    br: { bytes: br, tag: `"${hash}-br"` },
    gzip: { bytes: gzipped, tag: `"${hash}-gzip"` },
    identity: { bytes, tag: `"${hash}"` },
  }
}

/** The smallest encoding that the caller accepts, or none. */
function chosenEncoding(accepted: string | null): Encoding {
  const weights = new Map<string, number>()
  for (const part of (accepted ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    if (name !== '') weights.set(name, weight === undefined ? 1 : Number(weight))
  }
  const isTaken = (encoding: Encoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0
  return ENCODINGS.find(isTaken) ?? 'identity'
}

/** A page with its style sheet at `path` plus `.css`. */
export function htmlPage(title: string, path: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${path}.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
${head}</head>
<body>
${body}
</body>
</html>
`
}
