import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../test/support/web/browser.ts'
import { ms, percentile, type Report } from '../report.ts'
import type { Visitor } from './visitor.ts'

/** How soon after its HTML a page can be used, and what it loads before that. */

const PLACES = [
  'overview',
  'invoices',
  'invoices/new',
  'recoveries',
  'settlements',
  'settlements/payouts',
  'x402',
  'reports',
  'developers',
  'members',
  'settings',
  'audit',
] as const
const LOADS = { whole: 12, quick: 3 }
/** The longest that a page may take, in ms. */
const MOST_MS = 500

export async function measurePages(
  report: Report,
  visitor: Visitor,
  quick: boolean,
): Promise<void> {
  const browser = await openBrowser()
  try {
    const invoice = await newestInvoice(visitor)
    const rows: string[][] = []
    for (const place of [...PLACES, `invoices/${invoice}`]) {
      const samples: Sample[] = []
      const loads = quick ? LOADS.quick : LOADS.whole
      for (let load = 0; load <= loads; load += 1) {
        const sample = await loadPage(browser, visitor, place)
        if (load > 0) samples.push(sample)
      }
      const of = (pick: (sample: Sample) => number, share: number) =>
        ms(percentile(samples.map(pick), share))
      rows.push([
        place.replace(invoice, 'ID'),
        of(({ usable }) => usable, 0.5),
        of(({ usable }) => usable, 0.9),
        of(({ shown }) => shown, 0.5),
        of(({ shown }) => shown, 0.9),
      ])
    }
    const first = await scriptsOf(visitor)
    const size = first.reduce((sum, bytes) => sum + bytes, 0)
    report.table(
      'The dashboard: pages',
      `In Chromium, on the same history, with an empty cache: from the end of the HTML to a page whose heading and navigation are there and answer, and to one on which nothing is grey any more; at most ${MOST_MS} ms is wanted for the first. Before that it loads ${(size / 1024).toFixed(1)} KB of script, compressed, in ${first.length} files.`,
      [['page', 'usable, p50', 'usable, p90', 'all shown, p50', 'all shown, p90'], ...rows],
    )
  } finally {
    await browser.close()
  }
}

/** In ms after the end of the page's HTML. */
interface Sample {
  readonly usable: number
  readonly shown: number
}

/** The compressed sizes of the scripts that a page names in its HTML, in bytes. */
async function scriptsOf({ site: { rig } }: Visitor): Promise<number[]> {
  const html = await (await rig.fetch('/dashboard')).text()
  const paths = new Set(
    [...html.matchAll(/"(\/dashboard\/assets\/[\w.-]+\.js)"/g)].map(([, path = '']) => path),
  )
  return Promise.all(
    [...paths].map(async (path) => {
      const answer = await rig.fetch(path, { headers: { 'accept-encoding': 'gzip' } })
      return (await answer.bytes()).length
    }),
  )
}

async function newestInvoice({ site, merchantId }: Visitor): Promise<string> {
  const [row] = await site.rig.database<{ id: string }[]>`
    select id from invoice where merchant_id = ${merchantId} and status = 'completed'
    order by created_at desc limit 1`
  return row?.id ?? ''
}

async function loadPage(browser: Browser, visitor: Visitor, place: string): Promise<Sample> {
  const { site, merchantId, cookies } = visitor
  const context = await browser.newContext({ locale: 'en-GB' })
  try {
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: site.url })))
    const page = await context.newPage()
    await noteTimes(page)
    await page.goto(`${site.url}/dashboard/merchants/${merchantId}/${place}`)
    await page.waitForFunction(() => Reflect.has(window, 'shownAt'))
    return await page.evaluate(() => {
      const [navigation] = performance.getEntriesByType('navigation')
      const end = navigation instanceof PerformanceNavigationTiming ? navigation.responseEnd : 0
      const at = (name: string) => Number(Reflect.get(window, name)) - end
      return { usable: at('usableAt'), shown: at('shownAt') }
    })
  } finally {
    await context.close()
  }
}

/** Has the page note when it can be used, and when nothing of it is still to come. */
async function noteTimes(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const look = () => {
      const isUsable = document.querySelector('main h1') && document.querySelector('nav a')
      if (!isUsable) return
      if (!Reflect.has(window, 'usableAt')) Reflect.set(window, 'usableAt', performance.now())
      if (document.querySelector('.skeleton')) return
      if (!Reflect.has(window, 'shownAt')) Reflect.set(window, 'shownAt', performance.now())
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true })
  })
}
