import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { encodeFunctionData, erc20Abi, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { callApi, eventually } from '../../support/servers/devStack.ts'
import { PATIENCE_MS } from '../../support/web/browser.ts'
import {
  choose,
  ledgerOf,
  newSession,
  pageOf,
  paste,
  reads,
  type Stage,
  withPage,
} from '../../support/web/payment/stage.ts'
import { hex } from '../../support/x402/payer.ts'

/** A payer who has sent already and pastes the hash: what the page finds, and what becomes of the money. */

test.concurrent(
  'a payment on a network that was not offered is found, kept, and returned by the merchant',
  () =>
    withPage(async (page, stage) => {
      const session = await newSession({ chains: ['base-sepolia'] })
      await page.goto(await pageOf(session))
      const hash = await stage.elsewhere.send(await choose(page), '25')
      await stage.elsewhere.mined(hash)
      await paste(page, hash)
      await page
        .getByText('Payment found at the right address, but on Sepolia, which wasn’t')
        .waitFor()
      await page.getByText('Wrong token or network').waitFor()
      await reads(page, '25.00 USDC received, but on the wrong network')
      const { id, transactions, status, receivedAmount, otherDeposits } = await eventually(
        () => ledgerOf(session),
        (invoice) => invoice.otherDeposits[0]?.status === 'confirmed',
      )
      expect({ status, receivedAmount, transactions }).toMatchObject({
        status: 'pending',
        receivedAmount: '0',
        transactions: [],
      })
      expect(otherDeposits).toMatchObject([{ chain: 'sepolia', amount: '25', txHash: hash }])

      const { address } = privateKeyToAccount(stage.stack.description.faucetPrivateKey)
      await callApi(stage.stack, `/v1/invoices/${id}/refunds`, {
        amount: '25',
        address,
        transactionId: otherDeposits[0]?.id,
        idempotencyKey: 'wrong network',
      })
      await page.getByText('25.00 USDC refunded.').waitFor()
      expect((await ledgerOf(session)).refunds).toMatchObject([
        { status: 'confirmed', chain: 'sepolia', amount: '25' },
      ])
    }),
  PATIENCE_MS,
)

test.concurrent(
  'another token, another payment, no transaction at all, and one in no block are told apart',
  () =>
    withPage(async (page, stage) => {
      const session = await newSession({ chains: ['base-sepolia'] })
      await page.goto(await pageOf(session))
      const deposit = await choose(page)
      const wrongToken = await stage.payer.send(deposit, '25', 'USDT')
      const toSomebody = await stage.payer.send(`0x${'42'.repeat(20)}`, '25')
      await Promise.all([stage.payer.mined(wrongToken), stage.payer.mined(toSomebody)])
      await paste(page, `https://sepolia.basescan.org/tx/${wrongToken}`)
      await page
        .getByText('Payment found at the right address on Base Sepolia, but in another')
        .waitFor()
      await paste(page, toSomebody)
      await page.getByText('it didn’t pay this address').waitFor()
      await pasteUnknown(page)
      await paste(page, 'my payment')
      await page.getByText('Enter a transaction hash').first().waitFor()

      const payment = await sendInNoBlock(stage, deposit, 25_000_000n)
      await paste(page, payment.hash)
      await page.getByText('Transaction found on Base Sepolia, but not in a block yet.').waitFor()
      await reads(page, '25.00 USDT received, but in the wrong token')
      await payment.release()
      await reads(page, 'Payment detected')
      // What was said of it is no longer so, and nobody has to paste it again.
      await page.getByText('not in a block yet').waitFor({ state: 'detached' })
      await reads(page, 'Payment complete')
      expect(await ledgerOf(session)).toMatchObject({
        status: 'completed',
        receivedAmount: '25',
        transactions: [{ txHash: payment.hash, amount: '25' }],
        otherDeposits: [{ txHash: wrongToken, asset: 'USDT', amount: '25' }],
      })
    }),
  PATIENCE_MS,
)

/** While a network takes long to answer, the page says to look again, which payers do. */
async function pasteUnknown(page: Page): Promise<void> {
  const found = page.getByText('couldn’t find this transaction')
  const looking = page.getByText('Some networks haven’t answered yet.')
  while (!(await found.isVisible())) {
    await paste(page, `0x${'ab'.repeat(32)}`)
    await found.or(looking).waitFor()
  }
}

/** A transfer that the node knows and can't mine before the sender's earlier nonce is used. */
async function sendInNoBlock(stage: Stage, to: string, amount: bigint) {
  const { description } = stage.stack
  const chain = description.chains.find(({ networkId }) => networkId === 'base-sepolia')
  const token = chain?.tokens.USDC?.address
  if (!chain || !token) throw new Error('there is no USDC')
  const sender = privateKeyToAccount(`0x${'5e'.repeat(32)}`)
  await stage.payer.mined(await stage.payer.send(sender.address, '25'))
  await stage.payer.rpc('anvil_setBalance', [sender.address, '0xde0b6b3a7640000'])
  const send = async (nonce: number, transfer: { to: `0x${string}`; data?: `0x${string}` }) => {
    const serializedTransaction = await sender.signTransaction({
      chainId: chain.chainId,
      nonce,
      ...transfer,
      gas: 150_000n,
      maxFeePerGas: parseGwei('20'),
      maxPriorityFeePerGas: parseGwei('1'),
    })
    return stage.payer.client.sendRawTransaction({ serializedTransaction })
  }
  const call = { abi: erc20Abi, functionName: 'transfer', args: [hex(to), amount] } as const
  const hash = await send(1, { to: token, data: encodeFunctionData(call) })
  return { hash, release: () => send(0, { to: sender.address }) }
}
