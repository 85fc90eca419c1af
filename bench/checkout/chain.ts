import { lowerCaseAddress } from '../../core/chain/evm.ts'
import { chainNamed, chainsOf, tokenNamed } from '../../core/chain/registry.ts'
import { announceHead } from '../../store/chain/heads.ts'
import type { Database } from '../../store/database/database.ts'
import { SESSION_CHANNEL } from '../../store/invoice/sessionNews.ts'
import { machineTime } from '../heads.ts'

/** Writes of the indexer and a chain's actor, for thousands of invoices in one commit. */
export interface Followed {
  /** The chain has another block. Resolves with when it was announced, in ms since 1970. */
  mineBlock(): Promise<number>
  /** Each of these sessions has a payment in the newest block. Resolves with when the commit began. */
  seePayments(sessionIds: readonly string[]): Promise<number>
}

export const NETWORK = 'base-sepolia'
const PAYER = lowerCaseAddress('0x15d34aaf54267db7d7c367839aaf71a00a2c6a65')

export function followChain(database: Database): Followed {
  const chain = chainNamed(NETWORK, chainsOf('sandbox'))
  const token = tokenNamed(chain, 'USDC').address
  const hashOf = (block: bigint) => `0x${block.toString(16).padStart(64, '0')}` as const
  let number = 0n
  return {
    async mineBlock() {
      number += 1n
      await database`
        insert into chain_state (network_id, chain_id, genesis_hash, head, projected_block, head_seen_at)
        values (${NETWORK}, ${chain.chainId}, ${hashOf(0n)}, ${number}, ${number}, now())
        on conflict (network_id) do update set
          head = excluded.head, projected_block = excluded.projected_block, head_seen_at = now()`
      const header = { number, hash: hashOf(number), parentHash: hashOf(number - 1n) }
      const terms = { time: new Date(), baseFeePerGas: 0n, gasLimit: 0n }
      const announcedAt = machineTime()
      await announceHead(database, NETWORK, { ...header, ...terms }, [])
      return announcedAt
    },
    async seePayments(sessionIds) {
      const ids = [...sessionIds]
      return database.begin(async (sql) => {
        await sql`
          insert into payment (id, invoice_id, network_id, tx_hash, log_index, token, sender, amount,
            kind, status, block_number, block_hash, block_time)
          select gen_random_uuid(), o.invoice_id, ${NETWORK},
            '0x' || md5(o.session_id) || md5(o.invoice_id::text), 1, ${token}, ${PAYER},
            i.amount_expected, 'counted', 'pending', ${number}, ${hashOf(number)}, now()
          from checkout_session_invoice o join invoice i on i.id = o.invoice_id
          where o.session_id = any(${ids})`
        await sql`
          update invoice i set pending_amount = amount_expected, version = version + 1
          from checkout_session_invoice o
          where o.invoice_id = i.id and o.session_id = any(${ids})`
        await sql`select pg_notify(${SESSION_CHANNEL}, id) from unnest(${ids}::text[]) as id`
        return machineTime()
      })
    },
  }
}
