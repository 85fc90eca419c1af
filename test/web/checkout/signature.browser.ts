import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { recoverTypedDataAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import {
  addressOn,
  authorization,
  NOW,
  SIGNABLE,
  STATES,
  session,
  transfer,
} from '../../support/web/checkoutStates.ts'
import { installSigningWallet, type SigningWallet } from '../../support/web/signingWallet.ts'
import { useCheckout } from '../../support/web/useCheckout.ts'
import { hex } from '../../support/x402/payer.ts'

/** Paying by signature: what a wallet is asked to sign, and what the page says of what comes of it. */

const checkout = useCheckout()
const { lastPosted, withPage } = checkout

const account = privateKeyToAccount(generatePrivateKey())
const WAITING = session({ state: 'waiting' }, { addresses: [SIGNABLE] })
const REFUSED = { status: 'refused', transaction: null } as const

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 2, name }).waitFor()
const payButton = (page: Page) => page.getByRole('button', { name: /^Pay with/ })
const transferButton = (page: Page) => page.getByRole('button', { name: 'Send a transfer instead' })
const attempt = (page: Page, sentence: string) =>
  page.locator('.attempt', { hasText: sentence }).waitFor()

/** A page with a wallet that has been asked to pay. */
const pay = (
  plan: Partial<SigningWallet>,
  look: (page: Page, asked: readonly string[]) => Promise<void>,
) =>
  withPage(async (page) => {
    const wallet = { account, chainId: 8453, knows: [1, 8453], rpc: noChain, ...plan }
    const asked = await installSigningWallet(page, wallet)
    await page.goto(checkout.site.show(WAITING))
    await payButton(page).click()
    await look(page, asked)
  })

const noChain = () => Promise.reject(new Error('nothing reads the chain'))
const signatures = (asked: readonly string[]) =>
  asked.filter((method) => method === 'eth_signTypedData_v4').length

describe('a payer with a wallet', () => {
  test('signs exactly what is due on its network, and sees it sent, detected and paid', async () => {
    checkout.site.answer(200, authorization({ status: 'received', transaction: null }))
    await pay({ chainId: 1 }, async (page, asked) => {
      await page.getByText('No ETH needed for gas.').waitFor()
      await attempt(page, 'Test Wallet sent the payment.')
      expect(asked).toEqual([
        'eth_requestAccounts',
        'eth_chainId',
        'wallet_switchEthereumChain',
        'eth_chainId',
        'eth_signTypedData_v4',
      ])
      const { path, body } = checkout.site.posted.at(-1) ?? { path: '', body: '{}' }
      expect(path).toEndWith(`${WAITING.id}/authorizations`)
      const { signature, networkId, ...signed } = JSON.parse(body)
      expect(networkId).toBe('base')
      expect(signed).toMatchObject({ from: account.address, value: '49900000', validAfter: '0' })
      // Five minutes by the server's clock, and not by the browser's.
      expect(Number(signed.validBefore) - Date.parse(NOW) / 1_000 - 300).toBeWithin(0, 30)
      expect(await signerOf(signed, signature)).toBe(account.address)

      const states = [
        ['Payment signed', WAITING, authorization({ status: 'received', transaction: null })],
        ['Payment sent', WAITING, authorization()],
        ['Payment sent', STATES.expiredAgain, authorization({ status: 'settled' })],
        ['Payment detected', STATES.seen, authorization({ status: 'settled' })],
        ['Payment complete', STATES.completed, authorization({ status: 'settled' })],
      ] as const
      for (const [index, [title, view, signedPayment]] of states.entries()) {
        checkout.site.show({ ...view, version: index + 2, authorization: signedPayment })
        await heading(page, title)
        expect(await payButton(page).count()).toBe(0)
        if (title !== 'Payment sent') continue
        // The address would have the payer pay twice.
        expect(await page.locator('.pay').count()).toBe(0)
        expect(await page.getByRole('button', { name: 'Start again' }).count()).toBe(0)
        const link = await page.getByRole('link', { name: 'View on explorer' }).getAttribute('href')
        expect(link).toBe(`https://basescan.org/tx/${signedPayment.transaction}`)
      }
    })
  }, 120_000)

  test('reads why each signature was refused, and whether a transfer would do', async () => {
    const refusals = [
      ['amount_not_due', 'Sign again for the new amount.', true],
      ['payment_expired', 'The signature expired before it could be used.', true],
      ['authorization_used', 'already used or cancelled. Nothing was sent.', true],
      ['unexpected_settle_error', 'That didn’t work. Nothing was sent.', true],
      ['insufficient_funds', 'This wallet holds less than 49.90', false],
      ['in_flight', 'Another payment is already in progress.', false],
      ['not_payable', 'This payment is no longer open. Nothing was sent.', false],
      ['payer_on_hold', 'contact Northwind Coffee.', false],
      ['token_paused', 'USDC can’t be transferred right now.', false],
    ] as const
    const answer = (reason: string) =>
      checkout.site.answer(200, authorization({ ...REFUSED, reason }))
    answer(refusals[0][0])
    await pay({}, async (page, asked) => {
      for (const [index, [reason, sentence, isTransferOffered]] of refusals.entries()) {
        if (index > 0) {
          answer(reason)
          await payButton(page).click()
        }
        await attempt(page, sentence)
        expect(await payButton(page).isEnabled()).toBe(true)
        expect([reason, await transferButton(page).count()]).toEqual([
          reason,
          isTransferOffered ? 1 : 0,
        ])
      }
      expect(signatures(asked)).toBe(refusals.length)
    })
  }, 120_000)

  test('who declines has sent nothing, and may send a transfer', async () => {
    await pay({ refuses: { eth_signTypedData_v4: 4001 } }, async (page, asked) => {
      const before = checkout.site.posted.length
      await attempt(page, 'You declined the payment in Test Wallet. Nothing was sent.')
      expect(checkout.site.posted).toHaveLength(before)
      await transferButton(page).click()
      await page.locator('.hint', { hasText: 'Needs ETH for the network fee.' }).waitFor()
      expect(await payButton(page).evaluate((one) => one === document.activeElement)).toBe(true)
      await page.keyboard.press('Enter')
      await attempt(page, 'Test Wallet couldn’t send the payment.')
      expect(asked.at(-1)).toBe('eth_sendTransaction')
    })
  }, 120_000)

  test.each([
    ['the wallet can’t sign', { refuses: { eth_signTypedData_v4: 4200 } }, null],
    ['it is no signature of the wallet', {}, 'invalid_exact_evm_payload_signature'],
    ['the limit of the day is reached', {}, 'limit_reached'],
  ])(
    'pays by transfer from then on when %s',
    async (_, plan, reason) => {
      checkout.site.answer(200, authorization({ ...REFUSED, reason }))
      await pay(plan, async (page, asked) => {
        await attempt(page, 'Nothing was sent. You can send a transfer instead.')
        await page.locator('.hint', { hasText: 'Needs ETH for the network fee.' }).waitFor()
        await payButton(page).click()
        await attempt(page, 'Test Wallet couldn’t send the payment.')
        expect(signatures(asked)).toBe(1)
        expect(asked.at(-1)).toBe('eth_sendTransaction')
      })
    },
    120_000,
  )

  test('sends the same signature again when no answer came, and signs no second one', async () => {
    checkout.site.answer(503)
    await pay({}, async (page, asked) => {
      await attempt(page, 'Your signature may not have arrived.')
      expect(await transferButton(page).count()).toBe(0)
      const first = checkout.site.posted.at(-1)
      checkout.site.answer(200, authorization({ status: 'received', transaction: null }))
      await payButton(page).click()
      await attempt(page, 'Test Wallet sent the payment.')
      expect(checkout.site.posted.at(-1)).toEqual(first ?? { path: '', body: '' })
      expect(signatures(asked)).toBe(1)
    })
  }, 120_000)

  test('whose payment was not sent in time reads it in each tab, and signs again', async () => {
    await withPage(async (page) => {
      const wallet = {
        account,
        chainId: 8453,
        knows: [8453],
        rpc: noChain,
        by: 'EIP-1193',
      } as const
      await installSigningWallet(page, wallet)
      await page.goto(checkout.site.show(STATES.signed))
      await heading(page, 'Payment sent')
      checkout.site.show({ ...STATES.unsent, version: 2 })
      await page.getByRole('heading', { name: 'Payment not sent' }).waitFor()
      const said = page.getByRole('status').filter({ hasText: 'The signature expired' })
      await said.waitFor({ state: 'attached' })
      expect(await transferButton(page).count()).toBe(1)
      checkout.site.answer(200, authorization({ status: 'received', transaction: null }))
      await page.getByRole('button', { name: 'Pay with your wallet' }).click()
      await lastPosted((body) => body.includes(account.address))
      // What came of it is over once something was paid.
      const paid = transfer({ amount: '30', at: '2026-03-02T14:09:55.000Z' })
      const { due, received } = { due: '19.9', received: '30' }
      const next = { addresses: [SIGNABLE], transfers: [paid], due, received }
      const { authorization: unsent } = STATES.unsent
      checkout.site.show(session({ state: 'partial', version: 3, authorization: unsent }, next))
      await heading(page, '19.90 USDC still due')
      expect(await page.getByRole('heading', { name: 'Payment not sent' }).count()).toBe(0)
    })
  }, 120_000)
})

/** Who signed it for the token of the page's network. */
function signerOf(signed: Readonly<Record<string, string>>, signature: string): Promise<string> {
  const { address, tokenAddress } = addressOn('base')
  const { value = '0', validAfter = '0', validBefore = '0' } = signed
  return recoverTypedDataAddress({
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: tokenAddress },
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message: {
      from: hex(signed.from ?? ''),
      to: address,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce: hex(signed.nonce ?? ''),
    },
    signature: hex(signature),
  })
}
