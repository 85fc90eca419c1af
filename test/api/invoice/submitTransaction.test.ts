import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { encodeFunctionData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { tokenOn } from '../../../core/chain/registry.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { TOKEN_ABI } from '../../../dev/stack/artifacts.ts'
import { followChains, randomHash, read } from '../../support/api/ledger.ts'
import { type Answer, type ApiRig, openRig } from '../../support/api/rig.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'

let chain: HubChain
let rig: ApiRig

beforeAll(async () => {
  chain = await startHubChain({ relayers: 1 })
  rig = await openRig({
    variables: { HUB_ADDRESS: chain.hub, RPC_URL_BASE_SEPOLIA: chain.node.url },
  })
  await followChains(rig)
}, 120_000)
afterAll(async () => {
  await rig?.close()
  await chain?.node.stop()
})

function submit(id: string, body: Readonly<Record<string, unknown>>, key?: string) {
  const path = `/v1/invoices/${id}/transactions`
  return rig.call('POST', path, { body, ...(key === undefined ? {} : { key }) })
}

function found(answer: Answer): Record<string, unknown> {
  expect([answer.status, answer.json.error]).toEqual([200, undefined])
  return JSON.parse(answer.text).data
}

/** Mints a token of the registry, or any contract that behaves like one, to the invoice's deposit. */
async function mint(
  invoice: InvoiceJson,
  amount: bigint,
  token: 'USDC' | 'USDT' = 'USDC',
): Promise<string> {
  const to = tokenOn(activeChain(), token)?.address
  const holder = invoice.addresses[0]?.address
  if (!to || !holder) throw new Error('there is nothing to mint')
  const owner = privateKeyToAccount(chain.ownerKey)
  const raw = await owner.signTransaction({
    type: 'eip1559',
    chainId: chain.node.chainId,
    nonce: await chain.client.getTransactionCount({ address: owner.address, blockTag: 'pending' }),
    to,
    data: encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [holder, amount] }),
    gas: 150_000n,
    maxFeePerGas: 20_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  })
  return chain.client.request({ method: 'eth_sendRawTransaction', params: [raw] })
}

function activeChain() {
  const active = rig.config.chains.find(({ networkId }) => networkId === chain.networkId)
  if (!active) throw new Error('the chain is switched off')
  return active
}

describe('a transaction that is submitted', () => {
  test('is recorded when the ledger lacks it, and known afterwards', async () => {
    const invoice = await rig.create()
    const txHash = await mint(invoice, 4_000_000n)
    const body = { networkId: 'base-sepolia', txHash }
    expect(found(await submit(invoice.id, body))).toEqual({
      ...body,
      status: 'not_found',
      blockNumber: null,
      transfers: [],
    })
    await chain.mine()
    const first = found(await submit(invoice.id, body))
    const { transactions, pendingAmount } = await read(rig, invoice)
    expect(transactions).toMatchObject([{ txHash, amount: '4', status: 'pending' }])
    expect(pendingAmount).toBe('4')
    expect(first).toMatchObject({
      status: 'mined',
      transfers: [
        {
          outcome: 'recorded',
          transactionId: transactions[0]?.id,
          asset: 'USDC',
          amount: '4',
          baseUnits: '4000000',
        },
      ],
    })
    expect(rig.bells.at(-1)?.message).toEqual({ type: 'advance_invoice', invoiceId: invoice.id })
    const again = found(await submit(invoice.id, { ...body, networkId: 'eip155:84532' }))
    expect(again).toMatchObject({ transfers: [{ outcome: 'known' }] })
    expect((await read(rig, invoice)).transactions).toHaveLength(1)
  })

  test('in another token, or on a chain that is not listed, is recorded and not counted', async () => {
    const other = await rig.create({ tokenSymbol: 'USDT', chains: ['sepolia'] })
    const hashes = [await mint(other, 1n)]
    await chain.mine()
    const wrongToken = await rig.create({ chains: ['base-sepolia'] })
    hashes.push(await mint(wrongToken, 2n, 'USDT'))
    await chain.mine()
    await submit(other.id, { networkId: 'base-sepolia', txHash: hashes[0] })
    await submit(wrongToken.id, { networkId: 'base-sepolia', txHash: hashes[1] })
    for (const [invoice, asset] of [[other, 'USDC'] as const, [wrongToken, 'USDT'] as const]) {
      const now = await read(rig, invoice)
      expect(now.otherDeposits).toMatchObject([{ asset, chain: 'base-sepolia' }])
      expect(now).toMatchObject({ transactions: [], pendingAmount: null, status: 'pending' })
    }
  })

  test('to another party brings nothing', async () => {
    const [invoice, other] = [await rig.create(), await rig.create()]
    const txHash = await mint(other, 1n)
    await chain.mine()
    const answer = found(await submit(invoice.id, { networkId: 'base-sepolia', txHash }))
    expect(answer).toMatchObject({ status: 'mined', transfers: [] })
  })

  test('that no chain knows is not found', async () => {
    const { id } = await rig.create()
    const answer = await submit(id, { networkId: 'base-sepolia', txHash: randomHash() })
    expect(found(answer)).toMatchObject({ status: 'not_found', transfers: [] })
  })
})

describe('a hand-in is refused', () => {
  test.each([
    ['with a hash that is none', { txHash: '0x12' }, 'txHash'],
    ['with a number for a hash', { txHash: 12 }, 'txHash'],
    ['without a chain', { networkId: undefined }, 'networkId'],
    ['with an unknown field', { hash: randomHash() }, 'hash'],
  ])('%s', async (_, change, path) => {
    const { id } = await rig.create()
    const answer = await submit(id, { networkId: 'base-sepolia', txHash: randomHash(), ...change })
    expect([answer.status, answer.json.error]).toEqual([400, 'invalid request body'])
    expect(answer.json.details?.[0]?.path).toBe(path)
  })

  test('for a chain that is unknown or switched off', async () => {
    const { id } = await rig.create()
    for (const networkId of ['atlantis', 'polygon-amoy']) {
      const answer = await submit(id, { networkId, txHash: randomHash() })
      expect([answer.status, answer.json.error]).toEqual([400, 'unknown chain'])
    }
  })

  test("for another merchant's invoice", async () => {
    const { id } = await rig.create()
    const { secretKey } = await rig.newMerchant()
    const body = { networkId: 'base-sepolia', txHash: randomHash() }
    expect((await submit(id, body, secretKey)).json.error).toBe('invoice not found')
  })

  test('while the node is away', async () => {
    const { id } = await rig.create()
    const answer = await submit(id, { networkId: 'sepolia', txHash: randomHash() })
    expect([answer.status, answer.json.error]).toEqual([503, 'service unavailable'])
  })
})
