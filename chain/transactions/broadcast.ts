import type { PublicClient } from 'viem'
import type { Hex } from '../../core/chain/evm.ts'
import { nodeText, shortMessage } from '../../core/telemetry/logging.ts'
import { rpcErrorIn } from '../faults.ts'

/**
 * Sending signed bytes, and what a node's answer means for what to do next. Answers never decide
 * about money: a transaction has happened when there is a receipt, and not before.
 */

export type BroadcastAnswer =
  /** The node has it now, or had it already. */
  | { readonly type: 'accepted' }
  /** The account has used this nonce: there should be a receipt. */
  | { readonly type: 'nonce_too_low'; readonly message: string }
  /** It pays too little, by itself or as a replacement. */
  | { readonly type: 'underpriced'; readonly message: string }
  | { readonly type: 'no_funds'; readonly message: string }
  /** These bytes will never be taken by any node. */
  | { readonly type: 'refused'; readonly message: string }
  /** It may have arrived or not: the same bytes are sent again. */
  | { readonly type: 'unknown'; readonly message: string }

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
    if (answered === null) return { type: 'unknown', message: shortMessage(error) }
    return classifyAnswer(nodeText(answered.details))
  }
}

/** geth, erigon, nethermind, besu, reth and anvil each have words of their own. */
const MEANINGS: readonly (readonly [type: Exclude<BroadcastAnswer['type'], 'unknown'>, RegExp])[] =
  [
    ['accepted', /already known|already imported|alreadyknown|known transaction|already exists/i],
    ['nonce_too_low', /nonce too low|noncetoolow|oldnonce|nonce is too low/i],
    [
      'underpriced',
      /underpriced|fee too low|feetoolow|replacementnotallowed|less than block base fee|gas price too low|below configured minimum|tip too low|could not replace/i,
    ],
    [
      'no_funds',
      /insufficient funds|insufficientfunds|exceeds account balance|insufficient balance/i,
    ],
    [
      'refused',
      /intrinsic gas|exceeds (the )?block gas limit|gas limit (is )?too high|gaslimitexceeded|exceeds.*gas limit cap|oversized|invalid sender|invalid chain ?id|tx type not supported|higher than max fee|size.*exceed|tx ?fee.*exceeds the config/i,
    ],
  ]

/** Reads the words of a JSON-RPC error. What nobody has seen before is unknown, and tried again. */
export function classifyAnswer(message: string): BroadcastAnswer {
  const found = MEANINGS.find(([, words]) => words.test(message))
  if (found === undefined) return { type: 'unknown', message }
  const [type] = found
  return type === 'accepted' ? { type } : { type, message }
}
