import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { encodeFunctionData } from 'viem'
import { offer } from '../../../chain/transactions/fees.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { batchGas, USUAL_GAS } from '../../../core/chain/gas.ts'
import { tokenNamed } from '../../../core/chain/registry.ts'
import { asHex } from '../../../dev/servers/rpc.ts'
import { TOKEN_ABI } from '../../../dev/stack/artifacts.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { newAddress, refundRig } from '../../support/invoice/refunds.ts'
import { openRelayer, settleAll, step } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { dueSweeps, expectSweptOnce, states } from '../../support/relayer/sweeps.ts'
import { transact } from '../../support/relayer/transactions.ts'
import { greedyToken } from '../../support/servers/bytecode.ts'
import { type HubChain, workerConfig } from '../../support/servers/chain.ts'

/** A token whose transfer costs 350,000 gas and more has an exit, by the default configuration. */

const DEAR = 350_000
const IMPLEMENTATION = lowerCaseAddress('0x00000000000000000000000000000000000c0de1')

let rig: RelayerRig
let chain: HubChain

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 4 })
  chain = rig.chain
  const code = asHex(await chain.node.rpc('eth_getCode', [chain.usdc.address, 'latest']))
  await chain.node.rpc('anvil_setCode', [IMPLEMENTATION, code])
  const dear = greedyToken(IMPLEMENTATION, DEAR)
  await chain.node.rpc('anvil_setCode', [chain.usdc.address, dear])
}, 120_000)

afterAll(() => rig?.close())

test('its deposits are swept in batches that are smaller, each once, and no sweep fails', async () => {
  const database = await rig.ownDatabase()
  const collected = await chain.balance(chain.collector)
  const sweeps = await dueSweeps(database, chain, 20)
  await settleAll(database, chain, [openRelayer(database, chain, { key: rig.ownKey() })])
  await expectSweptOnce(database, chain, sweeps, collected)
  const failed = await database`select from settlement where status = 'failed' or round > 1`
  expect(failed).toHaveLength(0)
  const sent = await database<{ hash: `0x${string}`; gasLimit: bigint; itemCount: number }[]>`
    select mined_hash as hash, gas_limit, item_count from relayer_tx where kind = 'sweep'`
  expect(sent.length).toBeGreaterThan(1)
  for (const { hash, gasLimit, itemCount } of sent) {
    expect(gasLimit).toBeLessThanOrEqual(USUAL_GAS.largest)
    const { gasUsed } = await chain.client.getTransactionReceipt({ hash })
    expect(gasUsed).toBeGreaterThan(BigInt(2 * DEAR * itemCount))
  }
})

test('its refunds arrive', async () => {
  const ledger = await refundRig(await rig.ownDatabase(), chain, rig.ownKey())
  const invoice = await ledger.invoice()
  await ledger.pay(invoice, 4_000_000n)
  const address = newAddress()
  expect(await ledger.ask(invoice, '1.5', { address })).toMatchObject({ ok: true })
  await ledger.turn(4)
  expect(await chain.balance(address)).toBe(1_500_000n)
  expect(await ledger.refundOf(invoice)).toMatchObject({ status: 'confirmed', error: null })
})

describe('a key that can not pay for it', () => {
  test('goes on with other tokens, and sweeps it when it has the money', async () => {
    const database = await rig.ownDatabase()
    const key = rig.ownKey()
    const { chain: active } = workerConfig(chain.variables())
    const usdt = tokenNamed(active, 'USDT')
    const collected = await chain.balance(chain.collector)
    const [dear] = await dueSweeps(database, chain, 1, { pays: 'recipient' })
    const [cheap] = await dueSweeps(database, { ...chain, usdc: usdt }, 1, {
      pays: 'recipient',
      isFunded: false,
    })
    if (dear === undefined || cheap === undefined) throw new Error('nothing is due')
    const args = [cheap.deposit, cheap.amount] as const
    const mint = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args })
    await transact(chain, chain.ownerKey, usdt.address, mint)
    const { base, perItem } = batchGas(USUAL_GAS.sweep.item)
    const { baseFeePerGas } = await chain.client.getBlock()
    const { maxFeePerGas } = offer(
      baseFeePerGas ?? 0n,
      await chain.client.estimateMaxPriorityFeePerGas(),
    )
    const forOne = ((base + perItem) * maxFeePerGas * 11n) / 10n
    await chain.node.rpc('anvil_setBalance', [addressOf(key), `0x${forOne.toString(16)}`])
    const relayer = openRelayer(database, chain, { key, timing: { quarantineMs: 1 } })
    // What is put aside for a moment only is often looked at first again.
    for (let turn = 0; turn < 40; turn += 1) {
      await step(chain, relayer)
      if ((await states(database))['sweep settled'] === 1) break
    }
    expect(await states(database)).toMatchObject({ 'sweep settled': 1, 'sweep queued': 1 })
    const [waiting] = await database`select invoice_id as id from settlement where status = 'open'`
    expect(waiting?.id).toBe(dear.invoiceId)

    await chain.node.rpc('anvil_setBalance', [addressOf(key), '0xde0b6b3a7640000'])
    await settleAll(database, chain, [relayer])
    await expectSweptOnce(database, chain, [dear], collected)
  })
})
