import type postgres from 'postgres'
import type { SimulatedChain } from '../chain.ts'
import type { Truth } from './truth.ts'

/** What must hold of the places at which rows say that money moved: the chain has it there, and has nothing else. */

interface Place {
  readonly what: string
  readonly hash: string
  readonly block: number
  readonly blockHash: string
}

export async function judgePlaces(
  sql: postgres.Sql,
  truth: Truth,
  chain: SimulatedChain,
): Promise<string[]> {
  const places = await sql<Place[]>`
    select kind || ' ' || id as what, tx_hash::text as hash, block_number::float8 as block,
      block_hash::text as "blockHash"
    from (
      select 'payment' as kind, id, tx_hash, block_number, block_hash from payment where status = 'confirmed'
      union all select 'settlement', id, tx_hash, block_number, block_hash from settlement where status = 'confirmed'
      union all select 'refund', id, tx_hash, block_number, block_hash from refund where status = 'confirmed'
      union all select 'paid request', id, tx_hash, block_number, block_hash from x402_payment where status = 'settled'
      union all select 'signature', id, tx_hash, block_number, block_hash from invoice_authorization
        where status = 'settled'
      union all select 'payout', id, tx_hash, block_number, block_hash from x402_distribution
    ) moved order by 1`
  const misplaced = places.flatMap(({ what, hash, block, blockHash }) => {
    const is = truth.blocks.get(hash)
    if (is?.number === block && is.hash === blockHash) return []
    return [`${what} says it is in block ${block} by ${hash}, and that is in ${is?.number}`]
  })
  return [
    ...misplaced,
    ...(await judgeReverted(sql, truth)),
    ...(await judgeReserved(sql)),
    ...(await judgeRefused(sql, chain)),
  ]
}

interface Reverted {
  readonly id: string
  readonly hash: string
  readonly to: string
  readonly amount: string
}

/** A payment that is shown as gone is gone. */
async function judgeReverted(sql: postgres.Sql, truth: Truth): Promise<string[]> {
  const rows = await sql<Reverted[]>`
    select p.id::text, p.tx_hash::text as hash, i.deposit_address::text as to, p.amount::text
    from payment p join invoice i on i.id = p.invoice_id where p.status = 'reverted' order by 1`
  const isThere = ({ hash, to, amount }: Reverted) =>
    truth.transfers.some(
      (one) => one.hash === hash && one.to === to && one.amount === BigInt(amount),
    )
  return rows
    .filter(isThere)
    .map(({ id, hash }) => `payment ${id} is shown as gone, and ${hash} is on the chain`)
}

/** Nothing is kept for refunds once all have ended, and no more is given back than they brought back. */
async function judgeReserved(sql: postgres.Sql): Promise<string[]> {
  const rows = await sql<{ what: string; reserved: string; back: string }[]>`
    select 'payment ' || id as what, refunding::text as reserved, (amount - refunded)::text as back
    from payment where refunding <> 0 or refunded > amount
    union all select 'paid request ' || id, refunding::text, (amount - refunded)::text
    from x402_payment where refunding <> 0 or refunded > amount
    order by 1`
  return rows.map(({ what, reserved, back }) => {
    return `${what} has ${reserved} reserved for refunds that are over, and ${back} left`
  })
}

/** The hub refuses no sweep, unless a refund or a reorganisation has moved what lies in the deposit. */
async function judgeRefused(sql: postgres.Sql, { replaced }: SimulatedChain): Promise<string[]> {
  const rows = await sql<{ id: string; hashes: string[] }[]>`
    select s.id::text, array(
        select tx_hash::text from payment where invoice_id = s.invoice_id
        union all select tx_hash::text from settlement
          where invoice_id = s.invoice_id and tx_hash is not null) as hashes
    from settlement s
    where s.status = 'failed' and not exists (select from refund where invoice_id = s.invoice_id)
    order by 1`
  return rows
    .filter(({ hashes }) => !hashes.some((hash) => replaced.has(hash)))
    .map(({ id }) => `sweep ${id} was refused by the hub`)
}
