import { pad } from 'viem'
import { max } from '../../core/base/integers.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { ChainClient } from '../rpc/client.ts'
import { isRefusal } from '../rpc/faults.ts'
import { logsWithTopics } from '../transactions/logs.ts'
import { type AuthorizationUse, useIn, useTopics } from './authorizationUse.ts'

/**
 * A single search for an authorization's use, for a waiting caller: one request for logs over as many blocks
 * back from the head as the node allows, and the receipt of a hit. Older uses are found by the ledger. The
 * newest answers are cached for a while.
 */
export interface UseSearches {
  /** A cached result; undefined when there is none. */
  known(query: UseQuery): Promise<FoundUse> | undefined
  /** Searches, or joins a running search. Throws when the node doesn't answer. */
  search(query: UseQuery): Promise<FoundUse>
}

export interface UseQuery {
  readonly token: Address
  readonly payer: Address
  readonly nonce: Hex
  /** The first block in which it can have been used, and the newest. */
  readonly fromBlock: bigint
  readonly head: bigint
}

/** Null when the search did not find it: it may have been used long ago, or the node lags behind. */
export type FoundUse = AuthorizationUse | null

const REMEMBERED_MS = 30_000
/** What was not found may have been mined on another node only a moment ago. */
const NOT_FOUND_MS = 2_000
const ANSWERS_KEPT = 10_000

interface Remembered {
  readonly answer: Promise<FoundUse>
  until: number
}

export function openUseSearches(
  { atOnce, logRange }: Pick<ChainClient, 'atOnce' | 'logRange'>,
  { kept = ANSWERS_KEPT, now = () => performance.now() } = {},
): UseSearches {
  const answers = new Map<string, Remembered>()

  async function searchOnce({ token, payer, nonce, fromBlock, head }: UseQuery): Promise<FoundUse> {
    const from = max(fromBlock, head - logRange() + 1n)
    try {
      const [log] = await logsWithTopics(atOnce, token, useTopics(payer, nonce), from, head)
      return log === undefined ? null : await useIn(atOnce, token, { payer, nonce }, log)
    } catch (error) {
      // The next search uses the range that the node allows.
      if (isRefusal(error)) return null
      throw error
    }
  }

  function known(query: UseQuery): Promise<FoundUse> | undefined {
    const found = answers.get(keyOf(query))
    return found !== undefined && found.until > now() ? found.answer : undefined
  }

  return {
    known,
    search(query) {
      const found = known(query)
      if (found !== undefined) return found
      const key = keyOf(query)
      const remembered = { answer: searchOnce(query), until: now() + REMEMBERED_MS }
      remembered.answer.then(
        (use) => {
          if (use === null) remembered.until = now() + NOT_FOUND_MS
        },
        () => answers.delete(key),
      )
      answers.delete(key)
      answers.set(key, remembered)
      const [oldest] = answers.keys()
      if (answers.size > kept && oldest !== undefined) answers.delete(oldest)
      return remembered.answer
    },
  }
}

function keyOf({ token, payer, nonce }: UseQuery): string {
  return `${token} ${pad(payer)} ${nonce}`
}
