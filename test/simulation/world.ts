import pino from 'pino'
import { roleUrl } from '../support/servers/roles.ts'
import { nodeOf, type SentTransaction, type SimulatedChain } from './chain.ts'
import { DatabaseServer } from './databaseServer.ts'
import { Faults, type NodeFaults, type Rates } from './faults.ts'
import { setKernel } from './globals.ts'
import { Indexer } from './indexer.ts'
import { Kernel, type Process, runAs } from './kernel.ts'
import { beginAlike } from './modules.ts'
import { type Host, type Reply, type Sent, setHosts } from './network.ts'
import {
  type Api,
  openNonces,
  type Setting,
  startApi,
  startNotifierProcess,
  startWorker,
  type Woken,
} from './processes.ts'
import { Random } from './random.ts'
import { setDatabaseServer } from './socket.ts'
import type { Trace } from './trace.ts'
import { CONFIRMATIONS, NODES, variablesOf } from './variables.ts'

/** All that a run has: the processes of the product, what they talk to, and the time. */

/** Receivers of webhooks, at addresses of the public internet. */
export const RECEIVERS = ['9.9.9.1', '9.9.9.2']
/** How often the notifier looks for what is due that is left at the end. */
const REST_TICK_MS = 10_000

export class World {
  readonly random: Random
  readonly kernel: Kernel
  readonly workers: Woken[] = []
  readonly notifiers: Woken[] = []
  readonly apis: Api[] = []
  readonly hosts = new Map<string, Host>()
  readonly counts: Record<string, number> = {}
  readonly faults: Faults
  /** What receivers of webhooks have answered with 200. */
  readonly received: Received[] = []
  /** How high the chain was, and since when, in virtual time. */
  readonly heads: { readonly at: number; readonly number: number }[] = []
  /** What payers have signed and sent, by its hash. */
  readonly sent = new Map<string, SentTransaction>()
  /** What workers have sent that was not stored by then. */
  readonly unstored = new Set<string>()
  /** The next account nonce of each payer. */
  readonly nonces = new Map<string, number>()
  readonly nodes: { readonly name: string; readonly node: NodeFaults }[] = []
  readonly chaos: Random
  /** After so many blocks callers of x402 are answered. Of fewer than reorganisations reach, an answer may be wrong. */
  readonly x402Confirmations: number
  private readonly setting: Setting
  private readonly messages: Random
  private generation = 0
  /** Those that were told to end. */
  private readonly leaving: Process[] = []

  private constructor(
    seed: string,
    readonly chain: SimulatedChain,
    readonly database: DatabaseServer,
    readonly indexer: Indexer,
    urls: Readonly<Record<'api' | 'worker' | 'notifier' | 'owner', string>>,
    kernel: Kernel,
    log: (name: string) => pino.Logger,
    rates: Rates,
  ) {
    this.kernel = kernel
    this.random = new Random(seed)
    this.messages = this.random.fork('messages')
    this.x402Confirmations = this.random.fork('setting').isLikely(0.3) ? 1 : CONFIRMATIONS
    this.faults = new Faults(rates, this.random.fork('faults'))
    this.chaos = this.random.fork('chaos')
    kernel.beforeEvent = (process) => this.befall(process)
    database.latencyMs = rates.statementMs
    database.breaks = (process) => this.faults.ofStatement(process)
    database.isLast = (signed) => this.faults.losesCommit(signed)
    this.setting = {
      process: (name) => kernel.process(name, true, this.faults.skewMs()),
      variables: (role, node) => variablesOf(this, urls[role], node),
      nonces: openNonces(),
      log,
      wake: (message) => this.deliver(this.workers, message),
      wakeNotifier: () => this.deliver(this.notifiers, { type: 'work_waiting' }),
      onFatal: (process, error) => {
        kernel.note(`${process.name} gives up: ${String(error)}`)
        this.count('gave up')
        kernel.after(0, null, () => this.replace(process))
      },
    }
    for (const name of NODES) {
      const node = this.faults.node(name)
      const onBroadcast = (hash: string) => this.verifyStored(hash)
      this.hosts.set(name, nodeOf({ chain, kernel, behaves: node.behaves, onBroadcast }))
      this.nodes.push({ name, node })
    }
    for (const name of RECEIVERS) this.hosts.set(name, (sent) => this.receive(sent))
    setHosts(this.hosts)
  }

  static async open(
    seed: string,
    trace: Trace,
    chain: SimulatedChain,
    isLoud: boolean,
    rates: Rates,
  ): Promise<World> {
    await beginAlike()
    const database = await DatabaseServer.open()
    await chain.begin()
    const kernel = new Kernel(new Random(seed).fork('kernel'), trace)
    setKernel(kernel)
    setDatabaseServer(database)
    const urls = {
      api: alike(await roleUrl(database.url, 'api')),
      worker: alike(await roleUrl(database.url, 'worker')),
      notifier: alike(await roleUrl(database.url, 'notifier')),
      owner: alike(database.url),
    }
    const tokens = [chain.hub.usdc.address]
    const indexer = new Indexer(chain, kernel, database.admin, tokens)
    const log = (name: string) => pino({ level: isLoud ? 'warn' : 'silent', base: { name } })
    const world = new World(seed, chain, database, indexer, urls, kernel, log, rates)
    world.heads.push({ at: kernel.now, number: (await chain.head()).number })
    return world
  }

  count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1
  }

  addWorker(): void {
    this.generation += 1
    const node = NODES.map((name) => `http://${name}`).join(',')
    this.workers.push(startWorker(this.setting, `worker-${this.generation}`, node))
  }

  addNotifier(): void {
    this.generation += 1
    this.notifiers.push(startNotifierProcess(this.setting, `notifier-${this.generation}`))
  }

  addApi(): void {
    this.generation += 1
    const node = NODES.map((name) => `http://${name}`).join(',')
    this.apis.push(startApi(this.setting, `api-${this.generation}`, node))
  }

  /** The indexer tells the workers of a new head. Some do not hear of it. */
  announceHead(number: number): void {
    this.heads.push({ at: this.kernel.now, number })
    for (const { process, followHead } of this.workers) {
      const ms = this.messages.next() * 100
      if (followHead !== undefined && this.messages.isLikely(0.8))
        this.kernel.after(ms, process, followHead)
    }
  }

  /** Something that takes place outside of all simulated code, as part of an actor's doings. */
  outside<T>(actor: Process, work: () => Promise<T>): Promise<T> {
    const { kernel } = this
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const late = () => kernel.latency.next() * 20
    kernel.after(late(), actor, async () => {
      try {
        const value = await work()
        kernel.after(late(), actor, () => resolve(value))
      } catch (error) {
        reject(error)
      }
    })
    return promise
  }

  /** Begins something in a process of its own. What it throws ends the run. */
  begin(name: string, act: (actor: Process) => Promise<void>): Process {
    const actor = this.kernel.process(name)
    runAs(actor, () => {
      act(actor).catch((error: unknown) => this.kernel.failures.push(error))
    })
    return actor
  }

  /** From now on nothing goes wrong any more. One worker and one notifier go on; the others are told to end. */
  endFaults(): void {
    this.faults.isOff = true
    this.chain.makeDear(1, 0)
    this.kernel.note('nothing goes wrong any more')
    for (const list of [this.workers, this.notifiers]) {
      list.sort((a, b) => a.process.pausedUntil - b.process.pausedUntil)
      for (const { process, stop } of list.splice(1)) {
        this.leaving.push(process)
        const end = () => this.kernel.after(0, null, () => this.kernel.kill(process))
        stop().then(end, end)
      }
    }
  }

  /** Does something again and again, each time after as many ms as it says. */
  repeat(work: () => Promise<number>, firstMs = 500): void {
    const { kernel } = this
    const again = async () => {
      kernel.after(await work(), null, again)
    }
    kernel.after(firstMs, null, again)
  }

  /** Whether a process dies before its next event; another one begins in its place. */
  private async befall(process: Process): Promise<boolean> {
    const how = this.faults.beforeEvent(process)
    if (how === 'pauses') {
      process.stoppedAt = this.kernel.now
      process.pausedUntil = this.kernel.now + this.faults.pauseMs()
      this.count('pauses')
      this.kernel.note(`${process.name} stands still`)
      // The server holds no locks for connections that it does not hear of: another one may take its place meanwhile.
      for (const each of [...process.open]) if (this.chaos.isLikely(0.5)) await each.lose()
    }
    if (how === 'is cut off' && process.open.size > 0)
      await this.chaos.pick([...process.open]).lose()
    if (how !== 'dies') return false
    await this.replace(process)
    return true
  }

  private async replace(process: Process): Promise<void> {
    if (process.isDead) return
    this.count('deaths')
    await this.kernel.kill(process)
    const ms = this.chaos.between(50, 8_000)
    const [kind] = process.name.split('-')
    for (const list of [this.workers, this.notifiers, this.apis]) {
      const at = list.findIndex((one) => one.process === process)
      if (at >= 0) list.splice(at, 1)
    }
    this.kernel.after(ms, null, () => {
      if (kind === 'worker') this.addWorker()
      else if (kind === 'notifier') this.addNotifier()
      else this.addApi()
    })
  }

  /** Ends all processes, and lets one notifier go on that looks for what is due now and then. */
  async leaveNotifier(): Promise<void> {
    const all = this.processes()
    if (all.filter(({ isDead }) => !isDead).length <= 1) return
    for (const process of all) await this.kernel.kill(process)
    this.generation += 1
    const name = `notifier-${this.generation}`
    this.notifiers.push(startNotifierProcess(this.setting, name, REST_TICK_MS))
  }

  /** Nothing is sent that is not stored. */
  private async verifyStored(hash: string): Promise<void> {
    const rows = await this.database.admin`select from relayer_attempt where hash = ${hash}`
    if (rows.length === 0 && !this.database.lost.has(hash)) this.unstored.add(hash)
  }

  private receive({ headers, body, url }: Sent): Reply {
    const isDeaf = this.faults.isReceiverDeaf()
    const id = headers.get('webhook-id') ?? ''
    this.kernel.note(`${url.host} receives ${id}${isDeaf ? ' and fails' : ''}`)
    // Some fail after they have taken it in.
    if (!isDeaf || this.chaos.isLikely(0.5))
      this.received.push({ id, host: url.host, body, isAnswered: !isDeaf })
    if (!isDeaf) return { status: 200, body: '{}' }
    return this.chaos.pick(['broken', 'silent', { status: 500, body: '{}' }] as const)
  }

  private processes(): Process[] {
    const all = [...this.workers, ...this.apis, ...this.notifiers].map(({ process }) => process)
    return [...all, ...this.leaving]
  }

  async close(): Promise<void> {
    for (const process of this.processes()) await this.kernel.kill(process)
    setKernel(null)
    setDatabaseServer(null)
    setHosts(new Map())
    await this.database.close()
  }

  private deliver(to: readonly Woken[], message: Parameters<Woken['handle']>[0]): void {
    const alive = to.filter(({ process }) => !process.isDead)
    if (alive.length === 0) return
    const one = this.messages.pick(alive)
    this.kernel.after(this.messages.next() * 20, one.process, () => one.handle(message))
  }
}

export interface Received {
  readonly id: string
  readonly host: string
  readonly body: string
  readonly isAnswered: boolean
}

/** The URL with a port that is the same in every run: the driver's errors name it. */
function alike(url: string): string {
  const told = new URL(url)
  told.port = '5432'
  return told.href
}
