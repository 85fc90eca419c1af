import { afterAll, beforeAll, expect, test } from 'bun:test'
import { encodeFunctionData, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Address } from '../../core/evm.ts'
import type { Database } from '../../store/database.ts'
import { setRecipient } from '../../store/merchants.ts'
import { advanceDueInvoices } from '../../workers/ledger/expiry.ts'
import { type HubChain, startHubChain } from '../support/chain.ts'
import { newAddress, type RefundRig, refundRig } from '../support/refunds.ts'
import { freshDatabase } from '../support/relayers.ts'

let chain: HubChain
let database: Database
let rig: RefundRig

beforeAll(async () => {
  chain = await startHubChain({ relayers: 1 })
  database = await freshDatabase()
  const [key] = chain.relayerKeys
  if (!key) throw new Error('the chain has no relayer key')
  rig = await refundRig(database, chain, key)
}, 60_000)

afterAll(async () => {
  await database?.end()
  await chain?.node.stop()
})

async function blacklist(account: Address): Promise<void> {
  const owner = privateKeyToAccount(chain.ownerKey)
  const raw = await owner.signTransaction({
    type: 'eip1559',
    chainId: chain.node.chainId,
    nonce: await chain.client.getTransactionCount({ address: owner.address, blockTag: 'pending' }),
    to: chain.usdc.address,
    data: encodeFunctionData({
      abi: parseAbi(['function blacklist(address account)']),
      args: [account],
    }),
    gas: 100_000n,
    maxFeePerGas: 20_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  })
  await chain.client.request({ method: 'eth_sendRawTransaction', params: [raw] })
  await chain.mine()
}

async function receive(address: Address): Promise<void> {
  const { config } = rig.projection
  const change = await setRecipient(database, config, rig.merchantId, address)
  if (!change.ok) throw new Error(change.message)
  await advanceDueInvoices(rig.projection, new Date())
}

/** Rounds of a sweep wait for each other; here they need not. */
async function turnAtOnce(times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    await database`update work_item set not_before = now() where state = 'queued'`
    await rig.turn()
  }
}

test('a recipient that the token blocks leaves the invoice paid with the reason, and another one settles it', async () => {
  const [blocked, treasury] = [newAddress(), newAddress()]
  await blacklist(blocked)
  await receive(blocked)
  const invoice = await rig.invoice()
  await rig.pay(invoice, 10_000_000n)
  await turnAtOnce(12)
  expect((await rig.read(invoice)).invoice).toMatchObject({
    status: 'paid',
    settlementState: 'failed',
    settlementError: 'Blacklistable: account is blacklisted',
  })
  const told = (await rig.events(invoice.id)).map(({ type }) => type)
  expect(told).toContain('settlement.failed')
  expect(await chain.balance(invoice.depositAddress)).toBe(10_000_000n)

  await receive(treasury)
  await turnAtOnce(8)
  expect((await rig.read(invoice)).invoice).toMatchObject({
    status: 'completed',
    settlementState: 'none',
    settlementError: null,
  })
  expect(await chain.balance(treasury)).toBe(9_950_000n)
})

test('a collector that the token blocks never holds up the merchant', async () => {
  const treasury = newAddress()
  await receive(treasury)
  await blacklist(chain.collector)
  const invoice = await rig.invoice()
  await rig.pay(invoice, 10_000_000n)
  await turnAtOnce(8)
  const { invoice: now, settlements } = await rig.read(invoice)
  expect(now).toMatchObject({ status: 'completed', amountRemitted: 9_950_000n })
  expect(settlements).toMatchObject([{ fee: 50_000n, feeOwed: 50_000n }])
  expect(await chain.balance(treasury)).toBe(9_950_000n)
  expect(await chain.balance(invoice.depositAddress)).toBe(50_000n)
  // What is owed to the collector is nobody's to refund.
  expect(await rig.ask(invoice, '0.05')).toMatchObject({ code: 'refund_not_possible' })
})

test('money on a chain that the invoice does not list is found, and goes back', async () => {
  const invoice = await rig.invoice({ chains: ['sepolia'] })
  await rig.pay(invoice, 3_000_000n)
  const [payment] = (await rig.read(invoice)).payments
  expect(payment).toMatchObject({ kind: 'foreign', status: 'confirmed' })
  const address = newAddress()
  const paymentId = payment?.id ?? ''
  expect(await rig.ask(invoice, '3', { address, paymentId })).toMatchObject({ ok: true })
  await rig.turn(4)
  expect(await chain.balance(address)).toBe(3_000_000n)
  expect((await rig.read(invoice)).invoice).toMatchObject({ status: 'pending', refundedAmount: 0n })
})
