import { encodeFunctionData } from 'viem'
import { readHead } from '../../../chain/blocks/blocks.ts'
import { HUB_ABI } from '../../../chain/hub/abi.ts'
import { hubEvents } from '../../../chain/hub/contract.ts'
import { operatorCall } from '../../../chain/hub/setup.ts'
import { encodeDistribute } from '../../../chain/x402/settlement.ts'
import { reconcile } from '../../../cli/books/reconcile.ts'
import type { Report } from '../../../cli/books/report.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { USUAL_GAS } from '../../../core/chain/gas.ts'
import { uuidToBytes16 } from '../../../core/chain/words.ts'
import { readArtifact, TOKEN_ABI } from '../../../dev/stack/artifacts.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { saveProjectedBlock } from '../../../store/chain/state.ts'
import type { Queryable } from '../../../store/database/database.ts'
import { tokenCall, transact } from '../relayer/transactions.ts'
import { workerConfig } from '../servers/chain.ts'
import { eventually } from '../servers/devStack.ts'
import { type Presented, present } from './cases.ts'
import { issuerDoes, newOtherSender, submitByOther } from './chain.ts'
import { PRICE, type Shop, type X402Stack } from './stack.ts'

/** x402 payments to several merchants, what others do to forwarders, and comparing it all. */

/** What the ledger and the chain of this stack differ by. The indexer is taken to be at the head. */
export async function compare(
  { chain, database }: X402Stack,
  sql: Queryable = database,
): Promise<Report> {
  const { config } = workerConfig(chain.variables())
  return reconcile({ database: sql, config, only: null, now: new Date() })
}

/** What a comparison finds after a change of the rows, which is taken back afterwards. */
export async function compareAfter(
  stack: X402Stack,
  change: (sql: Queryable) => Promise<unknown>,
): Promise<Report> {
  class Rollback extends Error {}
  const reports: Report[] = []
  await stack.database
    .begin(async (sql) => {
      await change(sql)
      reports.push(await compare(stack, sql))
      throw new Rollback()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Rollback)) throw error
    })
  const [report] = reports
  if (!report) throw new Error('nothing was compared')
  return report
}

export function kinds(report: Report): string[] {
  return report.differences.map((difference) => difference.kind).toSorted()
}

/**
 * Payments to two merchants in every way there is, with money that strangers send and payouts that another
 * operator and a treasury ask for, and a collector that the token refuses for a while. Then the chain
 * stands still. The answer is the merchant beside the stack's own; its payments of 250,000 units and less
 * have different amounts.
 */
export async function payEveryWay(stack: X402Stack): Promise<Shop> {
  const { merchant, chain } = stack
  const treasury = await newOtherSender(chain)
  const other = await stack.newMerchant(addressOf(treasury))
  // A forwarder may have a history before the ledger's first payment.
  await sendTo(stack, merchant.forwarder, 700n)
  await distributeByOther(stack, merchant)
  await payTo(stack, merchant, PRICE, PRICE + 1n, PRICE + 2n)

  const frontRun = await presentTo(stack, merchant, PRICE)
  await submitByOther(stack, frontRun)
  await stack.settle(frontRun.body)

  await untilConfigured(stack, other)
  await payTo(stack, other, 250_000n)
  await untilBooked(stack)
  await sendTo(stack, other.forwarder, 5_000n)
  await distributeByTreasury(stack, other, treasury)
  await untilBooked(stack)

  await issuerDoes(stack, tokenCall('blacklist', [chain.collector]))
  await payTo(stack, other, 30_000n)
  await untilBooked(stack)
  // So little that its fee is rounded to nothing, while an earlier one is still held.
  await payTo(stack, other, 100n)
  await untilBooked(stack)
  await issuerDoes(stack, tokenCall('unBlacklist', [chain.collector]))
  await payTo(stack, other, 20_000n)
  await untilBooked(stack)

  await issuerDoes(stack, tokenCall('blacklist', [chain.collector]))
  await payTo(stack, other, 40_000n)
  await sendTo(stack, merchant.forwarder, 42n)
  await payOutStrangeToken(stack, other)
  await untilBooked(stack)
  await stopChain(stack)
  return other
}

/** Payments to this merchant, of these amounts in base units, asked for all at once. */
async function payTo(stack: X402Stack, shop: Shop, ...values: bigint[]): Promise<void> {
  const bodies: unknown[] = []
  for (const value of values) bodies.push((await presentTo(stack, shop, value)).body)
  const answers = await Promise.all(bodies.map((body) => stack.settle(body)))
  const refused = answers.find(({ success }) => !success)
  if (refused) throw new Error(`a payment was refused: ${refused.error}`)
}

export function presentTo(stack: X402Stack, shop: Shop, value: bigint): Promise<Presented> {
  return present(stack, {
    terms: { to: shop.forwarder, value },
    requirements: { payTo: shop.forwarder, amount: value.toString() },
  })
}

/** Someone sends money to an address, for nothing. In base units. */
async function sendTo({ chain }: X402Stack, to: Address, amount: bigint): Promise<void> {
  const key = await newOtherSender(chain)
  await chain.mint([{ to: addressOf(key), amount }])
  const sent = await transact(chain, key, chain.usdc.address, tokenCall('transfer', [to, amount]))
  if (sent.status !== 'success') throw new Error('the token refused')
}

/** Waits until the merchant is in the hub's registry. */
export async function untilConfigured({ database }: X402Stack, shop: Shop): Promise<void> {
  await eventually(
    () => database`
      select id from work_item where kind = 'configure' and state = 'settled'
        and payload->>'merchantId' = ${shop.id}`,
    (rows) => rows.length > 0,
  )
}

/** Another party's operator has the hub pay a merchant's forwarder out, once that can be done. */
async function distributeByOther(stack: X402Stack, shop: Shop): Promise<void> {
  await untilConfigured(stack, shop)
  await payOut(stack, shop, await newOtherOperator(stack.chain))
}

/** The treasury pays itself, after it has announced that; on a local chain it need not wait. */
export async function distributeByTreasury(stack: X402Stack, shop: Shop, key: Hex): Promise<void> {
  const { chain } = stack
  const args = [uuidToBytes16(shop.id)] as const
  const announce = encodeFunctionData({ abi: HUB_ABI, functionName: 'announceDistribution', args })
  const { status } = await transact(chain, key, chain.hub, announce)
  if (status !== 'success') throw new Error('the hub refused the announcement')
  await payOut(stack, shop, key)
}

async function payOut({ chain }: X402Stack, shop: Shop, key: Hex): Promise<void> {
  const payee = [{ merchantId: shop.id, version: 1 }]
  const data = encodeDistribute(chain.usdc.address, payee, USUAL_GAS)
  const { logs } = await transact(chain, key, chain.hub, data)
  const events = hubEvents(chain.hub, logs).map(({ eventName }) => eventName)
  if (!events.includes('Distributed')) throw new Error('the hub refused')
}

/** The key of an operator that is no relayer of ours. */
async function newOtherOperator(chain: X402Stack['chain']): Promise<Hex> {
  const key = await newOtherSender(chain)
  await asOwner(chain, operatorCall(chain.hub, addressOf(key), true).data)
  return key
}

async function asOwner(chain: X402Stack['chain'], data: Hex): Promise<void> {
  const { status } = await transact(chain, chain.roles.owner, chain.hub, data)
  if (status !== 'success') throw new Error("the hub refused the owner's call")
}

/** A contract that the registry doesn't know, which the hub's owner has listed. */
export const STRANGE_TOKEN = lowerCaseAddress('0x00000000000000000000000000000000005712a9')

/** Someone gives a forwarder money of his own making, and has the hub pay it out. */
async function payOutStrangeToken({ chain }: X402Stack, shop: Shop): Promise<void> {
  const { deployedBytecode } = await readArtifact('TestUSDC')
  await chain.node.rpc('anvil_setCode', [STRANGE_TOKEN, deployedBytecode])
  const key = await newOtherOperator(chain)
  await asOwner(chain, listing(STRANGE_TOKEN))
  const initialize = encodeFunctionData({
    abi: TOKEN_ABI,
    functionName: 'initialize',
    args: ['Strange', 'STR', '1', addressOf(key)],
  })
  const mint = encodeFunctionData({
    abi: TOKEN_ABI,
    functionName: 'mint',
    args: [shop.forwarder, 1_000n],
  })
  const distribute = encodeDistribute(
    STRANGE_TOKEN,
    [{ merchantId: shop.id, version: 1 }],
    USUAL_GAS,
  )
  await transact(chain, key, STRANGE_TOKEN, initialize)
  await transact(chain, key, STRANGE_TOKEN, mint)
  await transact(chain, key, chain.hub, distribute)
}

function listing(token: Address): Hex {
  const args = [token, true, 6, 0n] as const
  return encodeFunctionData({ abi: HUB_ABI, functionName: 'setToken', args })
}

/** Waits until every payment is confirmed and, but for direct ones, paid out. */
export async function untilBooked({ database }: X402Stack): Promise<void> {
  await eventually(
    () => database<{ open: number }[]>`
      select (select count(*) from work_item where state in ('queued', 'assigned'))
        + (select count(*) from x402_payment where status = 'pending'
          or (status = 'settled' and (confirmed_at is null or not direct and distribution_id is null)))
        as open`,
    ([row]) => Number(row?.open) === 0,
  )
}

/** Payouts that no one waits for are booked when they are deep, many blocks at once: no more than these. */
const UNBOOKED_MAX = 1_000

/** Stops the chain, and waits until the ledger has seen all of it. */
export async function stopChain({ chain, database }: X402Stack): Promise<void> {
  await chain.node.rpc('evm_setIntervalMining', [0])
  await untilSeen({ chain, database })
}

export async function untilSeen({
  chain,
  database,
}: Pick<X402Stack, 'chain' | 'database'>): Promise<void> {
  const { number } = await readHead(chain.client)
  // A hundred at a time: a busy machine doesn't mine all of them within the time of one request.
  for (let i = 0; i < UNBOOKED_MAX; i += 100) await chain.node.rpc('anvil_mine', ['0x64'])
  await eventually(
    () => database<{ block: bigint | null }[]>`
      select distributions_block as block from chain_state where network_id = ${chain.networkId}`,
    ([row]) => (row?.block ?? 0n) >= number,
  )
  await saveProjectedBlock(database, chain.networkId, number + BigInt(UNBOOKED_MAX))
}
