import { readFacts } from '../../chain/authorization/facts.ts'
import { type ChainClient, openChains } from '../../chain/client.ts'
import type { X402PaymentId } from '../../core/ids.ts'
import type { Facts } from '../../core/x402/facts.ts'
import type { PaymentRequest } from '../../core/x402/terms.ts'
import { isContention } from '../../store/database.ts'
import { gather } from '../../store/gather.ts'
import { type Claims, openClaims } from '../../store/x402/claims.ts'
import {
  endAnswers,
  listenForDecided,
  type OutcomeQuery,
  readOutcomes,
} from '../../store/x402/outcomes.ts'
import {
  type FoundTerms,
  findReservations,
  findTerms,
  type TermsQuery,
} from '../../store/x402/terms.ts'
import type { ApiDependencies } from '../http/exchange.ts'
import { type Funds, readFunds } from './funds.ts'
import { openSigners, type Signers } from './signers.ts'
import { type Answer, openSuccesses, type Successes } from './successes.ts'

/**
 * What verify and settle work with. Requests that arrive together share statements and round trips, so
 * that a crowd costs little more than one.
 */
export interface Facilitator {
  client(networkId: string): ChainClient
  findTerms(query: TermsQuery): Promise<FoundTerms>
  /** Reads what the chain says of an authorization. Rejects when no node answers. */
  readFacts(networkId: string, query: FactsQuery): Promise<Facts>
  /** Reads what the payer can still spend. Rejects when no node answers. */
  readFunds(request: PaymentRequest): Promise<Funds>
  readonly claims: Claims
  readonly signers: Signers
  readonly successes: Successes
  /**
   * Resolves when the payment was decided since the given moment of performance.now(), or after `ms`,
   * or when the caller has gone.
   */
  waitForDecision(wait: Wait): Promise<void>
  close(): Promise<void>
}

/** What verify and settle work with besides what every route does. */
export interface X402Dependencies extends ApiDependencies {
  readonly facilitator: Facilitator
}

type FactsQuery = Parameters<typeof readFacts>[1][number]

export interface Wait {
  readonly paymentId: X402PaymentId
  readonly since: number
  readonly ms: number
  readonly signal: AbortSignal
}

export type FacilitatorOptions = Pick<
  ApiDependencies,
  'config' | 'database' | 'availability' | 'log' | 'wake'
>

/** Callers wait for a settlement much longer than for anything else, so a crowd may queue up. */
const PATIENCE_MS = 15_000
/** The most requests that share a statement or a round trip. */
const TOGETHER = 128
/** Pending payments of one payer whose use is asked for, in one call with the payer's balance. */
const PENDING_ASKED_FOR = 63

export function openFacilitator(options: FacilitatorOptions): Facilitator {
  const { config, database, availability, log } = options
  const clients = openChains(config.chains)
  const facts = new Map(
    [...clients].map(([networkId, client]) => [
      networkId,
      gather<FactsQuery, Facts>({
        work: (queries) => readFacts(client.rpc, queries),
        isItemError: () => false,
        tooLate: () => new Error('the node is too slow'),
        patienceMs: PATIENCE_MS,
        atMost: TOGETHER,
      }),
    ]),
  )
  const funds = new Map(
    [...clients].map(([networkId, client]) => [
      networkId,
      // One by one, so that payers with much that is pending don't keep the node from the others.
      gather<PaymentRequest, Funds>({
        work: (requests) =>
          Promise.all(requests.map((request) => fundsOf(options, client, request))),
        isItemError: () => false,
        tooLate: () => new Error('the node is too slow'),
        patienceMs: PATIENCE_MS,
        atMost: 1,
      }),
    ]),
  )
  const guarded = <Q, R>(work: (queries: readonly Q[]) => Promise<readonly R[]>) =>
    gather<Q, R>({
      work: (queries) => availability.guard(() => work(queries)),
      isItemError: isContention,
      patienceMs: PATIENCE_MS,
      atMost: TOGETHER,
      lanes: 1,
    })
  const endAll = guarded<Answer, true>(async (answers) => {
    await endAnswers(database, answers)
    return answers.map(() => true)
  })
  const successes = openSuccesses({
    read: guarded((queries: readonly OutcomeQuery[]) => readOutcomes(database, queries)),
    end: endAll,
    log,
  })
  const signers = openSigners(log)
  const waiting = new Waiting()
  const unlisten = listen(options, waiting)

  return {
    client: (networkId) => known(clients, networkId),
    findTerms: guarded((queries: readonly TermsQuery[]) => findTerms(database, queries)),
    readFacts: (networkId, query) => known(facts, networkId)(query),
    readFunds: (request) => known(funds, request.chain.networkId)(request),
    claims: openClaims(database, {
      onClaimed: (networkIds) => options.wake(networkIds, { type: 'work_waiting' }),
    }),
    successes,
    waitForDecision: (wait) => waiting.wait(wait),
    signers,
    async close() {
      successes.close()
      signers.close()
      await unlisten()
    },
  }
}

async function fundsOf(
  { database, availability }: FacilitatorOptions,
  { rpc }: ChainClient,
  request: PaymentRequest,
): Promise<Funds> {
  const { authorization, chain, requirements } = request
  const query = {
    networkId: chain.networkId,
    asset: requirements.asset,
    payer: authorization.from,
    authorizationNonce: authorization.nonce,
  }
  // Before the chain is asked: what is claimed afterwards is counted by the claim itself.
  const reservations = await availability.guard(() =>
    findReservations(database, query, PENDING_ASKED_FOR),
  )
  return readFunds(rpc, request, reservations)
}

/** Starts without a database as well: until it is back, waiting requests look for themselves. */
function listen({ database, log }: FacilitatorOptions, waiting: Waiting): () => Promise<void> {
  let isClosed = false
  let unlisten: (() => Promise<void>) | null = null
  const start = async (): Promise<void> => {
    try {
      unlisten = await listenForDecided(database, (ids) => waiting.wake(ids))
    } catch (error) {
      log.debug({ err: error }, 'decided payments are not heard of yet')
      setTimeout(() => void (isClosed || start()), 1_000).unref()
    }
  }
  void start()
  return async () => {
    isClosed = true
    await unlisten?.()
  }
}

function known<T>(map: ReadonlyMap<string, T>, networkId: string): T {
  const value = map.get(networkId)
  if (value === undefined) throw new Error(`${networkId} is not switched on`)
  return value
}

/** How long a decision is remembered for somebody who is about to wait for it, in ms. */
const REMEMBERED_MS = 10_000

/** Requests that wait for the outcome of payments. */
class Waiting {
  private readonly calls = new Map<string, Set<() => void>>()
  /** When payments were decided, the oldest first: word of it may come before anybody waits. */
  private readonly decided = new Map<string, number>()

  wait({ paymentId, since, ms, signal }: Wait): Promise<void> {
    const decidedAt = this.decided.get(paymentId)
    if (decidedAt !== undefined && decidedAt >= since) return Promise.resolve()
    return new Promise((resolve) => {
      const calls = this.calls.get(paymentId) ?? new Set()
      this.calls.set(paymentId, calls)
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        calls.delete(end)
        if (calls.size === 0 && this.calls.get(paymentId) === calls) this.calls.delete(paymentId)
        resolve()
      }
      const timer = setTimeout(end, ms)
      signal.addEventListener('abort', end)
      calls.add(end)
    })
  }

  wake(paymentIds: readonly X402PaymentId[]): void {
    const now = performance.now()
    for (const [id, at] of this.decided) {
      if (now - at < REMEMBERED_MS) break
      this.decided.delete(id)
    }
    for (const id of paymentIds) {
      // Deleted first, so that it stands at the end of the map again.
      this.decided.delete(id)
      this.decided.set(id, now)
      for (const call of [...(this.calls.get(id) ?? [])]) call()
    }
  }
}
