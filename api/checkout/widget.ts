import { join } from 'node:path'
import type { ApiConfig } from '../../core/config/api.ts'
import { content } from '../docs/content.ts'
import { openFileToAll } from '../http/cors.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Guards } from '../http/guards.ts'

/** GET /widget.js: what shops load to open a checkout on a page of theirs. */

const ENTRY = join(import.meta.dirname, '../../web/widget/remit.ts')

/** The URL never changes, so browsers revalidate it every few minutes. */
const CACHE = 'public, max-age=300'

/** Built at its first request, which takes some milliseconds. The same release builds the same bytes. */
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
    // `crossorigin`, `integrity` and `import()` read it as any other answer is read.
    isCrossOrigin: true,
    async handle(exchange: Exchange) {
      openFileToAll(exchange)
      await guards.payer(exchange)
      return script.answer(exchange)
    },
  }
}

/** Loads as a classic script and as a module; `import.meta`, which the former can't parse, is left out. */
async function buildWidget(publicUrl: string): Promise<Uint8Array> {
  const built = await Bun.build({
    entrypoints: [ENTRY],
    target: 'browser',
    format: 'iife',
    minify: true,
    define: { REMIT_URL: JSON.stringify(publicUrl) },
  })
  const [output] = built.outputs
  if (output === undefined) throw new Error('nothing was built from the widget')
  return new Uint8Array(await output.arrayBuffer())
}
