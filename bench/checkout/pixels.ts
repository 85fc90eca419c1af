import type { Browser, Page } from 'playwright-core'
import { type Database, openDatabase } from '../../store/database/database.ts'
import {
  createHome,
  type DevStack,
  eventually,
  startDevStack,
} from '../../test/support/servers/devStack.ts'
import { openBrowser } from '../../test/support/web/browser.ts'
import { openPayer, type Payer } from '../../test/support/x402/payer.ts'
import { type Heads, watchHeads } from '../heads.ts'
import { ms, percentile, type Report } from '../report.ts'
import { NETWORK } from './chain.ts'
import { AMOUNT, createPayable } from './invoice.ts'

/** The time from a payment's block until its page shows the payment. */

const WARM_UP = 3
/** A page that has begun to follow its session. */
const STREAM = /\/v1\/checkout\/sessions\/[^/]+\/events$/

export async function measurePixels(report: Report, quick: boolean): Promise<void> {
  const { home, remove } = createHome()
  const stack = await startDevStack(home, { RATE_LIMIT_PAYERS: '1000000' })
  const heads = watchHeads(stack, NETWORK)
  const { databaseUrl } = stack.description
  const database = openDatabase(databaseUrl, { name: 'remit-bench', poolSize: 1 })
  const browser = await openBrowser()
  try {
    const payer = await openPayer(stack.description, NETWORK)
    const pay = () => seeOnePayment({ stack, heads, database, browser, payer })
    for (let i = 0; i < WARM_UP; i += 1) await pay()
    const seen: Seen[] = []
    for (let i = 0; i < (quick ? 6 : 40); i += 1) seen.push(await pay())
    reportPixels(report, seen)
  } finally {
    await browser.close()
    await database.end()
    heads.stop()
    await stack.stop()
    remove()
  }
}

interface Rig {
  readonly stack: DevStack
  readonly heads: Heads
  readonly database: Database
  readonly browser: Browser
  readonly payer: Payer
}

/** In ms after the block was received. */
interface Seen {
  /** When a worker began to store the payment, which the indexer had found by then. */
  readonly ledger: number
  /** When the page had the view. */
  readonly text: number
  /** When the browser had drawn it. */
  readonly pixels: number
}

async function seeOnePayment({ stack, heads, database, browser, payer }: Rig): Promise<Seen> {
  const { id, pageUrl, address } = await createPayable(stack)
  const context = await browser.newContext({ locale: 'en-GB' })
  try {
    const page = await context.newPage()
    await noteWhenSeen(page)
    const following = page.waitForResponse(STREAM)
    await page.goto(pageUrl)
    await following
    await payer.send(address, AMOUNT)
    await page.waitForFunction(() => Reflect.has(window, 'seenAt'))
    const [text = 0, pixels = 0] = await page.evaluate<number[]>(() =>
      Reflect.get(window, 'seenAt'),
    )
    const { block, storedAt } = await storedPayment(database, id)
    const heardAt = await eventually(
      async () => heads.heardAt.get(block) ?? null,
      (at) => at !== null,
    )
    const after = (at: number) => at - (heardAt ?? 0)
    return { ledger: after(storedAt), text: after(text), pixels: after(pixels) }
  } finally {
    await context.close()
  }
}

/** The block of an invoice's only payment, and when the transaction began that stored it, in ms since 1970. */
async function storedPayment(database: Database, invoiceId: string) {
  const [row] = await database<{ block: number; storedAt: number }[]>`
    select block_number::int as block,
      (extract(epoch from created_at) * 1000)::double precision as stored_at
    from payment where invoice_id = ${invoiceId}`
  if (row === undefined) throw new Error('a payment was shown that is not stored')
  return row
}

/** Has the page note when its heading is another one than at first, and when that was drawn. */
function noteWhenSeen(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const now = () => performance.timeOrigin + performance.now()
    let first = ''
    const observer = new MutationObserver(() => {
      const heading = document.querySelector('main h2')?.textContent ?? ''
      first ||= heading
      if (heading === first) return
      observer.disconnect()
      const text = now()
      // A task that follows the next frame runs after that frame was drawn.
      requestAnimationFrame(() =>
        setTimeout(() => Object.assign(window, { seenAt: [text, now()] })),
      )
    })
    observer.observe(document, { subtree: true, childList: true, characterData: true })
  })
}

function reportPixels(report: Report, seen: readonly Seen[]): void {
  const row = (name: string, times: readonly number[], goal: string) => [
    name,
    String(times.length),
    ms(percentile(times, 0.5)),
    ms(percentile(times, 0.99)),
    goal,
  ]
  report.table(
    'From block to pixels',
    'Payments on a local chain with blocks of one second, each with its page open in Chromium, from the moment a subscriber of the node hears of the block until the page says that the payment was seen. Indexer, worker, API, stores, chain and browser share the machine.',
    [
      ['', 'payments', 'p50', 'p99', 'wanted'],
      row(
        'on its way into the ledger',
        seen.map(({ ledger }) => ledger),
        '',
      ),
      row(
        'in the page',
        seen.map(({ text }) => text),
        '',
      ),
      row(
        'drawn',
        seen.map(({ pixels }) => pixels),
        'p50 at most 250 ms',
      ),
    ],
  )
}
