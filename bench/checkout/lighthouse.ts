import { CHROMIUM } from '../../dev/servers/systemBrowser.ts'
import {
  createHome,
  type DevStack,
  eventually,
  getInvoice,
  startDevStack,
} from '../../test/support/servers/devStack.ts'
import { openPayer } from '../../test/support/x402/payer.ts'
import { percentile, type Report } from '../report.ts'
import { NETWORK } from './chain.ts'
import { AMOUNT, createPayable } from './invoice.ts'

/**
 * Lighthouse's scores of a checkout page. It is fetched at its first use and no dependency of the
 * project: with its dependencies it is as large as a sixth of the project's.
 */

const LIGHTHOUSE = 'lighthouse@13.5.0'
const DEVICES = { phone: [], desktop: ['--preset=desktop'] } as const
/** Runs per page; the median counts, because other load distorts single runs. */
const RUNS = 3
/** For one run on a busy machine; the first one fetches Lighthouse too. */
const TIMEOUT_S = 240
/**
 * Ends Lighthouse with all that it has started: an interrupt is what it ends its browser by. Ending the first
 * process alone would leave the others, which keep its output open for ever.
 */
const LIMIT = ['timeout', '--signal=INT', '--kill-after=10', String(TIMEOUT_S)]
const MOST_TRIES = 2
/** What coreutils' timeout ends with when the time was over, and when that took a kill. */
const TIMED_OUT = [124, 137]
const CATEGORIES = ['accessibility', 'performance'] as const
const FLAGS = [
  '--quiet',
  '--output=json',
  '--output-path=stdout',
  '--no-enable-error-reporting',
  `--only-categories=${CATEGORIES}`,
  '--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-background-networking',
]

export async function measureLighthouse(report: Report, quick: boolean): Promise<void> {
  const { home, remove } = createHome()
  const stack = await startDevStack(home, { RATE_LIMIT_PAYERS: '1000000' })
  try {
    const pages = {
      waiting: (await createPayable(stack)).pageUrl,
      completed: await complete(stack),
    }
    const rows: string[][] = []
    for (const [state, url] of Object.entries(pages)) {
      for (const [device, flags] of Object.entries(DEVICES)) {
        const looks: Result[] = []
        for (let i = 0; i < (quick ? 1 : RUNS); i += 1) {
          const seen = await readWithRetries(home, url, flags)
          // A machine that is too slow for one run is too slow for the others.
          if (seen === null) break
          looks.push(seen)
        }
        rows.push([state, device, ...(looks.length > 0 ? cellsOf(looks) : NOT_SEEN)])
      }
    }
    report.table(
      'Lighthouse on checkout pages',
      `${LIGHTHOUSE} with Debian's Chromium and the conditions that it simulates: a phone on a slow network with a processor four times as slow as this machine's, a desktop on a fast one. ${quick ? 'One run' : `The median of ${RUNS} runs`}; the last column is how fast it found this machine meanwhile, where below 1,000 it warns that scores are too low.`,
      [
        [
          'state',
          'device',
          'accessibility (wanted 1)',
          'performance (wanted 0.95)',
          'first paint',
          'largest paint',
          'blocked',
          'moved',
          'machine',
        ],
        ...rows,
      ],
    )
  } finally {
    await stack.stop()
    remove()
  }
}

/** The page of an invoice that was paid and is completed. */
async function complete(stack: DevStack): Promise<string> {
  const { id, pageUrl, address } = await createPayable(stack)
  await (await openPayer(stack.description, NETWORK)).send(address, AMOUNT)
  await eventually(
    async () => (await getInvoice(stack, id)).status,
    (status) => status === 'completed',
    180_000,
  )
  return pageUrl
}

/** The result of one run: scores of 0 to 1, times in ms. */
interface Result {
  readonly accessibility: number
  readonly performance: number
  readonly firstPaint: number
  readonly largestPaint: number
  readonly blocked: number
  readonly moved: number
  readonly machine: number
}

interface Answer {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>
  readonly environment: { readonly benchmarkIndex: number }
}

/**
 * One run. A timeout, or a failure of Lighthouse on a busy machine, is retried; then the benchmark continues
 * without it.
 */
async function readWithRetries(
  home: string,
  url: string,
  flags: readonly string[],
): Promise<Result | null> {
  for (let attempt = 1; attempt <= MOST_TRIES; attempt += 1) {
    const seen = await runLighthouse(home, url, flags)
    if (typeof seen !== 'string') return seen
    console.error(`Lighthouse ${seen} on ${url}; attempt ${attempt} of ${MOST_TRIES}`)
  }
  return null
}

/** The result, or the failure of Lighthouse as the rest of a sentence. */
async function runLighthouse(
  home: string,
  url: string,
  flags: readonly string[],
): Promise<Result | string> {
  const child = Bun.spawn(
    [...LIMIT, process.execPath, 'x', '--bun', LIGHTHOUSE, url, ...FLAGS, ...flags],
    {
      // Outside of the project, without its dependencies.
      cwd: home,
      env: { ...process.env, CHROME_PATH: CHROMIUM },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const [out, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (TIMED_OUT.includes(code)) return `was ended after ${TIMEOUT_S} seconds`
  if (code !== 0) return `ended with ${code}: ${errors.trim().slice(-2_000)}`
  const answer: Answer = JSON.parse(out)
  const scoreOf = (category: (typeof CATEGORIES)[number]) => answer.categories[category]?.score ?? 0
  const figureOf = (audit: string) => answer.audits[audit]?.numericValue ?? Number.NaN
  return {
    accessibility: scoreOf('accessibility'),
    performance: scoreOf('performance'),
    firstPaint: figureOf('first-contentful-paint'),
    largestPaint: figureOf('largest-contentful-paint'),
    blocked: figureOf('total-blocking-time'),
    moved: figureOf('cumulative-layout-shift'),
    machine: answer.environment.benchmarkIndex,
  }
}

/** Placeholders for a page without a complete run. */
const NOT_SEEN = ['not seen', '', '', '', '', '', '']

function cellsOf(looks: readonly Result[]): string[] {
  const middle = (name: keyof Result) =>
    percentile(
      looks.map((look) => look[name]),
      0.5,
    )
  return [
    middle('accessibility').toFixed(2),
    middle('performance').toFixed(2),
    `${middle('firstPaint').toFixed(0)} ms`,
    `${middle('largestPaint').toFixed(0)} ms`,
    `${middle('blocked').toFixed(0)} ms`,
    middle('moved').toFixed(3),
    middle('machine').toFixed(0),
  ]
}
