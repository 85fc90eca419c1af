import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { encodeFunctionData, erc20Abi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Address, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { tokenOn } from '../../../core/chain/registry.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import type { RefundJson } from '../../../core/invoice/refundJson.ts'
import { TOKEN_ABI } from '../../../dev/stack/artifacts.ts'
import {
  confirm,
  followChains,
  PAYER,
  pay,
  randomHash,
  read,
  settle,
} from '../../support/api/ledger.ts'
import { type Answer, type ApiRig, openRig } from '../../support/api/rig.ts'
import { newAddress } from '../../support/invoice/refunds.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'
import { flooder, receivers } from '../../support/servers/hostileCode.ts'

/** POST /v1/invoices/:id/refunds/external: what the chain must show before anything is recorded. */

const FLOODER = lowerCaseAddress(`0x${'f1'.repeat(20)}`)

let chain: HubChain
let rig: ApiRig
beforeAll(async () => {
  chain = await startHubChain({ relayers: 1 })
  rig = await openRig({
    variables: {
      HUB_ADDRESS: chain.hub,
      RPC_URL_BASE_SEPOLIA: chain.node.url,
      RPC_MAX_RESPONSE_BYTES_BASE_SEPOLIA: '500000',
    },
  })
  await followChains(rig)
}, 120_000)
afterAll(async () => {
  await rig?.close()
  await chain?.node.stop()
})

interface Call {
  readonly token?: 'USDC' | 'USDT'
  readonly isTransfer?: boolean
}

/** Sends tokens from no one, as a mint, or as a transfer that the sender can't pay. */
async function send(to: Address, amount: bigint, call: Call = {}): Promise<string> {
  const { token = 'USDC', isTransfer = false } = call
  const active = rig.config.chains.find(({ networkId }) => networkId === chain.networkId)
  const contract = active && tokenOn(active, token)?.address
  if (!contract) throw new Error('there is nothing to send')
  const owner = privateKeyToAccount(chain.ownerKey)
  const raw = await owner.signTransaction({
    type: 'eip1559',
    chainId: chain.node.chainId,
    nonce: await chain.client.getTransactionCount({ address: owner.address, blockTag: 'pending' }),
    to: contract,
    data: isTransfer
      ? encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
      : encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [to, amount] }),
    gas: 150_000n,
    maxFeePerGas: 20_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  })
  return chain.client.request({ method: 'eth_sendRawTransaction', params: [raw] })
}

async function sent(to: Address, amount: bigint, call: Call = {}): Promise<string> {
  const hash = await send(to, amount, call)
  await chain.mine()
  return hash
}

/** A contract transfers one base unit to an address, and logs 1 MB of a receipt besides. */
async function flood(to: Address): Promise<string> {
  const { rpc } = chain.node
  await rpc('anvil_setCode', [FLOODER, flooder(chain.usdc.address, 2_500)])
  await chain.mint([{ to: FLOODER, amount: 1n }])
  const [from]: unknown[] = Object(await rpc('eth_accounts', []))
  const call = { from, to: FLOODER, data: receivers([to]), gas: '0x1000000' }
  const hash = await rpc('eth_sendTransaction', [call])
  await chain.mine()
  return String(hash)
}

/** An invoice of 10 USDC for which 12.5 came and were settled. */
async function overpaid(change: Parameters<typeof pay>[3] = {}): Promise<InvoiceJson> {
  const invoice = await rig.create()
  await pay(rig, invoice, 12_500_000n, { blockTime: new Date(0), ...change })
  await confirm(rig, invoice)
  await settle(rig, invoice)
  return read(rig, invoice)
}

function record(id: string, body: Readonly<Record<string, unknown>>, key?: string) {
  const full = { networkId: 'base-sepolia', amount: '2.5', ...body }
  const path = `/v1/invoices/${id}/refunds/external`
  return rig.call('POST', path, { body: full, ...(key === undefined ? {} : { key }) })
}

function refundIn(answer: Answer): RefundJson {
  expect([answer.status, answer.json.details]).toEqual([answer.status, undefined])
  return JSON.parse(answer.text).data
}

function refusal({ status, json }: Answer): unknown[] {
  return [status, json.error, json.details?.[0]?.path, json.details?.[0]?.message]
}

describe('a refund out of the treasury', () => {
  test('is recorded, counts for nothing yet, and is told', async () => {
    const invoice = await overpaid()
    expect(invoice.settledOverpayment).toMatchObject({ amount: '2.5' })
    const txHash = await sent(PAYER, 2_500_000n)
    const answer = await record(invoice.id, { txHash })
    expect(answer.status).toBe(201)
    const refund = refundIn(answer)
    expect(refund).toMatchObject({
      ...{ external: true, type: 'refund', status: 'mined', amount: '2.5', txHash },
      ...{ idempotencyKey: `${txHash}:${refund.id}`, confirmedAt: null, transactionId: null },
    })
    const now = await read(rig, invoice)
    expect(now).toMatchObject({ refundedAmount: '0', status: 'completed', refunds: [refund] })
    expect(now.settledOverpayment).toMatchObject({ amount: '2.5' })
    const events = await rig.database`
      select type, version, data from outbox where object_id = ${refund.id}`
    expect(events).toMatchObject([{ type: 'refund.created', data: { external: true } }])
  })

  test('is recorded once, however often it is asked for', async () => {
    const invoice = await overpaid()
    const body = { txHash: await sent(PAYER, 2_500_000n) }
    const answers = await Promise.all([1, 2, 3].map(() => record(invoice.id, body)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201])
    expect(new Set(answers.map((answer) => refundIn(answer).id)).size).toBe(1)
    const list = await rig.call('GET', `/v1/invoices/${invoice.id}/refunds`)
    expect(JSON.parse(list.text).data).toHaveLength(1)
  })

  test('is found beside more logs than a response may hold', async () => {
    const invoice = await overpaid()
    const amount = '0.000001'
    const answer = await record(invoice.id, { txHash: await flood(PAYER), amount })
    expect(refundIn(answer)).toMatchObject({ status: 'mined', amount })
    const other = await record(invoice.id, { txHash: await flood(newAddress()), amount })
    expect(refusal(other)).toEqual([
      ...[409, 'transfer not shown', 'txHash'],
      expect.stringContaining('as far as its block shows'),
    ])
  })

  test('may go where the payer wants it', async () => {
    const invoice = await overpaid()
    const wanted = newAddress()
    const body = { txHash: await sent(wanted, 2_500_000n) }
    expect((await record(invoice.id, body)).status).toBe(409)
    await rig.database`
      update invoice set payer_refund_address = ${wanted} where id = ${invoice.id}`
    expect((await record(invoice.id, body)).status).toBe(201)
  })
})

describe('nothing is recorded', () => {
  test.each<[string, (to: Address) => Promise<string>, string, string]>([
    [
      'another token',
      (to) => sent(to, 2_500_000n, { token: 'USDT' }),
      'txHash',
      'transfers no USDC',
    ],
    ['another amount', (to) => sent(to, 2_400_000n), 'amount', 'transfers: 2.4'],
    ['a transfer to a stranger', () => sent(newAddress(), 2_500_000n), 'txHash', 'that paid'],
    ['a hash that is not mined', (to) => send(to, 2_500_000n), 'txHash', 'is not mined'],
    ['a hash of another chain', async () => randomHash(), 'txHash', 'is not mined'],
    [
      'a transaction that reverted',
      (to) => sent(to, 2_500_000n, { isTransfer: true }),
      'txHash',
      'reverted on base-sepolia',
    ],
  ])('of %s', async (_name, make, path, message) => {
    const invoice = await overpaid()
    const answer = await record(invoice.id, { txHash: await make(PAYER) })
    await chain.mine()
    expect(refusal(answer)).toEqual([
      ...[409, 'transfer not shown', path],
      expect.stringContaining(message),
    ])
    expect((await read(rig, invoice)).refunds).toEqual([])
  })

  test('of a chain that the invoice does not list, or of no hash', async () => {
    const { id } = await overpaid()
    const txHash = randomHash()
    const wrong = await record(id, { txHash, networkId: 'polygon' })
    expect(refusal(wrong).slice(0, 3)).toEqual([400, 'unknown chain', 'networkId'])
    const none = await record(id, { txHash: '0x12' })
    expect(refusal(none).slice(0, 3)).toEqual([400, 'invalid request body', 'txHash'])
  })

  test('while no node of the chain answers', async () => {
    const { id } = await overpaid()
    const answer = await record(id, { txHash: randomHash(), networkId: 'sepolia' })
    expect([answer.status, answer.json.error]).toEqual([503, 'service unavailable'])
  })

  test('twice: for another invoice, or by another merchant', async () => {
    const [first, second] = [await overpaid(), await overpaid()]
    const txHash = await sent(PAYER, 2_500_000n)
    expect((await record(first.id, { txHash })).status).toBe(201)
    const taken = [409, 'transfer already recorded', 'txHash']
    expect(refusal(await record(second.id, { txHash })).slice(0, 3)).toEqual(taken)
    const { secretKey: key } = await rig.newMerchant()
    expect((await record(first.id, { txHash }, key)).status).toBe(404)
    const body = { tokenSymbol: 'USDC', amountExpected: '10' }
    const own = (await rig.call('POST', '/v1/invoices', { key, body })).json.data
    await pay(rig, own, 12_500_000n, { blockTime: new Date(0) })
    await confirm(rig, own)
    await settle(rig, own)
    expect(refusal(await record(own.id, { txHash }, key)).slice(0, 3)).toEqual(taken)
  })

  test('of more than was settled and not given back', async () => {
    const invoice = await overpaid()
    const all = await sent(PAYER, 12_500_000n)
    const more = await sent(PAYER, 1n)
    expect((await record(invoice.id, { txHash: all, amount: '12.5' })).status).toBe(201)
    expect(refusal(await record(invoice.id, { txHash: more, amount: '0.000001' }))).toEqual([
      ...[409, 'refund not possible', 'amount'],
      'must be at most 0: no more was settled and not refunded',
    ])
  })

  test('before anything was settled', async () => {
    const invoice = await rig.create()
    await pay(rig, invoice, 12_500_000n, { blockTime: new Date(0) })
    await confirm(rig, invoice)
    const answer = await record(invoice.id, { txHash: await sent(PAYER, 2_500_000n) })
    expect(refusal(answer).slice(0, 3)).toEqual([409, 'refund not possible', 'amount'])
  })

  test('of a transfer from before the payment', async () => {
    const txHash = await sent(PAYER, 2_500_000n)
    const invoice = await overpaid({ blockTime: new Date(Date.now() + 3_600_000) })
    expect(refusal(await record(invoice.id, { txHash }))[3]).toContain('older than')
  })

  test('of what one of our own addresses has received', async () => {
    const other = await rig.create()
    const [{ depositAddress } = { depositAddress: PAYER }] = await rig.database<
      { depositAddress: Address }[]
    >`select deposit_address from invoice where id = ${other.id}`
    const invoice = await overpaid({ sender: depositAddress })
    const answer = await record(invoice.id, { txHash: await sent(depositAddress, 2_500_000n) })
    expect(refusal(answer)[3]).toContain('by this service')
  })
})
