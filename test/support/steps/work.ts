import { paidInBlock } from '../../../chain/x402/authorizationUse.ts'
import { encodeAuthorization } from '../../../chain/x402/settlement.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import type { WorkKindName } from '../../../workers/relayer/kinds.ts'
import { refundRig } from '../invoice/refunds.ts'
import { dueDeposits } from '../relayer/deposits.ts'
import { claimSettles, dueSettles, newForwarder } from '../relayer/settles.ts'
import { dueSweeps } from '../relayer/sweeps.ts'
import { send } from '../relayer/transactions.ts'
import { storeItem } from '../store/relayer.ts'
import { authorizeEach } from '../x402/authorizations.ts'
import { newOtherSender } from '../x402/chain.ts'
import {
  bare,
  noNodeFault,
  ROWS_ONLY,
  type Scene,
  several,
  THINGS,
  type Thing,
  type World,
} from './scenes.ts'

/** Items of every kind of work that a relayer carries out. */

interface Item {
  readonly id: bigint
  readonly dedupeKey: string
}

/** The items of a kind about which this holds, which the seed of another scene may have queued, too. */
async function itemsOf({ database }: World, kind: WorkKindName, above: bigint): Promise<Item[]> {
  return database<Item[]>`
    select id, dedupe_key from work_item where kind = ${kind} and id > ${above} order by id`
}

async function lastItem({ database }: World): Promise<bigint> {
  const [row] = await database<{ id: bigint }[]>`select coalesce(max(id), 0) as id from work_item`
  return row?.id ?? 0n
}

/** A scene of work of a kind, whose items `queue` queues. Of each it says what calls to the node name it. */
function workScene(
  kind: WorkKindName,
  unreached: Scene['unreached'],
  queue: (world: World) => Promise<readonly (readonly string[])[]>,
): Scene {
  return {
    name: `an item of ${kind}`,
    unreached,
    async seed(world) {
      const above = await lastItem(world)
      const calls = await queue(world)
      const items = await itemsOf(world, kind, above)
      if (items.length !== THINGS) throw new Error(`${items.length} items of ${kind} were queued`)
      return items.map(({ id, dedupeKey }, i): Thing => {
        const rows = [`"dedupe_key": "${dedupeKey}"`]
        return { id: String(id), calls: calls[i] ?? [], rows, subject: `assign work item ${id}` }
      })
    },
    async ended({ database }) {
      const rows = await database<{ id: bigint }[]>`
        select id from work_item where kind = ${kind} and state = 'settled'`
      return rows.map(({ id }) => String(id))
    },
    async promised({ database }) {
      const rows = await database<{ id: bigint }[]>`
        select id from work_item where kind = ${kind} and state in ('queued', 'assigned')`
      return rows.map(({ id }) => String(id))
    },
  }
}

async function newMerchants({ chain, database }: World) {
  return several(() => newForwarder(database, chain))
}

const configure = workScene('configure', {}, async (world) => {
  const merchants = await newMerchants(world)
  return merchants.map(({ merchantId }) => [bare(merchantId)])
})

const deploy = workScene('deploy', ROWS_ONLY, async (world) => {
  await newMerchants(world)
  return []
})

const ONE_ESTIMATE = 'what a token costs to move is estimated once, for whatever holder answers'

const sweep = workScene('sweep', noNodeFault(ONE_ESTIMATE), async ({ chain, database }) => {
  await dueSweeps(database, chain, THINGS, { pays: 'recipient' })
  return []
})

const x402 = workScene('x402', ROWS_ONLY, async ({ chain, database }) => {
  await dueSettles(database, chain, await newForwarder(database, chain), THINGS)
  return []
})

const wallet = workScene('x402_wallet', ROWS_ONLY, async ({ chain, database }) => {
  await dueSettles(database, chain, await newForwarder(database, chain), THINGS, '0x12')
  return []
})

const channel = workScene('x402_channel', ROWS_ONLY, async ({ chain, database }) => {
  await dueDeposits(database, chain, await newForwarder(database, chain), THINGS)
  return []
})

/** Refunds of invoices that were paid on the chain. The key is no one's: what asks for refunds sends nothing. */
function refundOf(key: Hex): Scene {
  return workScene('refund', {}, async ({ chain, database }) => {
    const rig = await refundRig(database, chain, key)
    return several(async () => {
      const invoice = await rig.invoice()
      await rig.pay(invoice, 1_000_000n)
      const { ok } = await rig.ask(invoice, '1')
      if (!ok) throw new Error('the refund was refused')
      return [bare(invoice.depositAddress)]
    })
  })
}

/** Refunds of payments that another party has submitted, each to a merchant of its own. */
const x402Refund = workScene('x402_refund', {}, async (world) => {
  const { chain, database } = world
  const merchants = await newMerchants(world)
  for (const merchant of merchants) {
    const [signed] = await authorizeEach(chain, merchant.forwarder, 1)
    if (signed === undefined) throw new Error('nothing was authorized')
    await claimSettles(database, chain, merchant, [signed])
    const stranger = await newOtherSender(chain)
    await send(chain, stranger, chain.usdc.address, encodeAuthorization(signed))
    await chain.mine()
    await askBack(world, signed.authorization.from)
  }
  // The payments have the chain's confirmations.
  await chain.mine(2)
  return merchants.map(({ forwarder }) => [bare(forwarder)])
})

/** Has a part of the payment in the newest block given back, as of one that is booked. */
async function askBack({ chain, database }: World, payer: Address): Promise<void> {
  const { number, hash } = await chain.client.getBlock()
  const [paid] = (await paidInBlock(chain.client, chain.usdc.address, payer, hash)) ?? []
  if (paid === undefined) throw new Error('the stranger was refused')
  await database`
    update x402_payment set status = 'settled', by_others = true, settled_at = now(),
      confirmed_at = now(), tx_hash = ${paid.txHash}, log_index = ${paid.logIndex},
      block_number = ${number}, block_hash = ${hash} where payer = ${payer}`
  await database`
    update work_item w set state = 'settled' from x402_payment p
    where p.payer = ${payer} and (w.payload->>'paymentId')::uuid = p.id`
  await database`
    select ask_for_x402_refund(${Bun.randomUUIDv7()}, merchant_id, id, id::text, '1000', payer)
    from x402_payment where payer = ${payer}`
}

/** Payouts of forwarders that are deployed and hold something. `prepared` are their merchants. */
function distributeOf(prepared: readonly { readonly merchantId: string }[]): Scene {
  return workScene('distribute', ROWS_ONLY, async ({ chain, database }) => {
    const { networkId, usdc } = chain
    for (const { merchantId } of prepared) {
      await storeItem(database, 'distribute', { merchantId, token: usdc.address }, { networkId })
    }
    return []
  })
}

/** What is to be assigned, of every kind. A kind that is not here does not compile. */
export function workScenes(
  key: Hex,
  prepared: readonly { readonly merchantId: string }[],
): Readonly<Record<WorkKindName, Scene>> {
  return {
    configure,
    sweep,
    deploy,
    distribute: distributeOf(prepared),
    x402,
    x402_wallet: wallet,
    x402_channel: channel,
    refund: refundOf(key),
    x402_refund: x402Refund,
  }
}
