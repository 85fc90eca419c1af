import { afterAll, beforeAll, expect, test } from 'bun:test'
import { generatePrivateKey } from 'viem/accounts'
import { encodeConfigure } from '../../../chain/hub/registry.ts'
import { encodeSweep } from '../../../chain/hub/sweeps.ts'
import { distributeFailures, distributionEvents } from '../../../chain/x402/distributions.ts'
import { encodeDeployForwarder, encodeDistribute } from '../../../chain/x402/settlement.ts'
import { asInvoiceId, asMerchantId, type MerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import { USUAL_GAS } from '../../../core/chain/gas.ts'
import { depositAddress, forwarderAddress } from '../../../core/hub/deposit.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { signMerchantConfig } from '../../support/hub/signatures.ts'
import { tokenCall, transact } from '../../support/relayer/transactions.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'

const FEE_BPS = 100

let chain: HubChain
let relayer: Hex
let token: Address

beforeAll(async () => {
  chain = await startHubChain()
  const [key] = chain.relayerKeys
  if (key === undefined) throw new Error('the chain has relayers')
  relayer = key
  token = chain.usdc.address
})

afterAll(() => chain.node.stop())

test('payouts are read in the order of the chain, with what each side received', async () => {
  const [first, second] = [await merchant(), await merchant()]
  await fund(first.merchantId, 100_000_001n)
  await fund(second.merchantId, 200_000_001n)
  const from = (await chain.client.getBlockNumber()) + 1n
  const both = await distribute(second, first)
  await fund(first.merchantId, 1_000_000n)
  const again = await distribute(first)
  const events = await distributionEvents(chain.client, [chain.hub], from, again.blockNumber)
  const common = { hub: chain.hub, token, feeHeld: baseUnits(0n) }
  const placeOf = (receipt: typeof both) => ({
    txHash: receipt.transactionHash,
    block: receipt.blockNumber,
    blockHash: receipt.blockHash,
  })
  expect(events.map(({ logIndex: _, ...event }) => event)).toEqual([
    {
      ...second,
      ...common,
      ...placeOf(both),
      remitted: baseUnits(198_000_000n),
      fee: baseUnits(2_000_000n),
    },
    {
      ...first,
      ...common,
      ...placeOf(both),
      remitted: baseUnits(99_000_000n),
      fee: baseUnits(1_000_000n),
    },
    {
      ...first,
      ...common,
      ...placeOf(again),
      remitted: baseUnits(990_000n),
      fee: baseUnits(10_000n),
    },
  ])
  const indexes = events.slice(0, 2).map(({ logIndex }) => logIndex)
  expect(indexes).toEqual(indexes.toSorted((a, b) => a - b))
  await chain.mine()
  const after = again.blockNumber + 1n
  expect(await distributionEvents(chain.client, [chain.hub], after, after)).toEqual([])
})

test('a fee that the token would not move is held, and collected with the next one', async () => {
  const one = await merchant()
  await fund(one.merchantId, 100_000_001n)
  await setCollector('blacklist')
  const held = await distribute(one)
  await setCollector('unBlacklist')
  await fund(one.merchantId, 50_000_000n)
  const collected = await distribute(one)
  const events = await distributionEvents(
    chain.client,
    [chain.hub],
    held.blockNumber,
    collected.blockNumber,
  )
  const amounts: bigint[][] = events.map(({ remitted, fee, feeHeld }) => [remitted, fee, feeHeld])
  expect(amounts).toEqual([
    [99_000_000n, 0n, 1_000_000n],
    [49_500_000n, 1_500_000n, 0n],
  ])
})

test("a deposit's fee that stays behind is not the forwarder's", async () => {
  const one = await merchant()
  const [invoiceId, feeCap] = [asInvoiceId(Bun.randomUUIDv7()), baseUnits(5_000n)]
  const recipient = addressOf(generatePrivateKey())
  const { merchantId } = one
  const terms = { merchantId, invoiceId, recipient, feeCap }
  await chain.mint([{ to: depositAddress(chain.hub, terms), amount: 1_000_000n }])
  await fund(merchantId, 100_000_001n)
  await setCollector('blacklist')
  const amount = baseUnits(1_000_000n)
  const sweep = encodeSweep(
    [{ ...terms, token, amount, fee: feeCap, version: 0, leave: 0n, deploys: true }],
    USUAL_GAS,
  )
  const swept = await transact(chain, relayer, chain.hub, sweep)
  await setCollector('unBlacklist')
  const paid = await distribute(one)
  expect(swept.status).toBe('success')
  const events = await distributionEvents(
    chain.client,
    [chain.hub],
    swept.blockNumber,
    paid.blockNumber,
  )
  const fees: bigint[][] = events.map(({ fee, feeHeld }) => [fee, feeHeld])
  expect(fees).toEqual([[1_000_000n, 0n]])
})

test('a refused payout tells whose it is and why', async () => {
  const [good, stale, empty] = [await merchant(), await merchant(), await merchant()]
  await fund(good.merchantId, 10_000_001n)
  await fund(stale.merchantId, 10_000_001n)
  const unknown = asMerchantId(Bun.randomUUIDv7())
  const call = encodeDistribute(
    token,
    [
      { merchantId: stale.merchantId, version: 2 },
      { merchantId: good.merchantId, version: 1 },
      { merchantId: empty.merchantId, version: 1 },
      { merchantId: unknown, version: 1 },
    ],
    USUAL_GAS,
  )
  const { logs } = await transact(chain, relayer, chain.hub, call)
  expect(distributeFailures(chain.hub, logs)).toEqual([
    { merchantId: stale.merchantId, token, reason: 'RegistryVersionMismatch(2, 1)', wait: null },
    { merchantId: empty.merchantId, token, reason: 'NothingToDistribute(0)', wait: null },
    {
      merchantId: unknown,
      token,
      reason: `MerchantNotConfigured(0x${unknown.replaceAll('-', '')})`,
      wait: null,
    },
  ])
  expect(distributeFailures(token, logs)).toEqual([])
})

test('a forwarder is created where it was said to be, and once', async () => {
  const merchantId = asMerchantId(Bun.randomUUIDv7())
  const address = forwarderAddress(chain.hub, merchantId)
  expect(await chain.client.getCode({ address })).toBeUndefined()
  for (let i = 0; i < 2; i += 1) {
    const data = encodeDeployForwarder(merchantId)
    expect((await transact(chain, relayer, chain.hub, data)).status).toBe('success')
    expect(await chain.client.getCode({ address })).toBeDefined()
  }
})

interface Merchant {
  readonly merchantId: MerchantId
  readonly treasury: Address
}

/** A merchant with a registry entry of version 1 that charges one percent. */
async function merchant(): Promise<Merchant> {
  const one = {
    merchantId: asMerchantId(Bun.randomUUIDv7()),
    treasury: addressOf(generatePrivateKey()),
  }
  const entry = { ...one, feeBps: FEE_BPS, feeCap: baseUnits(1_000_000_000n), version: 1 }
  const signature = await signMerchantConfig(chain.roles.configSigner, chain.hub, entry)
  const data = encodeConfigure([{ config: entry, signature }])
  await transact(chain, relayer, chain.hub, data)
  return one
}

async function fund(merchantId: MerchantId, amount: bigint): Promise<void> {
  await chain.mint([{ to: forwarderAddress(chain.hub, merchantId), amount }])
}

function distribute(...merchants: readonly Merchant[]) {
  const calls = merchants.map(({ merchantId }) => ({ merchantId, version: 1 }))
  return transact(chain, relayer, chain.hub, encodeDistribute(token, calls, USUAL_GAS))
}

async function setCollector(functionName: 'blacklist' | 'unBlacklist'): Promise<void> {
  await transact(chain, chain.ownerKey, token, tokenCall(functionName, [chain.collector]))
}
