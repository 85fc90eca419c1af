import { join } from 'node:path'
import { computingOf, memoryOf } from '../process.ts'
import { ms, percentile, type Report } from '../report.ts'
import { openShop, type Shop } from './shop.ts'
import type { Heard, Order } from './streamPages.ts'

/** Thousands of pages that one API process notifies of every change by server-sent events. */

const PAGES = join(import.meta.dirname, 'streamPages.ts')
/** By then every reader has been notified of a change. */
const NOTIFIED_WITHIN_MS = 4_000
/** A process that has answered some requests has what it needs for more of them. */
const WARM_UP_PAGES = 50
const BLOCKS = 5
const KILOBYTE = 1_024

export async function measureStreams(report: Report, quick: boolean): Promise<void> {
  const count = quick ? 200 : 2_000
  const shop = await openShop()
  try {
    const paths = await shop.createPages(count)
    for (const path of paths.slice(0, WARM_UP_PAGES)) await fetch(shop.url + path)
    const sessionIds = paths.map((path) => path.slice(path.lastIndexOf('/') + 1))
    const pages = openPages()
    try {
      await measure(report, shop, pages, sessionIds, quick)
    } finally {
      pages.stop()
    }
  } finally {
    await shop.stop()
  }
}

interface Pages {
  order(order: Order): Promise<Heard>
  stop(): void
}

/** The process that has the pages open. */
function openPages(): Pages {
  let answer = Promise.withResolvers<Heard>()
  const child = Bun.spawn([process.execPath, PAGES], {
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    ipc: (heard: Heard) => answer.resolve(heard),
    onExit: () => answer.reject(new Error('the process with the pages has ended')),
  })
  return {
    order(order) {
      answer = Promise.withResolvers()
      child.send(order)
      return answer.promise
    },
    stop: () => child.kill(),
  }
}

async function measure(
  report: Report,
  shop: Shop,
  pages: Pages,
  sessionIds: readonly string[],
  quick: boolean,
): Promise<void> {
  const { pid, port } = shop
  const count = sessionIds.length
  const before = memoryOf(pid)
  const opened = await spendingOf(pid, () => pages.order({ port, sessionIds }))
  expectOpen(opened.result)
  await pages.order('report')
  const still = quick ? 5 : 20
  const idle = await spendingOf(pid, () => Bun.sleep(still * 1_000))
  const after = memoryOf(pid)
  const singles: number[] = []
  const alone = sessionIds.slice(0, quick ? 5 : 20)
  for (const id of alone)
    singles.push(...(await latenciesOf(pages, () => shop.seePayments([id]), 300)))
  const others = sessionIds.slice(alone.length)
  const all = await spendingOf(pid, () => latenciesOf(pages, () => shop.seePayments(others)))
  const blocks = await spendingOf(pid, async () => {
    const latencies: number[] = []
    for (let i = 0; i < BLOCKS; i += 1)
      latencies.push(...(await latenciesOf(pages, shop.mineBlock)))
    return latencies
  })
  if (singles.length < alone.length || all.result.length < others.length) {
    throw new Error('a page was not notified of its payment')
  }
  const perPage = (after - before) / count / KILOBYTE
  const memory = `${perPage.toFixed(1)} KB for each page (${megabytes(before)} before, ${megabytes(after)} with all of them open)`
  report.table(
    'Open checkout pages',
    `${count.toLocaleString('en')} pages, each of a session and a client address of its own, follow one API process by server-sent events, which takes ${memory}. The time is from the beginning of the commit, or from the announcement of the block, until a page has the view. Pages, API and database share the machine; the limits of streams are as they come.`,
    [
      ['', 'views', 'p50', 'p99', 'the last', 'computing of the API'],
      ['all are opened', String(count), '', '', ms(opened.took), seconds(opened.spent)],
      [`nothing for ${still} s`, '0', '', '', '', seconds(idle.spent)],
      [`one is paid, ${alone.length} times`, ...figures(singles), ''],
      ['all others are paid in one commit', ...figures(all.result), seconds(all.spent)],
      [
        `a block for which all wait, ${BLOCKS} times`,
        ...figures(blocks.result),
        seconds(blocks.spent),
      ],
    ],
  )
}

async function spendingOf<T>(pid: number, work: () => Promise<T>) {
  const [begun, before] = [performance.now(), computingOf(pid)]
  const result = await work()
  return { result, took: performance.now() - begun, spent: computingOf(pid) - before }
}

/** The time from the change to each page's first view of it, in ms. */
async function latenciesOf(
  pages: Pages,
  change: () => Promise<number>,
  within = NOTIFIED_WITHIN_MS,
): Promise<readonly number[]> {
  const changedAt = await change()
  await Bun.sleep(within)
  const heard = await pages.order('report')
  expectOpen(heard)
  return heard.views.flatMap(([first]) => (first === undefined ? [] : [first - changedAt]))
}

function expectOpen({ ended }: Heard): void {
  if (ended.length > 0) throw new Error(`${ended.length} streams ended: ${ended[0]}`)
}

function figures(latencies: readonly number[]): string[] {
  const times = [percentile(latencies, 0.5), percentile(latencies, 0.99), Math.max(...latencies)]
  return [latencies.length.toLocaleString('en'), ...times.map(ms)]
}

function seconds(value: number): string {
  return `${value.toFixed(2)} s`
}

function megabytes(bytes: number): string {
  return `${(bytes / KILOBYTE ** 2).toFixed(0)} MB`
}
