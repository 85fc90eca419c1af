import { CONFIRMATIONS, SETTLEMENT_CONFIRMATIONS } from '../variables.ts'
import type { World } from '../world.ts'

/** What must hold of the moments at which money counts: its block was as deep as the operator wants. */

interface Moment {
  readonly what: string
  readonly block: number
  readonly at: number
}

export async function judgeDepths(world: World): Promise<string[]> {
  const sql = world.database.admin
  const confirmed = await sql<Moment[]>`
    select kind || ' ' || id as what, block_number::float8 as block, 1000 * extract(epoch from at)::float8 as at
    from sim.confirmed order by at, what`
  // What is swept first was deep by then.
  const swept = await sql<Moment[]>`
    select 'the sweep of invoice ' || s.invoice_id as what, min(p.block_number)::float8 as block,
      1000 * extract(epoch from s.created_at)::float8 as at
    from settlement s join payment p on p.invoice_id = s.invoice_id and p.status = 'confirmed'
    where s.round = (select min(round) from settlement f where f.invoice_id = s.invoice_id)
    group by s.id, s.invoice_id, s.created_at order by at, what`
  world.counts.confirmed = confirmed.length
  return [
    ...confirmed.flatMap((moment) => judgeMoment(world, moment, CONFIRMATIONS)),
    ...swept.flatMap((moment) => judgeMoment(world, moment, SETTLEMENT_CONFIRMATIONS)),
  ]
}

/** How many confirmations a block had at a moment, in ms since 1970. */
export function depthAt({ heads }: World, block: number, at: number): number {
  return (heads.findLast((one) => one.at <= at)?.number ?? 0) - block + 1
}

function judgeMoment(world: World, { what, block, at }: Moment, least: number): string[] {
  const depth = depthAt(world, block, at)
  return depth < least ? [`${what} counted with ${depth} confirmations instead of ${least}`] : []
}
