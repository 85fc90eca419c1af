import { waitUntil } from '../../dev/processes/child.ts'
import { asHex } from '../../dev/servers/rpc.ts'
import { storeClaims } from '../../store/x402/claims.ts'
import { member } from '../x402/json.ts'
import type { Payers } from '../x402/payers.ts'
import type { Posting } from '../x402/posting.ts'
import type { Fleet } from './fleet.ts'

/** How fast workers settle payments that wait for them, with no API process in between. */

const CLAIMS_PER_COMMIT = 200
const MOST_PER_PAYER = 1_000
const LOOK_EVERY_MS = 50
const DRAINED_WITHIN_MS = 120_000

/**
 * Claims payments while no key may send, then lets the keys send. Returns the number of settled payments per
 * second.
 * @throws Error if some are not settled within two minutes.
 */
export async function prepareDrain(
  fleet: Fleet,
  payers: Payers,
  count: number,
): Promise<() => Promise<number>> {
  const { chain, database, merchant } = fleet
  const postings = await payers.sign(chain, [merchant.requirements], count)
  await fleet.rest()
  await setKeys(fleet, 'draining')
  const balance = 1_000_000_000n
  const block = await chain.client.getBlockNumber()
  for (let from = 0; from < count; from += CLAIMS_PER_COMMIT) {
    const claims = postings.slice(from, from + CLAIMS_PER_COMMIT).map((posting) => ({
      ...claimOf(fleet, posting),
      ...{ balance, block },
    }))
    const results = await database.begin((sql) => storeClaims(sql, claims, MOST_PER_PAYER))
    const refused = results.find(({ type }) => type !== 'claimed')
    if (refused !== undefined) throw new Error(`a claim was answered by ${refused.type}`)
  }
  return async () => {
    const began = performance.now()
    await setKeys(fleet, 'active')
    const isDrained = await waitUntil(
      async () => (await pending(fleet)) === 0,
      DRAINED_WITHIN_MS,
      LOOK_EVERY_MS,
    )
    if (!isDrained) throw new Error(`${await pending(fleet)} payments still wait`)
    return (count * 1_000) / (performance.now() - began)
  }
}

function claimOf({ chain, merchant }: Fleet, { authorization, body }: Posting) {
  const parsed: unknown = JSON.parse(body)
  const signature = String(member(member(member(parsed, 'paymentPayload'), 'payload'), 'signature'))
  return {
    merchantId: merchant.id,
    endpointId: null,
    networkId: chain.networkId,
    asset: chain.usdc.address,
    authorization,
    signature: asHex(signature),
    isWallet: false,
    payerCode: null,
    usedNonces: [],
    isAlone: false,
  }
}

async function setKeys({ database, chain }: Fleet, status: 'active' | 'draining'): Promise<void> {
  await database`
    update relayer_key set status = ${status}
    where network_id = ${chain.networkId} and status in ('active', 'draining')`
}

async function pending({ database }: Fleet): Promise<number> {
  const [row] = await database<{ n: number }[]>`
    select count(*)::int as n from work_item where kind = 'x402' and state in ('queued', 'assigned')`
  return row?.n ?? 0
}
