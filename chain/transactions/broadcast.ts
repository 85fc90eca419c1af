import type { PublicClient } from 'viem'
import { nodeText, shortMessage } from '../../core/base/logging.ts'
import type { Hex } from '../../core/chain/evm.ts'
import { rpcErrorIn } from '../rpc/faults.ts'
import { type Meaning, understand } from './refusals.ts'

/**
 * Sending signed bytes, and what a node's answer means for what to do next. Answers never decide
 * about money: a transaction has happened when there is a receipt, and not before.
 */

export type BroadcastAnswer =
  /** The node has it now, or had it already. */
  | { readonly type: 'accepted' }
  /** The account has used this nonce: there should be a receipt. */
  | { readonly type: 'nonce_too_low'; readonly message: string }
  /** Its fee is too low, on its own or as a replacement. */
  | {
      readonly type: 'underpriced'
      readonly message: string
      /** Its tip is below what the pool takes: that minimum in wei per gas, where it is named. */
      readonly tip: { readonly floor: bigint | null } | null
    }
  | { readonly type: 'no_funds'; readonly message: string }
  /** These bytes will never be taken by any node. */
  | { readonly type: 'refused'; readonly message: string }
  /** The same bytes are sent again: nothing was answered, or a node refuses them for now. */
  | { readonly type: 'unknown'; readonly message: string; readonly isRefusal: boolean }

/**
 * Sends signed bytes once, which a client of several URLs does to each of them: one that takes them is
 * enough. Never throws: every fault of the way to the node is an answer.
 */
export async function broadcast(client: PublicClient, raw: Hex): Promise<BroadcastAnswer> {
  try {
    await client.request({ method: 'eth_sendRawTransaction', params: [raw] }, { retryCount: 0 })
    return { type: 'accepted' }
  } catch (error) {
    const answered = rpcErrorIn(error)
    if (answered === null) {
      return { type: 'unknown', message: shortMessage(error), isRefusal: false }
    }
    return classifyAnswer(nodeText(answered.details))
  }
}

/** Which answer each refusal is. */
const ANSWERS: Readonly<Record<Meaning, BroadcastAnswer['type']>> = {
  known: 'accepted',
  nonce_too_low: 'nonce_too_low',
  nonce_too_high: 'unknown',
  replacement: 'underpriced',
  base_fee: 'underpriced',
  tip_floor: 'underpriced',
  no_funds: 'no_funds',
  fee_cap: 'refused',
  gas_limit: 'refused',
  wrong_chain: 'refused',
  invalid: 'refused',
  pool_full: 'unknown',
  account_limit: 'unknown',
  blocked: 'unknown',
  syncing: 'unknown',
}

/** Reads the words of a JSON-RPC error. Words that no client is known for are unknown, and tried again. */
export function classifyAnswer(message: string): BroadcastAnswer {
  const understood = understand(message)
  if (understood === null) return { type: 'unknown', message, isRefusal: true }
  const { refusal, floor } = understood
  const type = ANSWERS[refusal.meaning]
  if (type === 'accepted') return { type }
  if (type === 'unknown') return { type, message, isRefusal: true }
  if (type !== 'underpriced') return { type, message }
  return { type, message, tip: refusal.meaning === 'tip_floor' ? { floor } : null }
}
