import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Remit, RemitError } from '@remit/sdk'
import { asInvoiceId } from '../../core/base/ids.ts'
import { confirm, followChains, pay } from '../support/api/ledger.ts'
import { type ApiRig, openRig } from '../support/api/rig.ts'

/** The methods about money as a whole, against the API itself. */

let rig: ApiRig
let remit: Remit
beforeAll(async () => {
  rig = await openRig()
  await followChains(rig)
  const { secretKey } = await rig.newMerchant()
  remit = new Remit({ apiUrl: 'http://api.invalid', key: secretKey, retries: 0, fetch: send })
}, 120_000)
afterAll(() => rig?.close())

/** Sends a request to the API of the rig. */
async function send(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const { method, headers } = request
  const body = method === 'GET' ? {} : { body: await request.text() }
  return rig.fetch(`${pathname}${search}`, { method, headers, ...body })
}

test('money is found, summed up and reported', async () => {
  const made = await remit.invoices.create({ tokenSymbol: 'USDC', amountExpected: '10' })
  const invoice = { id: asInvoiceId(made.id) }
  await pay(rig, invoice, 4_000_000n)
  await confirm(rig, invoice)
  expect(await remit.search(made.reference)).toMatchObject([{ invoiceId: made.id }])
  expect(await remit.balances.list()).toMatchObject([
    { chain: 'base-sepolia', asset: 'USDC', held: '4' },
  ])
  expect(await remit.reports.daily()).toMatchObject([{ receivedAmount: '4', externalRefunds: 0 }])
  const csv = await new Response(await remit.reports.transactionsCsv()).text()
  expect(csv.split('\r\n')[0]).toStartWith('type,status,invoiceReference')
  expect(csv).toContain(made.id)
  const held = await Array.fromAsync(remit.recoveries.iterate())
  expect(held).toMatchObject([{ reason: 'partial', invoiceId: made.id }])
})

test('what the API refuses is thrown', async () => {
  const { id } = await remit.invoices.create({ tokenSymbol: 'USDC', amountExpected: '10' })
  const sent = { networkId: 'polygon', txHash: `0x${'ab'.repeat(32)}`, amount: '1' }
  const refused = await remit.refunds.recordExternal(id, sent).catch((error) => error)
  expect(refused).toBeInstanceOf(RemitError)
  expect(refused).toMatchObject({ status: 400, code: 'unknown_chain' })
  expect(remit.search('')).rejects.toMatchObject({ status: 400 })
})
