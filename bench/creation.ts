import { join } from 'node:path'
import { lowerCaseAddress } from '../core/chain/evm.ts'
import { claimPort } from '../dev/servers/ports.ts'
import { newShop } from './flood/ledger.ts'
import { cellsOf, inAll, type LoadResult, runLoad } from './load.ts'
import { type Computed, computedDuring, perPiece } from './process.ts'
import type { Report } from './report.ts'
import { startScript, withServers } from './servers.ts'

const CONNECTIONS = [1, 16, 64]
/** Until the servers' code is compiled, which takes longer for the longer one. */
const WARM_UP_SECONDS = 10
/** They take turns, so that neither alone runs while the machine is less busy. */
const TURNS = 5
const HUB = lowerCaseAddress('0x00000000000000000000000000000000000b00b5')
const COLLECTOR = '0x00000000000000000000000000000000000c011e'

/** Creations per second beside an endpoint that inserts one row through the same stack. */
export async function measureCreation(report: Report, quick: boolean): Promise<void> {
  const seconds = quick ? 0.8 : 2
  const { key, api, bare, ofApi, ofBare, stop } = await openSides()
  try {
    const create = (connections: number, duration = seconds) =>
      runLoad({
        urls: [`${api}/v1/invoices`],
        connections,
        seconds: duration,
        headers: { 'X-Service-Key': key, 'content-type': 'application/json' },
        body: (n) =>
          JSON.stringify({
            tokenSymbol: 'USDC',
            amountExpected: '25.5',
            externalRef: `bench-${n}`,
          }),
      })
    const insert = (connections: number, duration = seconds) =>
      runLoad({
        urls: [`${bare}/rows`],
        connections,
        seconds: duration,
        headers: { 'content-type': 'application/json' },
        body: (n) => JSON.stringify({ note: `bench-${n}` }),
      })
    await create(16, WARM_UP_SECONDS)
    await insert(16, WARM_UP_SECONDS)
    const cells = ['p50', 'p99', 'processor time']
    const rows = [['connections', 'invoices/s', ...cells, 'bare rows/s', ...cells, 'ratio']]
    for (const connections of CONNECTIONS) {
      const own: Turn[] = []
      const peer: Turn[] = []
      for (let turn = 0; turn < TURNS; turn += 1) {
        peer.push(await computedDuring(ofBare, () => insert(connections)))
        own.push(await computedDuring(ofApi, () => create(connections)))
      }
      const [ours, bareRows] = [allOf(own), allOf(peer)]
      rows.push([
        String(connections),
        ...ours.cells,
        ...bareRows.cells,
        (ours.perSecond / bareRows.perSecond).toFixed(2),
      ])
    }
    report.table(
      'Creating invoices',
      'An invoice with an externalRef: key lookup, rate limit, invoice, watched address and event. The peer inserts one row through the same server, driver and database. Load generator, servers and database share the machine; the processor time of each is in ms.',
      rows,
    )
  } finally {
    await stop()
  }
}

interface Turn {
  readonly result: LoadResult
  readonly computed: Computed
}

/** All turns of one side. */
function allOf(turns: readonly Turn[]) {
  const all = inAll(turns.map(({ result }) => result))
  const computed = turns.map((turn) => turn.computed)
  const cells = [...cellsOf(all), perPiece(computed, all.latenciesMs.length)]
  return { perSecond: all.perSecond, cells }
}

/** Our API and its peer on one Postgres. */
function openSides() {
  return withServers(async (servers) => {
    const { dir, database, port, variables, beforeStop, stop } = servers
    const { key } = await newShop(database, HUB)
    const environment = {
      ...variables,
      REMIT_ENV: 'sandbox',
      HUB_ADDRESS: HUB,
      FEE_COLLECTOR: COLLECTOR,
      // Switches the chains on; the API never calls them.
      RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:9',
      RPC_URL_SEPOLIA: 'http://127.0.0.1:9',
      RATE_LIMIT_AUTHENTICATED: '100000000',
      LOG_LEVEL: 'warn',
    }
    const api = await startScript('api/main.ts', environment, join(dir, 'api.log'), port)
    beforeStop(api.stop)
    const peerPort = await claimPort(0, 'the peer')
    const ofPeer = { ...environment, PORT: String(peerPort) }
    const peer = await startScript('bench/bareServer.ts', ofPeer, join(dir, 'peer.log'), peerPort)
    beforeStop(peer.stop)
    const backends = { Postgres: servers.postgresPid, Redis: servers.redisPid }
    return {
      key,
      api: `http://127.0.0.1:${port}`,
      bare: `http://127.0.0.1:${peerPort}`,
      ofApi: { API: api.pid, ...backends },
      ofBare: { server: peer.pid, Postgres: servers.postgresPid },
      stop,
    }
  })
}
