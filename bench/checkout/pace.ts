import { join } from 'node:path'
import { claimPort } from '../../dev/servers/ports.ts'
import { cellsOf, inAll, type LoadResult, runLoad } from '../load.ts'
import type { Report } from '../report.ts'
import { startScript } from '../servers.ts'
import { openShop, type Shop } from './shop.ts'

/** Checkout pages per second of one API process, compared with a bare server. */

const CONNECTIONS = [1, 16, 64]
/** Requested in turn: two requests at once share one read. */
const PAGES = 200
/** The sides take turns, so that none alone runs while the machine is less busy. */
const TURNS = 3
/** Until the servers' code is compiled. */
const WARM_UP_SECONDS = 6

type Side = (connections: number, seconds: number) => Promise<LoadResult>

export async function measurePace(report: Report, quick: boolean): Promise<void> {
  const shop = await openShop()
  try {
    const urls = (await shop.createPages(PAGES)).map((path) => shop.url + path)
    const page = await (await fetch(urls[0] ?? '')).text()
    const peer = await startPeer(shop, page)
    try {
      const sides = [
        sideOf(urls, 'gzip'),
        sideOf(urls, 'identity'),
        sideOf([peer.url], 'identity'),
      ] as const
      reportPace(report, page, await takeTurns(sides, quick ? 0.8 : 3))
    } finally {
      await peer.stop()
    }
  } finally {
    await shop.stop()
  }
}

/** A server that returns as many bytes without any lookup. */
async function startPeer({ dir }: Shop, page: string) {
  const port = await claimPort(0, 'the peer')
  const variables = { LENGTH: String(Buffer.byteLength(page)), PORT: String(port) }
  const log = join(dir, 'peer.log')
  const { stop } = await startScript('bench/checkout/staticServer.ts', variables, log, port)
  return { url: `http://127.0.0.1:${port}/page`, stop }
}

function sideOf(urls: readonly string[], encoding: string): Side {
  const headers = { 'accept-encoding': encoding }
  return (connections, seconds) => runLoad({ urls, connections, seconds, headers })
}

interface Measured {
  readonly connections: number
  readonly packed: LoadResult
  readonly plain: LoadResult
  readonly peer: LoadResult
}

async function takeTurns(
  [packed, plain, peer]: readonly [Side, Side, Side],
  seconds: number,
): Promise<readonly Measured[]> {
  for (const side of [packed, plain, peer]) await side(16, WARM_UP_SECONDS)
  const measured: Measured[] = []
  for (const connections of CONNECTIONS) {
    const turns: Omit<Measured, 'connections'>[] = []
    for (let turn = 0; turn < TURNS; turn += 1) {
      turns.push({
        peer: await peer(connections, seconds),
        packed: await packed(connections, seconds),
        plain: await plain(connections, seconds),
      })
    }
    measured.push({
      connections,
      packed: inAll(turns.map((turn) => turn.packed)),
      plain: inAll(turns.map((turn) => turn.plain)),
      peer: inAll(turns.map((turn) => turn.peer)),
    })
  }
  return measured
}

function reportPace(report: Report, page: string, measured: readonly Measured[]): void {
  const rows = measured.map(({ connections, packed, plain, peer }) => [
    String(connections),
    ...cellsOf(packed),
    plain.perSecond.toFixed(0),
    ...cellsOf(peer),
    (packed.perSecond / peer.perSecond).toFixed(2),
    (plain.perSecond / peer.perSecond).toFixed(2),
  ])
  report.table(
    'Writing checkout pages',
    `A page of ${Buffer.byteLength(page).toLocaleString('en')} bytes that waits for its payment, from one API process: rate limit, session from the database, HTML, gzip. The peer is the same server with a text of as many bytes in its memory, which it neither makes nor compresses. Load generator, servers and database share the machine.`,
    [
      [
        'connections',
        'pages/s',
        'p50',
        'p99',
        'without gzip',
        'peer/s',
        'p50',
        'p99',
        'ratio',
        'without gzip',
      ],
      ...rows,
    ],
  )
}
