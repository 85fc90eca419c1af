import { join } from 'node:path'
import type { ApiConfig } from '../../core/config/api.ts'
import { content } from '../docs/content.ts'
import { openFileToAll } from '../http/cors.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Guards } from '../http/guards.ts'

/** GET /widget.js: the script by which shops open a checkout on their own pages. */

const ENTRY = join(import.meta.dirname, '../../web/widget/remit.ts')

/** The URL never changes, so browsers revalidate it every few minutes. */
const CACHE = 'public, max-age=300'

/** Built at the first request, within milliseconds. The same release builds the same bytes. */
export function widgetPage(
  { publicUrl }: Pick<ApiConfig, 'publicUrl'>,
  guards: Pick<Guards, 'payer'>,
) {
  const script = content(() => buildWidget(publicUrl), {
    type: 'text/javascript; charset=utf-8',
    cacheControl: CACHE,
  })
  return {
    path: '/widget.js',
    // `crossorigin`, `integrity` and `import()` require CORS.
    isCrossOrigin: true,
    async handle(exchange: Exchange) {
      openFileToAll(exchange)
      await guards.payer(exchange)
      return script.answer(exchange)
    },
  }
}

/** Loads as a classic script and as a module; classic scripts can't parse `import.meta`, so it is removed. */
async function buildWidget(publicUrl: string): Promise<Uint8Array> {
  const built = await Bun.build({
    entrypoints: [ENTRY],
    target: 'browser',
    format: 'iife',
    minify: true,
    define: { REMIT_URL: JSON.stringify(publicUrl) },
  })
  const [output] = built.outputs
  if (output === undefined) throw new Error('the build of the widget has no output')
  return new Uint8Array(await output.arrayBuffer())
}
