import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { createWalletClient, encodeFunctionData, erc20Abi, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Address, checksumAddress, type Hex } from '../../../core/chain/evm.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { readArtifact, TOKEN_ABI } from '../../../dev/stack/artifacts.ts'
import type { DashboardWords } from '../../../web/dashboard/parts/page.ts'
import { de } from '../../../web/messages/dashboard/de.ts'
import { en } from '../../../web/messages/dashboard/en.ts'
import { createWords } from '../../../web/messages/words.ts'
import { confirm, followChains, pay, randomHash, read } from '../../support/api/ledger.ts'
import { SHELL } from '../../support/invoice/astray.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'
import { PATIENCE_MS } from '../../support/web/browser.ts'
import { inspect, openStage, type Stage } from '../../support/web/dashboard/stage.ts'
import { hex } from '../../support/x402/payer.ts'

/**
 * Part of `bun run check:web`: what people do about one invoice, in a real browser: they end it, submit a
 * transaction that was not seen, and accept less than was asked for.
 */

let chain: HubChain
let stage: Stage

beforeAll(async () => {
  chain = await startHubChain({ relayers: 1 })
  await placeUnsupportedToken()
  const variables = { HUB_ADDRESS: chain.hub, RPC_URL_BASE_SEPOLIA: chain.node.url }
  stage = await openStage({ variables })
  await followChains(stage.site.rig)
}, PATIENCE_MS)
afterAll(async () => {
  await stage?.close()
  await chain?.node.stop()
}, PATIENCE_MS)

function depositOf({ addresses }: InvoiceJson): string {
  return addresses.find(({ networkId }) => networkId === chain.networkId)?.address ?? ''
}

/** A transfer of USDC to the invoice's address on Base Sepolia that nobody has told the ledger of. */
async function payUnseen(invoice: InvoiceJson, amount: bigint): Promise<string> {
  await chain.mint([{ to: hex(depositOf(invoice)), amount }])
  const { transactions } = await chain.client.getBlock()
  return transactions[0] ?? ''
}

/** A token that nobody lists, of which the hub's owner has some. */
async function placeUnsupportedToken(): Promise<void> {
  const { deployedBytecode } = await readArtifact('TestUSDC')
  await chain.node.rpc('anvil_setCode', [SHELL, deployedBytecode])
  const { address } = privateKeyToAccount(chain.ownerKey)
  const terms = ['Shell', 'SHELL', '1', address] as const
  const calls = [
    encodeFunctionData({ abi: TOKEN_ABI, functionName: 'initialize', args: terms }),
    encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [address, 100_000_000n] }),
  ]
  for (const data of calls) expect((await call(SHELL, data)).status).toBe('success')
}

/** The hub's owner, who has gas and no USDC, calls a token. */
async function call(token: Address, data: Hex) {
  const account = privateKeyToAccount(chain.ownerKey)
  const wallet = createWalletClient({ account, transport: http(chain.node.url) })
  const hash = await wallet.sendTransaction({ to: token, data, gas: 200_000n, chain: null })
  await chain.mine()
  return chain.client.getTransactionReceipt({ hash })
}

/** The same person sends 4 of a token to the invoice's address. */
function transfer(token: Address, invoice: InvoiceJson) {
  const args = [hex(depositOf(invoice)), 4_000_000n] as const
  return call(token, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }))
}

async function partlyPaid(amount: bigint): Promise<InvoiceJson> {
  const { rig } = stage.site
  const invoice = await rig.create()
  await pay(rig, invoice, amount)
  await confirm(rig, invoice)
  return invoice
}

async function openSubmitDialog(page: Page, invoice: InvoiceJson, words: DashboardWords) {
  const { id, reference } = invoice
  await page.goto(stage.at(`invoices/${id}`))
  await page.getByRole('button', { name: words.say('submitHash') }).click()
  const dialog = page.getByRole('dialog', { name: words.say('submitTitle', { reference }) })
  const field = dialog.getByLabel(words.say('transactionHash'))
  await dialog.getByLabel(words.say('network')).selectOption(chain.networkId)
  const submit = async (txHash: string) => {
    await field.fill(txHash)
    await dialog.getByRole('button', { name: words.say('submitHash') }).click()
  }
  return { dialog, field, submit }
}

describe.each([
  ['en-GB', createWords(en, 'en')],
  ['de-DE', createWords(de, 'de')],
] as const)('in %s', (locale, words) => {
  test(
    'a transaction that was not seen is submitted, and what it brought is said and shown',
    async () => {
      const { rig } = stage.site
      const [invoice, other] = [await rig.create(), await rig.create()]
      const { page, complaints, leave } = await stage.enter(await stage.member('support'), locale)
      const { dialog, field, submit } = await openSubmitDialog(page, invoice, words)
      await submit('0x12')
      expect(await field.evaluate((input) => input.matches(':invalid'))).toBe(true)
      await inspect(page)
      await submit(randomHash())
      await dialog.getByText(words.say('submitNotFound')).waitFor()
      await submit(await payUnseen(other, 4_000_000n))
      await dialog.getByText(words.say('submitNothing')).waitFor()
      const txHash = await payUnseen(invoice, 4_000_000n)
      await submit(` ${txHash} `)
      await dialog.getByText(words.say('submitRecorded')).waitFor()
      await inspect(page)
      await submit(txHash)
      await dialog.getByText(words.say('submitKnown')).waitFor()
      await dialog.getByRole('button', { name: words.say('closeDialog') }).click()
      const amount = words.money('4', 'USDC')
      await page.getByText(words.say('paymentSeen', { amount })).waitFor()
      const { transactions, pendingAmount } = await read(rig, invoice)
      expect({ pendingAmount, transactions }).toMatchObject({
        pendingAmount: '4',
        transactions: [{ txHash, amount: '4', status: 'pending' }],
      })
      await leave()
      expect(complaints).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'where a transaction failed, or brought a token that is not supported, it is said what to do',
    async () => {
      const { rig } = stage.site
      const invoice = await rig.create()
      const failed = await transfer(chain.usdc.address, invoice)
      const brought = await transfer(SHELL, invoice)
      expect([failed.status, brought.status]).toEqual(['reverted', 'success'])
      const { page, complaints, leave } = await stage.enter(await stage.member('support'), locale)
      const { dialog, submit } = await openSubmitDialog(page, invoice, words)
      await submit(failed.transactionHash)
      await dialog.getByText(words.say('submitReverted')).waitFor()
      await inspect(page)
      await submit(brought.transactionHash)
      const token = checksumAddress(SHELL)
      await dialog.getByText(words.say('submitUnsupported', { token })).waitFor()
      await inspect(page)
      const { transactions, otherDeposits } = await read(rig, invoice)
      expect({ transactions, otherDeposits }).toEqual({ transactions: [], otherDeposits: [] })
      await leave()
      expect(complaints).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'less than was asked for is accepted where money is held, and the invoice is paid by it',
    async () => {
      const { rig } = stage.site
      const invoice = await partlyPaid(6_000_000n)
      const { reference } = invoice
      const amount = words.money('6', 'USDC')
      const accept = words.say('acceptAmount', { amount })
      const { page, complaints, leave } = await stage.enter(await stage.member('support'), locale)
      await page.goto(stage.at('recoveries'))
      const card = page.getByRole('row').filter({ hasText: reference })
      await card.getByText(words.say('heldPartial')).waitFor()
      await card.getByRole('button', { name: accept }).click()
      const title = words.say('acceptTitle', { amount, reference })
      const dialog = page.getByRole('dialog', { name: title })
      await dialog.getByText(words.say('acceptPartialHint')).waitFor()
      await inspect(page)
      await dialog.getByRole('button', { name: accept }).click()
      await dialog.waitFor({ state: 'detached' })
      await card.waitFor({ state: 'detached' })
      expect(await read(rig, invoice)).toMatchObject({
        status: 'paid',
        amountExpected: '10',
        receivedAmount: '6',
      })
      await page.goto(stage.at(`invoices/${invoice.id}`))
      await page.getByText(words.say('becamePaid'), { exact: true }).waitFor()
      await leave()
      expect(complaints).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'an unpaid invoice is ended, and what had come of one that is ended is accepted on its page',
    async () => {
      const invoice = await partlyPaid(3_000_000n)
      const { page, complaints, leave } = await stage.enter(await stage.member('support'), locale)
      await page.goto(stage.at(`invoices/${invoice.id}`))
      await page.getByRole('button', { name: words.say('voidInvoice') }).click()
      await inspect(page)
      await page
        .getByRole('dialog')
        .getByRole('button', { name: words.say('voidInvoice') })
        .click()
      await page.getByText(words.say('voided'), { exact: true }).waitFor()
      await page.getByText(words.say('heldUnderpaid')).waitFor()
      const accept = words.say('acceptAmount', { amount: words.money('3', 'USDC') })
      await page.getByRole('button', { name: accept }).click()
      await page.getByRole('dialog').getByRole('button', { name: accept }).click()
      await page.getByText(words.say('becamePaid'), { exact: true }).waitFor()
      expect(await read(stage.site.rig, invoice)).toMatchObject({
        status: 'paid',
        receivedAmount: '3',
      })
      await leave()
      expect(complaints).toEqual([])
    },
    PATIENCE_MS,
  )
})

test(
  'readers neither submit a transaction nor accept a partial payment',
  async () => {
    const invoice = await partlyPaid(6_000_000n)
    const { page, complaints, leave } = await stage.enter(await stage.member('reader'))
    await page.goto(stage.at(`invoices/${invoice.id}`))
    await page.getByText(en.heldNoAction).waitFor()
    expect(await page.getByRole('button', { name: /^(Add missing|Accept|Void) / }).count()).toBe(0)
    await leave()
    expect(complaints).toEqual([])
  },
  PATIENCE_MS,
)
