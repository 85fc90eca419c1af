import type { ChainClient } from '../../chain/rpc/client.ts'
import { isRpcFault } from '../../chain/rpc/faults.ts'
import { stageOfTransaction } from '../../chain/transactions/transactions.ts'
import { PRICES } from '../../core/access/costs.ts'
import { AppError } from '../../core/base/errors.ts'
import type { Hex } from '../../core/chain/evm.ts'
import {
  type ChainVerdict,
  type FoundHash,
  hashIn,
  together,
  verdictOn,
} from '../../core/checkout/lookup.ts'
import { presentLookup } from '../../core/checkout/present.ts'
import type { CheckoutRows, SessionId } from '../../core/checkout/session.ts'
import type { HashLookup } from '../../core/checkout/view.ts'
import type { Invoice } from '../../core/invoice/state.ts'
import { paymentsOfHash, saveLookup } from '../../store/checkout/lookups.ts'
import { guardDatabase } from '../http/backends.ts'
import { spend } from '../http/budget.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { submitTransaction } from '../invoice/submission.ts'
import { bodyOf, invalidBody } from '../request/body.ts'
import { HASH } from '../request/examples.ts'
import { one } from '../request/responses.ts'
import { text } from '../request/schema.ts'
import { lookupSchema, SESSION_ID_PARAMETER } from './schema.ts'
import { readForPage, readSession } from './sessions.ts'

/** POST /v1/checkout/sessions/:id/transactions: a payer submits the hash of the payment. */

export const lookUpTransactionRoute = route({
  operation: 'POST /v1/checkout/sessions/:id/transactions',
  access: 'payer',
  ids: { id: SESSION_ID_PARAMETER },
  isCrossOrigin: true,
  body: bodyOf('The transaction of the payment.', {
    hash: text("The transaction's hash, or an explorer link that contains it.", HASH),
  }),
  summary: 'Look up a transaction',
  description:
    'Searches for a transaction, first in the ledger, then on every network. Transfers to an ' +
    'address of this session are recorded and counted by the usual rules.',
  operationId: 'lookUpTransaction',
  successes: { 200: one('The results.', lookupSchema) },
  errors: ['session_not_found', 'origin_not_allowed', 'budget_exceeded'],
  handle: async (deps, { exchange, ids, body: { hash } }) => {
    await readForPage(deps, exchange, ids.id)
    return sendObject(exchange, 200, await lookUp(deps, exchange, ids.id, hash))
  },
})

/** The timeout of each chain, in ms. */
const TIMEOUT_MS = 5_000

/** Looks up a submitted hash and stores the result. Throws `invalid_request_body` for an invalid one. */
export async function lookUp(
  deps: ApiDependencies,
  exchange: Exchange,
  id: SessionId,
  pasted: string,
): Promise<HashLookup> {
  const hash = hashIn(pasted)
  if (hash === null) {
    const message = 'must contain one transaction hash: 0x and 64 hexadecimal digits'
    throw invalidBody([{ path: 'hash', message }])
  }
  const { rows } = await readSession(deps, id)
  const found =
    (await recorded(deps, rows, hash)) ?? (await searchChains(deps, exchange, rows, hash))
  const stored = await guardDatabase(deps, (sql) =>
    saveLookup(sql, rows.session.id, hash, found, deps.now()),
  )
  return presentLookup(stored, deps.config.registry)
}

/** The transaction in the ledger. */
async function recorded(
  deps: ApiDependencies,
  { invoices }: CheckoutRows,
  hash: Hex,
): Promise<FoundHash | null> {
  const ids = invoices.map((invoice) => invoice.id)
  const networkIds = deps.config.registry.map(({ networkId }) => networkId)
  const payments = await guardDatabase(deps, (sql) => paymentsOfHash(sql, ids, networkIds, hash))
  return verdictOn(payments, invoices)
}

async function searchChains(
  deps: ApiDependencies,
  exchange: Exchange,
  rows: CheckoutRows,
  hash: Hex,
): Promise<FoundHash> {
  const clients = [...deps.chainClients.values()]
  await spend(deps, exchange, clients.length * PRICES.lookUpHash)
  const results = await Promise.all(
    clients.map(async (client): Promise<ChainVerdict> => {
      const { networkId } = client.chain
      const silence = Bun.sleep(TIMEOUT_MS).then(() => 'silent' as const)
      return {
        networkId,
        verdict: await Promise.race([searchChain(deps, client, rows, hash), silence]),
      }
    }),
  )
  return together(results)
}

/** One chain's result: one request, and more only if the transaction is mined there. */
async function searchChain(
  deps: ApiDependencies,
  client: ChainClient,
  rows: CheckoutRows,
  hash: Hex,
): Promise<ChainVerdict['verdict']> {
  try {
    const stage = await stageOfTransaction(client.rpc, hash)
    if (stage !== 'mined') return stage
    for (const invoice of rows.invoices) {
      const verdict = await searchAddress(deps, client, rows, invoice, hash)
      if (verdict !== 'elsewhere') return verdict
    }
    return 'elsewhere'
  } catch (error) {
    if (isRpcFault(error)) return 'silent'
    if (error instanceof AppError && error.code === 'service_unavailable') return 'silent'
    throw error
  }
}

async function searchAddress(
  deps: ApiDependencies,
  client: ChainClient,
  rows: CheckoutRows,
  invoice: Invoice,
  hash: Hex,
): Promise<ChainVerdict['verdict']> {
  const submitted = await submitTransaction(deps, client, invoice, hash)
  if (submitted.type === 'unknown') return 'not_mined'
  if (submitted.type === 'reverted') return 'failed'
  // Unread parts may contain transfers to this session.
  if (submitted.transfers.length === 0) return submitted.unread.length > 0 ? 'silent' : 'elsewhere'
  const found = await recorded(deps, rows, hash)
  // Transfers of unlisted tokens are not recorded.
  return found?.verdict ?? 'other_token'
}
