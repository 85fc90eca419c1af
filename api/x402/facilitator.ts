import { type ChainClient, openChains } from '../../chain/rpc/client.ts'
import { type FactsQuery, readFacts, readFactsAt } from '../../chain/x402/authorizationFacts.ts'
import { openFactories, openPermitContracts } from '../../chain/x402/deployed.ts'
import { type PermitQuery, readPermitFacts } from '../../chain/x402/permitFacts.ts'
import { openUseSearches, type UseSearches } from '../../chain/x402/useSearch.ts'
import type { WalletFactory } from '../../core/chain/walletFactory.ts'
import type { Facts } from '../../core/x402/facts.ts'
import type { PermitFacts } from '../../core/x402/request/permitChecks.ts'
import type { PaymentRequest } from '../../core/x402/terms.ts'
import { isContention } from '../../store/database/database.ts'
import { gather } from '../../store/database/gather.ts'
import { readSenders } from '../../store/relayer/senders.ts'
import { type Claims, openClaims } from '../../store/x402/claims.ts'
import { type Holds, openHolds } from '../../store/x402/holds.ts'
import { endAnswers, type OutcomeQuery, readOutcomes } from '../../store/x402/outcomes.ts'
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
import { openTrialSenders } from './trialSenders.ts'
import { openDecisions, type Wait } from './waiting.ts'

/**
 * Dependencies of verify and settle. Concurrent requests share statements and round trips,
 * so that many cost little more than one.
 */
export interface Facilitator {
  /** Finds the use of authorizations that the ledger doesn't know. */
  useLooks(networkId: string): UseSearches
  findTerms(query: TermsQuery): Promise<FoundTerms>
  /** Whether payments by Permit2 are possible on a chain. */
  takesPermits(networkId: string): Promise<boolean>
  /** Whether a chain has this factory's code at its address. Rejects if no node responds. */
  isFactory(networkId: string, factory: WalletFactory): Promise<boolean>
  /** Reads the state of an authorization on its chain. Rejects if no node responds. */
  readFacts(networkId: string, query: FactsQuery): Promise<Facts>
  /** The same, simulated at a given time instead of the newest block's, in Unix seconds. */
  readFactsAt(networkId: string, query: FactsQuery, time: bigint): Promise<Facts>
  /** The same for a payment by Permit2. */
  readPermitFacts(networkId: string, query: PermitQuery): Promise<PermitFacts>
  /** Reads what the payer can still spend. Rejects if no node responds. */
  readFunds(request: PaymentRequest): Promise<Funds>
  readonly claims: Claims
  /** Null where verify reserves nothing. */
  readonly holds: Holds | null
  readonly signers: Signers
  readonly successes: Successes
  /**
   * Resolves once the payment was decided after `since` (by performance.now()), or after `ms`, or
   * when the caller has disconnected.
   */
  waitForDecision(wait: Wait): Promise<void>
  close(): Promise<void>
}

/** Dependencies of verify and settle in addition to those of every route. */
export interface X402Dependencies extends ApiDependencies {
  readonly facilitator: Facilitator
}

export interface FacilitatorOptions
  extends Pick<ApiDependencies, 'config' | 'database' | 'availability' | 'log' | 'wake'> {
  /** Recovers signers; by default on a separate thread. */
  readonly signers?: Signers
}

/** Maximum queueing time of a request. Callers accept long waits for a settlement. */
const TIMEOUT_MS = 15_000
/** Maximum requests per statement or round trip. */
const MAX_BATCH = 128
/** Minimum pause between calls of a node that bills calls, in which requests are batched; in ms. */
const APART_MS = 50
/** Maximum pending payments of a payer that are checked in one call with the balance. */
const MAX_PENDING_CHECKED = 63

export function openFacilitator(options: FacilitatorOptions): Facilitator {
  const { config, database, availability, log } = options
  const clients = openChains(config.chains)
  const perChain = <Q, R>(
    atMost: number,
    work: (client: ChainClient, queries: readonly Q[]) => Promise<readonly R[]>,
  ) =>
    new Map(
      [...clients].map(([networkId, client]) => [
        networkId,
        gather<Q, R>({
          work: (queries) => work(client, queries),
          isItemError: () => false,
          tooLate: () => new Error('the node is too slow'),
          timeoutMs: TIMEOUT_MS,
          atMost,
          // A node that bills calls gets one call at a time, unless many requests are queued.
          ...(client.chain.areCallsBilled
            ? { besideAfterMs: Number.POSITIVE_INFINITY, apartMs: APART_MS }
            : { besideFrom: 1 }),
        }),
      ]),
    )
  const trialSender = openTrialSenders((networkId) =>
    availability.guard(() => readSenders(database, networkId)),
  )
  const facts = perChain(MAX_BATCH, async ({ chain, rpc }, queries: readonly FactsQuery[]) =>
    readFacts(rpc, queries, { sender: await trialSender(chain.networkId) }),
  )
  const permitFacts = perChain(MAX_BATCH, async ({ chain, rpc }, queries: readonly PermitQuery[]) =>
    readPermitFacts(rpc, queries, { sender: await trialSender(chain.networkId) }),
  )
  // One at a time, so that payers with many pending payments don't delay others.
  const funds = perChain(1, (client, requests: readonly PaymentRequest[]) =>
    Promise.all(requests.map((request) => fundsOf(options, client, request))),
  )
  const guarded = <Q, R>(work: (queries: readonly Q[]) => Promise<readonly R[]>) =>
    gather<Q, R>({
      work: (queries) => availability.guard(() => work(queries)),
      isItemError: isContention,
      timeoutMs: TIMEOUT_MS,
      atMost: MAX_BATCH,
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
  const looks = new Map([...clients].map(([id, client]) => [id, openUseSearches(client)]))
  const permitChains = new Map([...clients].map(([id, { rpc }]) => [id, openPermitContracts(rpc)]))
  const factories = new Map([...clients].map(([id, { rpc }]) => [id, openFactories(rpc)]))
  const signers = options.signers ?? openSigners(log)
  const decisions = openDecisions(database, log)

  return {
    takesPermits: (networkId) => known(permitChains, networkId)(),
    useLooks: (networkId) => known(looks, networkId),
    isFactory: (networkId, factory) => known(factories, networkId)(factory),
    findTerms: guarded((queries: readonly TermsQuery[]) => findTerms(database, queries)),
    readFacts: (networkId, query) => known(facts, networkId)(query),
    async readFactsAt(networkId, query, time) {
      return readFactsAt(known(clients, networkId), query, await trialSender(networkId), time)
    },
    readPermitFacts: (networkId, query) => known(permitFacts, networkId)(query),
    readFunds: (request) => known(funds, request.chain.networkId)(request),
    claims: openClaims(database, config.limits.claimsPerPayer, {
      onClaimed: (networkIds) => options.wake(networkIds, { type: 'work_queued' }),
    }),
    holds: config.holdSeconds === 0 ? null : openHolds(database, config.holdSeconds),
    successes,
    waitForDecision: decisions.wait,
    signers,
    async close() {
      successes.close()
      signers.close()
      await decisions.close()
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
  // Read before the chain: the claim itself accounts for later claims.
  const reservations = await availability.guard(() =>
    findReservations(database, query, MAX_PENDING_CHECKED),
  )
  return readFunds(rpc, request, reservations)
}

function known<T>(map: ReadonlyMap<string, T>, networkId: string): T {
  const value = map.get(networkId)
  if (value === undefined) throw new Error(`${networkId} is not enabled`)
  return value
}
