import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { confirm, followChains, PAYER, pay, read, settle } from '../../support/api/ledger.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'
import { PATIENCE_MS } from '../../support/web/browser.ts'
import { inspect, openStage, type Stage } from '../../support/web/dashboard/stage.ts'
import { callsOf, installWallet } from '../../support/web/wallet.ts'
import { hex } from '../../support/x402/payer.ts'

/** An invoice that was paid out is refunded from the merchant's own wallet, or by the hash of a transfer. */

let chain: HubChain
let stage: Stage

beforeAll(async () => {
  chain = await startHubChain({ relayers: 1 })
  const variables = { HUB_ADDRESS: chain.hub, RPC_URL_BASE_SEPOLIA: chain.node.url }
  stage = await openStage({ variables })
  await followChains(stage.site.rig)
}, PATIENCE_MS)
afterAll(async () => {
  await stage?.close()
  await chain?.node.stop()
}, PATIENCE_MS)

/** An invoice of 10 USDC that was overpaid by 2.5, and paid out. */
async function settled(): Promise<InvoiceJson> {
  const { rig } = stage.site
  const invoice = await rig.create()
  await pay(rig, invoice, 12_500_000n, { blockTime: new Date(0) })
  await confirm(rig, invoice)
  await settle(rig, invoice)
  return invoice
}

/** What the page has a wallet send is sent by the hub's owner, and mined a moment later. */
async function sendAsOwner(_: number, { to, data }: { to: string; data: string }): Promise<string> {
  const account = privateKeyToAccount(chain.ownerKey)
  await chain.mint([{ to: account.address, amount: 20_000_000n }])
  const wallet = createWalletClient({ account, transport: http(chain.node.url) })
  const sent = { to: hex(to), data: hex(data), gas: 200_000n, chain: null }
  const hash = await wallet.sendTransaction(sent)
  setTimeout(() => void chain.mine(), 500)
  return hash
}

test(
  'a wallet sends exactly what was chosen to the payer, and the transfer is recorded as a refund',
  async () => {
    const { rig } = stage.site
    const invoice = await settled()
    const { page, complaints, leave } = await stage.enter(await stage.member('finance'))
    await installWallet(page, { chainId: 1, knows: [chain.node.chainId] }, sendAsOwner)
    await page.goto(stage.at(`invoices/${invoice.id}`))
    await page.getByRole('button', { name: 'Refund' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('This money was paid out to you.').waitFor()
    await dialog.getByLabel('Amount (USDC)').fill('13')
    expect(await dialog.getByRole('button', { name: /with Test Wallet$/ }).isDisabled()).toBe(true)
    await dialog.getByLabel('Amount (USDC)').fill('2.5')
    await inspect(page)
    await dialog.getByRole('button', { name: 'Send 2.50 USDC with Test Wallet' }).click()
    const toast = page.locator('.toast')
    await toast.getByText('Refund of 2.50 USDC recorded').waitFor()
    await dialog.waitFor({ state: 'detached' })
    const calls = (await callsOf(page)).filter(({ method }) => method === 'eth_sendTransaction')
    expect(calls).toHaveLength(1)
    expect(calls[0]?.params?.[0]).toMatchObject({
      to: expect.stringMatching(new RegExp(chain.usdc.address, 'i')),
      data: `0xa9059cbb${PAYER.slice(2).padStart(64, '0')}${(2_500_000).toString(16).padStart(64, '0')}`,
    })
    const { refunds } = await read(rig, invoice)
    expect(refunds).toMatchObject([{ external: true, status: 'mined', amount: '2.5' }])
    await toast.getByRole('link', { name: 'View refunds' }).click()
    const row = page.getByRole('row').filter({ hasText: invoice.reference })
    await row.getByText('From your wallet').waitFor()
    await inspect(page)
    // Of the 12.5 that were paid out, 2.5 went back.
    await page.goto(stage.at(`invoices/${invoice.id}`))
    await page.getByRole('button', { name: 'Refund' }).click()
    await dialog.getByText('Maximum 10.00 USDC.').waitFor()
    await leave()
    expect(complaints).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'without a wallet, the hash of a transfer is proven on-chain, and a wrong one refused with the reason',
  async () => {
    const invoice = await settled()
    const { page, leave } = await stage.enter(await stage.member('owner'))
    await page.goto(stage.at(`invoices/${invoice.id}`))
    await page.getByRole('button', { name: 'Refund' }).click()
    const dialog = page.getByRole('dialog')
    const record = async (hash: string) => {
      await dialog.getByLabel('Transaction hash').fill(hash)
      await dialog.getByRole('button', { name: 'Record refund' }).click()
    }
    await record(`0x${'ab'.repeat(32)}`)
    await dialog.getByRole('alert').filter({ hasText: 'not mined' }).waitFor()
    await inspect(page)
    await chain.mint([{ to: PAYER, amount: 12_500_000n }])
    const { transactions } = await chain.client.getBlock()
    await record(` ${transactions[0]} `)
    await page.locator('.toast').getByText('Refund of 12.50 USDC recorded').waitFor()
    await page.getByText('Refund of 12.50 USDC requested').waitFor()
    expect(await page.getByRole('button', { name: 'Refund' }).count()).toBe(0)
    await leave()
  },
  PATIENCE_MS,
)

test(
  'what no payout has taken is refunded by the service, and readers refund nothing',
  async () => {
    const { rig } = stage.site
    const invoice = await rig.create()
    await pay(rig, invoice, 10_000_000n)
    await confirm(rig, invoice)
    await rig.database`delete from settlement where invoice_id = ${invoice.id}`
    const reader = await stage.enter(await stage.member('reader'))
    await reader.page.goto(stage.at(`invoices/${invoice.id}`))
    await reader.page.getByText('Paid in full').waitFor()
    expect(await reader.page.getByRole('button', { name: 'Refund' }).count()).toBe(0)
    await reader.leave()
    const { page, complaints, leave } = await stage.enter(await stage.member('finance'))
    await page.goto(stage.at(`invoices/${invoice.id}`))
    await page.getByRole('button', { name: 'Refund' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Refund 10.00 USDC to 0x15d3/i }).waitFor()
    await inspect(page)
    await leave()
    expect(complaints).toEqual([])
  },
  PATIENCE_MS,
)
