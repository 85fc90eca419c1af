import type { OtherNode, RpcCall } from '../support/servers/otherNode.ts'
import type { Behaviour } from './chain.ts'
import type { Signed } from './commits.ts'
import type { Process } from './kernel.ts'
import type { Random } from './random.ts'

/** What goes wrong in a run, how often, and until when. The seed chooses the rates. */

export interface Rates {
  /** Of the events of a process: it dies before the event. */
  readonly death: number
  /** Of the events of a process: it stands still for a while, and comes back with its memory. */
  readonly pause: number
  /** Of the statements: the connection breaks before it, or after it with its answer. */
  readonly breakBefore: number
  readonly breakAfter: number
  /** Of the calls to a node that is well. */
  readonly error: number
  readonly loseRequest: number
  readonly loseAnswer: number
  /** Of the broadcasts: the node takes the bytes and forgets them. */
  readonly forget: number
  /** Of the broadcasts: the node takes the bytes, and sends them on after seconds. */
  readonly late: number
  /** Of the events of a process: one of its connections to the database breaks while it goes on. */
  readonly cut: number
  /** The share of the time in which a node is not well. */
  readonly unwell: number
  /** How often the chain is reorganised, in ms between two. */
  readonly reorganiseEveryMs: number
  /** How often blocks become dear for a while, in ms between two. */
  readonly dearEveryMs: number
  /** By how much clocks of processes differ at most, in ms. */
  readonly skewMs: number
  /** Of the requests to receivers of webhooks. */
  readonly deafReceiver: number
  /** How long a statement is on its way at most, in ms. */
  readonly statementMs: number
  /** How often an operator's session locks rows for a while, in ms between two. */
  readonly lockEveryMs: number
  /**
   * The commit in which something is signed, or a refund is, that is lost with all sessions when another server takes
   * the place of the database: the how manieth of them; 0 for none.
   */
  readonly loseSigned: number
  readonly loseRefund: number
}

/** The same without some of them. */
export function without(rates: Rates, off: readonly string[]): Rates {
  const calm: Readonly<Record<string, number>> = { ...NO_FAULTS }
  const changed = off.map((name) => [name, calm[name] ?? 0] as const)
  return { ...rates, ...Object.fromEntries(changed) }
}

export function ratesOf(random: Random): Rates {
  const rate = (usual: number, without = 0.3) =>
    random.isLikely(without) ? 0 : usual * 2 ** random.between(-2, 1)
  return {
    death: rate(0.013, 0.1),
    pause: rate(0.002),
    breakBefore: rate(0.002),
    breakAfter: rate(0.002),
    error: random.isLikely(0.1) ? 0 : 0.1 + 0.15 * random.between(1, 4),
    loseRequest: rate(0.02),
    loseAnswer: rate(0.02),
    forget: rate(0.05),
    unwell: rate(0.8, 0.1),
    reorganiseEveryMs: random.isLikely(0.1)
      ? Number.POSITIVE_INFINITY
      : random.between(2_000, 8_000),
    skewMs: random.isLikely(0.5) ? 0 : random.between(100, 5_000),
    deafReceiver: rate(0.1),
    statementMs: random.pick([2, 10, 20, 40]),
    lockEveryMs: random.isLikely(0.3) ? Number.POSITIVE_INFINITY : random.between(2_000, 20_000),
    dearEveryMs: random.isLikely(0.3) ? Number.POSITIVE_INFINITY : random.between(8_000, 25_000),
    late: rate(0.1),
    cut: rate(0.002),
    ...failoverOf(random),
  }
}

/** In one of five seeds. */
function failoverOf(random: Random): Pick<Rates, 'loseSigned' | 'loseRefund'> {
  if (!random.isLikely(0.2)) return { loseSigned: 0, loseRefund: 0 }
  const isRefund = random.isLikely(0.6)
  return isRefund
    ? { loseSigned: 0, loseRefund: random.between(1, 3) }
    : { loseSigned: random.between(1, 30), loseRefund: 0 }
}

export const NO_FAULTS: Rates = {
  lockEveryMs: Number.POSITIVE_INFINITY,
  ...{ death: 0, pause: 0, breakBefore: 0, breakAfter: 0, error: 0, loseRequest: 0, loseAnswer: 0 },
  ...{
    ...{ forget: 0, late: 0, cut: 0 },
    unwell: 0,
    reorganiseEveryMs: Number.POSITIVE_INFINITY,
    dearEveryMs: Number.POSITIVE_INFINITY,
    skewMs: 0,
    deafReceiver: 0,
    statementMs: 10,
    ...{ loseSigned: 0, loseRefund: 0 },
  },
}

export class Faults {
  /** They begin once there are merchants, and end before the run does. */
  isOff = true
  private signed = 0
  private refunds = 0
  readonly counts: Record<string, number> = {}

  constructor(
    readonly rates: Rates,
    private readonly random: Random,
  ) {}

  /** What happens to a process before its next event. */
  beforeEvent(process: Process): 'dies' | 'pauses' | 'is cut off' | null {
    if (this.isOff || !process.isMortal) return null
    if (this.happens('death')) return 'dies'
    if (this.happens('cut')) return 'is cut off'
    return this.happens('pause') ? 'pauses' : null
  }

  /** When the connection of a statement breaks. */
  ofStatement(process: Process): 'before' | 'after' | null {
    if (this.isOff || !process.isMortal) return null
    if (this.happens('breakBefore')) return 'before'
    return this.happens('breakAfter') ? 'after' : null
  }

  /** Whether the commit of what was signed is lost; that may as well be after all else that goes wrong. */
  losesCommit({ isRefund }: Signed): boolean {
    const { loseSigned, loseRefund } = this.rates
    this.signed += 1
    if (isRefund) this.refunds += 1
    const isLost = this.signed === loseSigned || (isRefund && this.refunds === loseRefund)
    if (isLost) this.note('failovers')
    return isLost
  }

  isReceiverDeaf(): boolean {
    return !this.isOff && this.happens('deafReceiver')
  }

  pauseMs(): number {
    return this.random.between(1_000, 40_000)
  }

  skewMs(): number {
    const { skewMs } = this.rates
    return skewMs === 0 ? 0 : this.random.between(-skewMs, skewMs)
  }

  private happens(name: Exclude<keyof Rates, 'unwell' | `${string}Ms`>): boolean {
    const rate = this.rates[name]
    if (rate === 0 || !this.random.isLikely(rate)) return false
    this.note(name)
    return true
  }

  note(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1
  }

  /** A node that is well or not, in turns. */
  node(name: string): NodeFaults {
    return new NodeFaults(this, this.random.fork(name), (name) => this.happens(name))
  }
}

type NodeFault = 'error' | 'loseRequest' | 'loseAnswer' | 'forget' | 'late'
type NodeMode = OtherNode | 'silent' | 'broken' | null

export class NodeFaults {
  private mode: NodeMode = null

  constructor(
    private readonly faults: Faults,
    private readonly random: Random,
    private readonly happens: (name: NodeFault) => boolean,
  ) {}

  /** What the node is from now on, and for how long, in ms. */
  change(head: number): { readonly name: string; readonly ms: number } {
    const { random } = this
    this.mode = null
    const ms = random.between(2_000, 20_000)
    if (this.faults.isOff || !random.isLikely(this.faults.rates.unwell)) return { name: 'well', ms }
    this.faults.note('unwell')
    const modes: readonly NodeMode[] = [
      { type: 'stale', blocks: random.between(1, 3) },
      { type: 'frozen', at: head },
      'silent',
      'broken',
    ]
    this.mode = random.pick(modes)
    return { name: JSON.stringify(this.mode), ms }
  }

  behaves: Behaviour = (call: RpcCall) => {
    const how = this.choose(call)
    this.faults.note('calls')
    if (how !== null) this.faults.note('calls with a fault')
    return how
  }

  private choose(call: RpcCall): ReturnType<Behaviour> {
    if (this.faults.isOff) return null
    const isBroadcast = call.method === 'eth_sendRawTransaction'
    if (isBroadcast && this.happens('forget')) return 'forget'
    if (isBroadcast && this.happens('late')) return 'late'
    if (this.happens('error')) return 'error'
    if (this.happens('loseRequest')) return 'lose_request'
    if (this.happens('loseAnswer')) return 'lose_answer'
    const { mode } = this
    if (mode === 'silent') return 'lose_request'
    return mode === 'broken' ? 'error' : mode
  }
}
