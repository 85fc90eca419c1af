import {
  type PageSource,
  pageResponse,
  refusalResponse,
} from '../../../api/checkout/pageResponse.ts'
import { fileResponse } from '../../../api/http/files.ts'
import type { CheckoutView } from '../../../core/checkout/view.ts'
import { type Assets, buildAssets } from '../../../web/build.ts'
import type { Refusal } from '../../../web/checkout/refusal.tsx'

/** A server of checkout pages whose sessions a test changes: the page's real responses, without a database. */
export interface Site {
  readonly url: string
  readonly assets: Assets
  /** The origin of a shop that may show the pages in a frame; it has an empty page at /shop. */
  readonly shop: string
  /** What was posted, oldest first: its path and its body. */
  readonly posted: { readonly path: string; readonly body: string }[]
  /** Shows a session from now on, to whoever watches it too. Returns its page's address. */
  show(view: CheckoutView): string
  /** Ends the streams, and refuses new ones until it is called with true. */
  stream(isOpen: boolean): void
  /** What the next posts answer, and with which data. */
  answer(status: number, data?: unknown): void
  stop(): Promise<void>
}

export async function openSite({ port = 0 } = {}): Promise<Site> {
  const assets = await buildAssets()
  const views = new Map<string, CheckoutView>()
  const watchers = new Map<ReadableStreamDefaultController<string>, string>()
  const posted: { path: string; body: string }[] = []
  let shop = ''
  let isStreaming = true
  let status = 200
  let answered: unknown

  const source = (id: string): PageSource | null => {
    const view = views.get(id)
    if (view === undefined) return null
    return { view, allowedOrigins: [SHOP, shop], languages: [] }
  }

  const frame = (view: CheckoutView) =>
    `id: ${view.version}\nevent: view\ndata: ${JSON.stringify(view)}\n\n`

  function events(id: string): Response {
    const view = views.get(id)
    if (!isStreaming || view === undefined) return new Response(null, { status: 503 })
    let controller: ReadableStreamDefaultController<string>
    const stream = new ReadableStream<string>({
      start(opened) {
        controller = opened
        watchers.set(controller, id)
        controller.enqueue(frame(view))
      },
      cancel: () => void watchers.delete(controller),
    })
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
  }

  async function answer(request: Request, path: string): Promise<Response> {
    posted.push({ path, body: await request.text() })
    const [, root, id = ''] = path.split('/')
    if (root === 'checkout') {
      return new Response(null, { status: 303, headers: { location: `/checkout/${id}` } })
    }
    return Response.json({ success: status < 400, data: answered }, { status })
  }

  const server = Bun.serve({
    port,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const [, root, second = '', third, fourth, last] = pathname.split('/')
      if (request.method === 'POST') return answer(request, pathname)
      if (root === 'v1' && last === 'events') return events(fourth ?? '')
      if (root === 'v1') return Response.json({ success: true, data: views.get(fourth ?? '') })
      if (second === 'assets') return fileResponse(request, third ?? '', assets)
      if (root === 'shop') return new Response('', { headers: { 'content-type': 'text/html' } })
      const refusal = REFUSALS.find((name) => second === `cs_${name}`)
      if (refusal !== undefined) return refusalResponse(request, refusal, assets)
      const shown = source(second)
      if (shown === null) return refusalResponse(request, 'lost', assets)
      return pageResponse(request, { ...shown, hasEmail: true }, assets)
    },
  })

  // Browsers find every name below localhost on this machine.
  shop = `http://shop.localhost:${server.port}`
  return {
    url: server.url.origin,
    assets,
    shop,
    posted,
    show(view) {
      views.set(view.id, view)
      for (const [watcher, id] of watchers) if (id === view.id) watcher.enqueue(frame(view))
      return `${server.url.origin}/checkout/${view.id}`
    },
    stream(isOpen) {
      isStreaming = isOpen
      for (const watcher of isOpen ? [] : watchers.keys()) watcher.close()
      if (!isOpen) watchers.clear()
    },
    answer(next, data) {
      status = next
      answered = data
    },
    stop: () => server.stop(true),
  }
}

/** The pages in place of a session's; each is the page of `cs_` and its name. */
export const REFUSALS = ['lost', 'ended', 'often', 'away'] as const satisfies readonly Refusal[]

/** Another such origin. */
export const SHOP = 'https://shop.example'
