import { join } from 'node:path'
import { content } from '../docs/content.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Guards } from '../http/guards.ts'

/** GET /widget.js: what shops load to open a checkout on a page of theirs. */

const ENTRY = join(import.meta.dirname, '../../web/widget/remit.ts')

/** The address never changes, so browsers look every few minutes whether there is a newer one. */
const CACHE = 'public, max-age=300'

/** Built at its first request, which takes some milliseconds. */
export function widgetPage(guards: Pick<Guards, 'payer'>) {
  const script = content(buildWidget, {
    type: 'text/javascript; charset=utf-8',
    cacheControl: CACHE,
    // A shop whose page is isolated from other origins may load it all the same.
    headers: { 'cross-origin-resource-policy': 'cross-origin' },
  })
  return {
    path: '/widget.js',
    async handle(exchange: Exchange) {
      await guards.payer(exchange)
      return script.answer(exchange)
    },
  }
}

/** A classic script: a module could not tell where it was loaded from. */
async function buildWidget(): Promise<Uint8Array> {
  const built = await Bun.build({
    entrypoints: [ENTRY],
    target: 'browser',
    format: 'iife',
    minify: true,
  })
  const [output] = built.outputs
  if (output === undefined) throw new Error('nothing was built from the widget')
  return new Uint8Array(await output.arrayBuffer())
}
