import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { encodeFunctionData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { tokenOn } from '../../../core/chain/registry.ts'
import type { CheckoutView, HashLookup } from '../../../core/checkout/view.ts'
import { TOKEN_ABI } from '../../../dev/stack/artifacts.ts'
import { setRefundsAny } from '../../../store/access/merchants.ts'
import { expectDetail, expectError } from '../../support/api/answers.ts'
import { choose, dataOf, newSession, sessionIn, viewOf } from '../../support/api/checkoutCalls.ts'
import { followSession } from '../../support/api/checkoutEvents.ts'
import { confirm, followChains, PAYER, pay, randomHash, read } from '../../support/api/ledger.ts'
import { type ApiRig, OTHER_TREASURY, openRig } from '../../support/api/rig.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'

/** What payers tell of their payment: which transaction it was, and where money should go back. */

let chain: HubChain
let rig: ApiRig

beforeAll(async () => {
  chain = await startHubChain({ relayers: 1 })
  rig = await openRig({
    variables: {
      HUB_ADDRESS: chain.hub,
      RPC_URL_BASE_SEPOLIA: chain.node.url,
      RPC_URL_SEPOLIA: '',
      REQUEST_BUDGET: '5000',
    },
  })
  await followChains(rig)
}, 120_000)
afterAll(async () => {
  await rig?.close()
  await chain?.node.stop()
})

let address = 0

async function paste(id: string, hash: string): Promise<HashLookup> {
  // Each from an address of its own: the budget has a test below.
  address += 1
  rig.setPeer(`198.51.100.${address}`)
  const path = `/v1/checkout/sessions/${id}/transactions`
  const answer = await rig.call('POST', path, { key: null, body: { hash } })
  if (answer.status !== 200) throw new Error(`the lookup answered ${answer.text}`)
  return dataOf(answer)
}

/** Sends tokens to an address; mined unless told otherwise. */
async function send(to: string | undefined, token: 'USDC' | 'USDT' = 'USDC', isMined = true) {
  const active = rig.config.chains.find(({ networkId }) => networkId === chain.networkId)
  const contract = active && tokenOn(active, token)?.address
  if (!contract || !to?.startsWith('0x')) throw new Error('there is nothing to send')
  const holder = `0x${to.slice(2)}` as const
  const owner = privateKeyToAccount(chain.ownerKey)
  const raw = await owner.signTransaction({
    type: 'eip1559',
    chainId: chain.node.chainId,
    nonce: await chain.client.getTransactionCount({ address: owner.address, blockTag: 'pending' }),
    to: contract,
    data: encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [holder, 1_000_000n] }),
    gas: 150_000n,
    maxFeePerGas: 20_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  })
  const hash = await chain.client.request({ method: 'eth_sendRawTransaction', params: [raw] })
  if (isMined) await chain.mine()
  return hash
}

function depositOf(view: CheckoutView): string | undefined {
  return view.payment?.addresses[0]?.address
}

describe('a pasted hash', () => {
  test('of a payment to this session is recorded, and shown', async () => {
    const { id } = await newSession(rig)
    const view = await choose(rig, id)
    const hash = await send(depositOf(view))
    const lookup = await paste(
      id,
      `https://sepolia.basescan.org/tx/${hash.toUpperCase().replace('0X', '0x')}`,
    )
    expect(lookup).toMatchObject({ hash, verdict: 'payment', networkName: 'Base Sepolia' })
    const shown = await viewOf(rig, id)
    expect(shown).toMatchObject({
      state: 'seen',
      lookups: [lookup],
      payment: { pending: '1', transfers: [{ hash, kind: 'counted' }] },
    })
    // Known by now, without another look at the chain.
    expect((await paste(id, hash)).verdict).toBe('payment')
    expect((await viewOf(rig, id)).lookups).toHaveLength(1)
  })

  test('of another token, of another party, in no block, or of nothing says so', async () => {
    const { id } = await newSession(rig)
    const view = await choose(rig, id)
    const other = await choose(rig, (await newSession(rig)).id)
    const wrongToken = await send(depositOf(view), 'USDT')
    const elsewhere = await send(depositOf(other))
    expect((await paste(id, wrongToken)).verdict).toBe('other_token')
    expect((await viewOf(rig, id)).payment?.transfers).toMatchObject([{ kind: 'other' }])
    expect((await paste(id, elsewhere)).verdict).toBe('elsewhere')
    expect((await paste(id, randomHash())).verdict).toBe('unknown')
    const waiting = await send(depositOf(view), 'USDC', false)
    expect((await paste(id, waiting)).verdict).toBe('not_mined')
    await chain.mine()
    expect((await paste(id, waiting)).verdict).toBe('payment')
    expect((await viewOf(rig, id)).lookups.map(({ verdict }) => verdict)).toEqual([
      'payment',
      'unknown',
      'elsewhere',
      'other_token',
    ])
  })

  test('has to be one, and costs of the budget of its address', async () => {
    const { id } = await newSession(rig)
    const path = `/v1/checkout/sessions/${id}/transactions`
    const none = await rig.call('POST', path, { key: null, body: { hash: 'my payment' } })
    expectDetail(none, 'invalid request body', 'hash')
    rig.setPeer('198.51.100.250')
    // All at once: what was spent comes back with time.
    const ask = () => rig.call('POST', path, { key: null, body: { hash: randomHash() } })
    const answers = await Promise.all(Array.from({ length: 80 }, ask))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(40)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    rig.setPeer('203.0.113.7')
    await ask()
    // Of all these the newest are kept.
    const [kept] = await rig.database<{ n: number }[]>`
      select count(*)::integer as n from hash_lookup where session_id = ${id}`
    expect(kept?.n).toBe(20)
  })
})

describe('money that goes back', () => {
  test('is no longer said to be late or received, and watching pages are notified at once', async () => {
    await setRefundsAny(rig.database, rig.merchant.merchant.id, true)
    const invoice = await rig.create()
    const id = sessionIn(JSON.parse(JSON.stringify(invoice)).checkoutUrl)
    await pay(rig, invoice, 4_000_000n)
    await rig.call('POST', `/v1/invoices/${invoice.id}/expire`)
    const blockTime = new Date(Date.now() + 60_000)
    await pay(rig, invoice, 3_000_000n, { blockTime })
    await confirm(rig, invoice)
    const page = await followSession(rig, id)
    expect((await page.next()).payment).toMatchObject({ received: '4', late: '3', due: '6' })
    const { transactions } = await read(rig, invoice)
    for (const { id: transactionId, amount } of transactions) {
      const idempotencyKey = `back-${transactionId}`
      const body = { amount, address: PAYER, transactionId, idempotencyKey }
      const asked = await rig.call('POST', `/v1/invoices/${invoice.id}/refunds`, { body })
      expect(asked.status).toBe(201)
      await page.next()
    }
    expect((await viewOf(rig, id)).payment).toMatchObject({
      received: '0',
      late: '0',
      due: '10',
      transfers: [
        { kind: 'counted', amount: '4', returning: '4', returned: '0' },
        { kind: 'late', amount: '3', returning: '3', returned: '0' },
      ],
    })
    await page.stop()
    await setRefundsAny(rig.database, rig.merchant.merchant.id, false)
  })
})

describe('a refund address', () => {
  const leave = (id: string, sent: string) =>
    rig.call('POST', `/v1/checkout/sessions/${id}/refund-address`, {
      key: null,
      body: { address: sent },
    })

  test('is shown to payer and merchant, and stays once something has come', async () => {
    const invoice = await rig.create()
    const id = sessionIn(JSON.parse(JSON.stringify(invoice)).checkoutUrl)
    expect((await leave(id, PAYER)).status).toBe(200)
    expect(dataOf<CheckoutView>(await leave(id, OTHER_TREASURY)).refundAddress).toBe(
      OTHER_TREASURY as `0x${string}` & CheckoutView['refundAddress'],
    )
    expect(await read(rig, invoice)).toMatchObject({ payerRefundAddress: OTHER_TREASURY })
    await pay(rig, invoice, 1_000_000n)
    expectError(await leave(id, PAYER), 409, 'refund address kept')
    expect((await leave(id, OTHER_TREASURY)).status).toBe(200)
  })

  test('goes on to the invoice of another choice', async () => {
    const { id } = await newSession(rig)
    await leave(id, PAYER)
    const { payment } = await choose(rig, id)
    const list = await rig.call('GET', `/v1/invoices?reference=${payment?.reference}`)
    const [invoice] = list.list.data
    expect(invoice?.payerRefundAddress?.toLowerCase()).toBe(PAYER)
  })

  test('is one to which money can be sent', async () => {
    const { id } = await newSession(rig)
    const own = depositOf(await choose(rig, id)) ?? ''
    for (const wrong of ['0x12', '0x0000000000000000000000000000000000000000', chain.hub, own]) {
      expectDetail(await leave(id, wrong), 'invalid refund address', 'address')
    }
  })

  test('is nowhere that an API key sends a refund to', async () => {
    const invoice = await rig.create()
    await leave(sessionIn(JSON.parse(JSON.stringify(invoice)).checkoutUrl), OTHER_TREASURY)
    await pay(rig, invoice, 2_000_000n)
    await confirm(rig, invoice)
    await setRefundsAny(rig.database, rig.merchant.merchant.id, true)
    const refund = (to: string) =>
      rig.call('POST', `/v1/invoices/${invoice.id}/refunds`, {
        body: { amount: '1', address: to, idempotencyKey: `key-${to}` },
      })
    expectError(await refund(OTHER_TREASURY), 403, 'refund by a person only')
    expect((await refund(PAYER)).status).toBe(201)
    await setRefundsAny(rig.database, rig.merchant.merchant.id, false)
  })
})
