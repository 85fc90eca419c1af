import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ChainClient } from '../../chain/rpc/client.ts'
import type { IndexerConfig } from '../../core/config/processes.ts'
import type { Variables } from '../../core/config/reader.ts'
import { retractHeads } from '../../store/chain/heads.ts'
import type { Database } from '../../store/database/database.ts'
import { primaryUrl } from '../../store/database/primary.ts'
import { compareGenesis, prepareRecord } from '../deployment/genesis.ts'
import { dropIndex, releaseSchema } from '../deployment/schemas.ts'
import type { Handover } from './handover.ts'
import { type PonderExit, type PonderProcess, startPonder } from './ponder.ts'
import { hider } from './secrets.ts'
import { watchPonder } from './watchdog.ts'

export interface Supervision {
  readonly config: IndexerConfig
  readonly variables: Variables
  readonly schema: string
  readonly database: Database
  /** How many connections to it were given up so far, because they were silent. */
  readonly silences: () => number
  readonly clients: readonly ChainClient[]
  readonly handover: Handover
  readonly log: Logger
  /** Ends the supervision in order. */
  readonly stop: AbortSignal
}

/** A fault that another start will not fix; the process ends with its message. */
export class GiveUp extends Error {
  override readonly name = 'GiveUp'
}

/** How often Ponder is checked: until it is ready, and from then on. */
const POLL_MS = { starting: 100, ready: 2_000 }
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 5_000
/** So many failures in a row that Ponder calls fatal (exit code 1), and this process gives up. */
const FATAL_EXITS = 5
const PORT_GRACE_MS = 8_000
/** The part of the grace time of this process in which Ponder may end in order. */
const ENDING = 0.6
/** How long one that is stuck may take to do so, in ms. */
const STUCK_GRACE_MS = 2_000

/**
 * Keeps one Ponder running until stopped: waits for its turn, makes the schema ready, starts it, watches it,
 * and begins again, with a growing pause, when it has ended or is stuck.
 * @throws GiveUp when its port is taken, a live chain is not the one it was, or it fails for good.
 */
export async function supervisePonder(supervision: Supervision): Promise<void> {
  const { log, stop } = supervision
  let pause = FIRST_PAUSE_MS
  let fatalExits = 0
  let hasRun = false
  while (!stop.aborted) {
    try {
      const start = await awaitTurn(supervision)
      if (start) {
        const end = await runOnce(supervision, start, hasRun)
        hasRun = true
        if (end.wasReady) {
          pause = FIRST_PAUSE_MS
          fatalExits = 0
        }
        fatalExits = end.exit.code === 1 ? fatalExits + 1 : 0
        if (fatalExits >= FATAL_EXITS) {
          throw new GiveUp(`Ponder has failed ${FATAL_EXITS} times in a row; see its log`)
        }
      }
    } catch (error) {
      if (error instanceof GiveUp) throw error
      log.warn({ err: error }, 'the indexer cannot start; it tries again')
    }
    if (stop.aborted) break
    await sleep(pause, stop)
    pause = Math.min(LONGEST_PAUSE_MS, pause * 2)
  }
}

type Start = Exclude<Awaited<ReturnType<Handover['begin']>>, false>

/** Waits until this process may work on the database; false when stopped meanwhile. */
async function awaitTurn({ handover, log, stop }: Supervision): Promise<Start | false> {
  for (let isLogged = false; !stop.aborted; isLogged = true) {
    const start = await handover.begin()
    if (start) return start
    if (!isLogged) log.info('another indexer works on this database; waiting for its end')
    await sleep(500, stop)
  }
  return false
}

async function runOnce(
  supervision: Supervision,
  { createsViews, isAlone }: Start,
  hasRun: boolean,
): Promise<{ readonly exit: PonderExit; readonly wasReady: boolean }> {
  const { config, database, schema, clients, log, stop } = supervision
  await releaseSchema(database, schema, hasRun, log)
  await dropResetIndex(supervision, isAlone)
  await requirePort(supervision)
  const server = await primaryUrl(config.directUrl)
  const ponder = startPonder({
    schema,
    createsViews,
    host: config.graphqlHost,
    port: config.graphqlPort,
    // Ponder knows one server, which may become a standby.
    variables: { ...supervision.variables, DATABASE_DIRECT_URL: server },
    hide: hider(config),
    log,
  })
  log.info({ pid: ponder.pid, schema, isAlone }, 'started Ponder')
  const onStop = () => void ponder.stop(ENDING * config.graceMs)
  stop.addEventListener('abort', onStop)
  if (stop.aborted) onStop()
  const wasReady = await watchUntilEnd(supervision, ponder, server)
  stop.removeEventListener('abort', onStop)
  const exit = await ponder.exited
  await retractHeads(
    database,
    clients.map(({ chain }) => chain.networkId),
  ).catch((err: unknown) => log.warn({ err }, 'workers detect stalled heads on their own'))
  if (!stop.aborted) log.warn({ ...exit, schema }, 'Ponder has ended')
  return { exit, wasReady }
}

/** Watches Ponder until it has ended, and ends it when it is stuck. True when it was ever ready. */
async function watchUntilEnd(
  supervision: Supervision,
  ponder: PonderProcess,
  server: string,
): Promise<boolean> {
  const { config, database, schema, clients, handover, log, stop } = supervision
  const started = performance.now()
  const watchdog = watchPonder(database, schema, clients)
  const silencesBefore = supervision.silences()
  let wasReady = false
  let isLogged = false
  while (true) {
    const ended = await Promise.race([
      ponder.exited,
      Bun.sleep(wasReady ? POLL_MS.ready : POLL_MS.starting),
    ])
    if (ended || stop.aborted) return wasReady
    // Before the database is queried, which may be silent still: Ponder is gone by the time it answers.
    if (supervision.silences() > silencesBefore) {
      log.error('the database had fallen silent; starting Ponder again, which would wait for it')
      await ponder.stop(STUCK_GRACE_MS)
      return wasReady
    }
    try {
      const isElsewhere = isLogged && (await primaryUrl(config.directUrl)) !== server
      if (isElsewhere) log.warn('another server of the database is the primary now')
      if (isElsewhere || !(await handover.mayContinue())) {
        await ponder.stop(ENDING * config.graceMs)
        return wasReady
      }
      const health = await watchdog.check()
      if (health.kind === 'stuck') {
        log.error({ reason: health.reason }, 'Ponder is stuck; starting it again')
        await ponder.stop(STUCK_GRACE_MS)
        return wasReady
      }
      if (health.kind === 'healthy' && !wasReady) {
        wasReady = true
        const seconds = Math.round(performance.now() - started) / 1000
        const graphqlUrl = `http://${config.graphqlHost}:${config.graphqlPort}/graphql`
        log.info({ schema, seconds, graphqlUrl }, 'the index is up to date')
      }
      isLogged = false
    } catch (error) {
      if (!isLogged) log.warn({ err: error }, 'the watchdog could not check everything')
      isLogged = true
    }
  }
}

/**
 * Drops the index when a chain is not the one that was indexed. Public chains are never reset: in
 * live this is a node of another chain, and dropping anything would be wrong.
 */
async function dropResetIndex(
  { config, database, clients, log }: Supervision,
  isAlone: boolean,
): Promise<void> {
  await prepareRecord(database)
  const reset = await compareGenesis(database, clients)
  if (reset.length === 0) return
  const names = reset.map((chain) => chain.networkId).join(', ')
  if (config.environment === 'live') {
    throw new GiveUp(
      `the RPC of ${names} shows another chain than the one indexed so far: its first block differs`,
    )
  }
  if (!isAlone) throw new Error(`${names} was reset, and another indexer works on the old chain`)
  log.warn({ reset }, 'a chain was reset; the index is dropped and rebuilt')
  await dropIndex(database)
  await prepareRecord(database)
  await compareGenesis(database, clients)
}

/**
 * Waits for the port, which a Ponder that is about to end may still have. Ponder itself would silently take the
 * next free one, where nothing expects it.
 */
async function requirePort({ config, log, stop }: Supervision): Promise<void> {
  const { graphqlHost, graphqlPort } = config
  const deadline = performance.now() + PORT_GRACE_MS
  for (let isLogged = false; !(await isFree(graphqlHost, graphqlPort)); isLogged = true) {
    if (performance.now() > deadline) {
      throw new GiveUp(`port ${graphqlPort} of GraphQL is in use: set GRAPHQL_PORT to another one`)
    }
    if (!isLogged) log.warn({ port: graphqlPort }, 'waiting for the port of GraphQL')
    await sleep(100, stop)
    if (stop.aborted) return
  }
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ host, port }, () => server.close(() => resolve(true)))
  })
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  // It rejects when it is aborted, which ends the sleep as well.
  await setTimeout(ms, undefined, { signal }).catch(() => undefined)
}
