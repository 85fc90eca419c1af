import { pasted } from '../base/text.ts'
import type { Hex } from '../chain/evm.ts'
import { isHash } from '../chain/evm.ts'
import type { Invoice, Payment } from '../invoice/state.ts'
import type { CheckoutRows, StoredLookup } from './session.ts'
import type { HashVerdict } from './view.ts'

/** What came of a transaction hash that a payer has pasted. */

export interface FoundHash {
  readonly verdict: HashVerdict
  /** Where it was found; null when nowhere. */
  readonly networkId: string | null
}

const LONGEST = 500
const HASH_IN_TEXT = /(?:0x|\b)[0-9a-f]{64}(?![0-9a-f])/gi

/**
 * The hash in what a payer has pasted, with or without its 0x, which may be the link of an explorer; null when there is
 * none, or two.
 */
export function hashIn(text: string): Hex | null {
  if (text.length > LONGEST) return null
  const whole = hashesIn(text)
  // A line end inside of it is a hash that was broken, and one between two of them is not.
  const hashes = whole.size > 0 ? whole : hashesIn(pasted(text))
  const [hash] = hashes
  return hash !== undefined && hashes.size === 1 && isHash(hash) ? hash : null
}

function hashesIn(text: string): ReadonlySet<string> {
  const found = text.match(HASH_IN_TEXT) ?? []
  return new Set(found.map((hash) => `0x${hash.slice(-64).toLowerCase()}`))
}

/** Of several transfers in one transaction, the first of these is shown to the payer. */
const KINDS: readonly Payment['kind'][] = ['counted', 'late', 'foreign']

/** What the payments of one transaction are to the session; null when all were reverted. */
export function verdictOn(
  payments: readonly Payment[],
  invoices: readonly Invoice[],
): FoundHash | null {
  const active = payments.filter(({ status }) => status !== 'reverted')
  const [best] = active.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
  if (best === undefined) return null
  const { networkId } = best
  if (best.kind === 'late') return { verdict: 'late', networkId }
  if (best.kind === 'counted') return { verdict: 'payment', networkId }
  const invoice = invoices.find(({ id }) => id === best.invoiceId)
  const isOffered = invoice?.chains.includes(networkId) ?? false
  return { verdict: isOffered ? 'other_token' : 'other_network', networkId }
}

/**
 * The current verdict on a hash. What the ledger has recorded since it was pasted overrides what a node returned
 * then: the transaction may have been mined since.
 */
export function lookupNow(
  lookup: StoredLookup,
  { payments, invoices }: Pick<CheckoutRows, 'payments' | 'invoices'>,
): StoredLookup {
  const ofHash = payments.filter(({ txHash }) => txHash === lookup.hash)
  return { ...lookup, ...verdictOn(ofHash, invoices) }
}

/** One chain's verdict on the hash; `silent` when its nodes did not answer. */
export interface ChainVerdict {
  readonly networkId: string
  readonly verdict: HashVerdict | 'silent'
}

/** In this order, the first answer of any chain is shown to the payer. */
const WEIGHTS: readonly ChainVerdict['verdict'][] = [
  'payment',
  'late',
  'other_token',
  'other_network',
  'failed',
  'elsewhere',
  'not_mined',
  'silent',
  'unknown',
]

/** The verdict of all chains. While one was silent, an unknown hash has not been looked up everywhere. */
export function together(chains: readonly ChainVerdict[]): FoundHash {
  const [best] = chains.toSorted((a, b) => WEIGHTS.indexOf(a.verdict) - WEIGHTS.indexOf(b.verdict))
  if (best === undefined || best.verdict === 'unknown')
    return { verdict: 'unknown', networkId: null }
  if (best.verdict === 'silent') return { verdict: 'looking', networkId: null }
  return { verdict: best.verdict, networkId: best.networkId }
}
