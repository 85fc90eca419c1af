import { readsOf } from '../history/reads.ts'
import type { World } from '../history/world.ts'
import { ms, percentile, type Report } from '../report.ts'
import type { Visitor } from './visitor.ts'

/** How long the dashboard's lists take on top of a history, as its pages ask for them. */

const CALLS = 100
/** Lists of the money pages beyond the API's. */
const OWN = [
  '/v1/overview',
  '/v1/settlements?after=&limit=25',
  '/v1/settlements?status=failed&after=&limit=25',
  '/v1/settlements?status=open&after=&limit=25',
  '/v1/payouts?after=&limit=25',
  '/v1/refunds?after=&limit=25',
  '/v1/refunds?status=failed&after=&limit=25',
] as const
/** Lists and figures of the API that pages show; those by cursor, as pages are. */
const SHOWN = [
  /^\/v1\/invoices\?(?:after|before)=/,
  /^\/v1\/invoices\?status=\w+&after=/,
  /^\/v1\/invoices\?(?:payer|metadata)[^&]*&after=/,
  /^\/v1\/invoices\/[0-9a-f-]+$/,
  /^\/v1\/search/,
  /^\/v1\/recoveries$/,
  /^\/v1\/balances/,
  /^\/v1\/events\?objectId/,
  /^\/v1\/reports\/daily/,
  /^\/v1\/webhooks\/(?:endpoints$|deliveries\?endpointId)/,
]
/** The longest that a list may take, in ms. */
const MOST_MS = 100

export async function measureLists(report: Report, world: World, visitor: Visitor): Promise<void> {
  const found = (await readsOf(world)).map(({ path }) => path)
  const shown = found.filter((path) => SHOWN.some((wanted) => wanted.test(path)))
  const rows: { path: string; p50: number; p99: number }[] = []
  const days = found.flatMap((path) =>
    /^\/v1\/webhooks\/endpoints\/[0-9a-f-]+$/.test(path) ? [`${path}/days`] : [],
  )
  for (const path of new Set([...OWN, ...shown, ...days])) {
    const took: number[] = []
    for (let call = 0; call <= CALLS; call += 1) {
      const began = performance.now()
      const { status } = await visitor.get(path)
      if (status !== 200) throw new Error(`${path} answered ${status}`)
      // The first one plans its statements.
      if (call > 0) took.push(performance.now() - began)
    }
    rows.push({ path, p50: percentile(took, 0.5), p99: percentile(took, 0.99) })
  }
  const count = await visitor.invoices()
  const slow = rows.filter(({ p99 }) => p99 > MOST_MS)
  report.table(
    'The dashboard: lists',
    `A history of ${count.all.toLocaleString('en')} invoices, of which the merchant has ${count.own.toLocaleString('en')}. What pages read, with the session, the membership and the role looked up each time; ${CALLS} times each, one after the other. ${slow.length === 0 ? 'All' : `All but ${slow.length}`} answer within ${MOST_MS} ms in 99 of 100 cases.`,
    [
      ['request', 'p50', 'p99'],
      ...rows.map(({ path, p50, p99 }) => [`\`${anonymous(path)}\``, ms(p50), ms(p99)]),
    ],
  )
}

/** Without what differs from one run to the next. */
function anonymous(path: string): string {
  return path
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replace(/0x[0-9a-f]{40,}/g, '0x…')
    .replace(/(after|before)=[\w-]{20,}/g, '$1=CURSOR')
    .replace(/from=[\d-]+T[\d:.]+Z/g, 'from=TIME')
}
