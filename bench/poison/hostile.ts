import { concatHex, encodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Address, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { InvoiceJson } from '../../core/invoice/present.ts'
import { caller } from '../../test/support/servers/bytecode.ts'
import {
  ENDLESS,
  flooder,
  receivers,
  reverter,
  transferLogger,
} from '../../test/support/servers/hostileCode.ts'
import { placeCode, TREACHEROUS_WALLET } from '../../test/support/x402/walletCode.ts'
import { callApi, newAddress } from '../rpc/business.ts'
import type { CountedStack } from '../rpc/stack.ts'
import { authorizationPosting, walletPosting } from '../x402/payers.ts'
import type { PaymentRequirements } from '../x402/side.ts'

/** Ten kinds of transactions and requests that try to delay others. */

/** 10.6 MB and 110 kB of a receipt. */
const HUGE = 29_500
const LARGE = 300
/** The most gas of a transaction. */
const GAS = '0x1000000'
const INVOICES = 20
const MINTED = 1_000_000_000n
/** An attacker does not wait for what it knows. */
const TIMEOUT_S = 2
/** Another of the chain's accounts than the one that honest payers send from, whose nonces would be taken. */
const STRANGER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

export interface Poison {
  readonly kinds: readonly { readonly name: string; send(): Promise<unknown> }[]
}

/** Prepares contracts, wallets and invoices of a merchant that is an attacker's, too. */
export async function preparePoison(
  stack: CountedStack,
  requirements: PaymentRequirements,
): Promise<Poison> {
  const { chain } = stack
  const invoices: InvoiceJson[] = []
  for (let i = 0; i < INVOICES; i += 1) invoices.push(await newInvoice(stack))
  const deposits = invoices.map(({ addresses }) => depositOf(addresses[0]?.address))
  const place = async (code: Hex) => {
    const address = newAddress()
    await placeCode(chain, address, code)
    return address
  }
  const [huge, small, large] = await Promise.all(
    [HUGE, 1, LARGE].map((logs) => place(flooder(chain.usdc.address, logs))),
  )
  if (!huge || !small || !large) throw new Error('there are three')
  const endless = await place(ENDLESS)
  const foreignToken = await place(transferLogger(deposits[0] ?? huge, 5_000))
  const wallets = await Promise.all(
    [reverter(LONG_TEXT), reverter(BROKEN_TEXT), TREACHEROUS_WALLET].map(place),
  )
  const funded = [huge, small, large, ...wallets]
  await chain.mint(funded.map((to) => ({ to, amount: MINTED })))
  let last: Promise<unknown> = Promise.resolve()
  // One after the other: two that begin together would take the same nonce.
  const send = (to: Address, data: Hex = '0x', gasPrice = '0x77359400') => {
    const asked = [{ from: STRANGER, to, data, gas: GAS, gasPrice }]
    const sent = last.then(() => chain.node.rpc('eth_sendTransaction', asked))
    last = sent.catch(() => undefined)
    return sent
  }
  const short = { ...requirements, maxTimeoutSeconds: TIMEOUT_S }
  const settle = (body: string) => post(stack, '/v1/x402/settle', body)
  const ofWallet = (i: number) => async () => {
    const wallet = wallets[i]
    if (wallet !== undefined) await settle(walletPosting(wallet, short).body)
  }
  const many = Array.from({ length: 3_000 }, (_, i) => deposits[i % INVOICES] ?? huge)
  const refund = (place: number, amount: string, address: Address) => {
    const body = { amount, address, idempotencyKey: crypto.randomUUID() }
    return post(stack, `/v1/invoices/${invoices[place]?.id}/refunds`, JSON.stringify(body))
  }
  return {
    kinds: [
      { name: 'a receipt of 10.6 MB', send: () => send(huge, receivers(deposits.slice(0, 8))) },
      { name: '3,000 transfers', send: () => send(small, receivers(many)) },
      { name: '100 kB of revert text', send: ofWallet(0) },
      { name: 'NUL and broken UTF-8', send: ofWallet(1) },
      { name: 'payers that burn all gas', send: ofWallet(2) },
      {
        name: 'an authorization carried by its payer in a receipt of 10.6 MB',
        async send() {
          const account = privateKeyToAccount(generatePrivateKey())
          await chain.mint([{ to: lowerCaseAddress(account.address), amount: MINTED }])
          const { authorization, signature, body } = await authorizationPosting(
            ...([chain, account, requirements] as const),
          )
          const { from, to, value, validAfter, validBefore, nonce } = authorization
          const args = [from, to, value, validAfter, validBefore, nonce, signature] as const
          const data = encodeFunctionData({ abi: TRANSFER_ABI, args })
          const carrier = await place(
            caller([
              { to: chain.usdc.address, data },
              { to: huge, data: '0x' },
            ]),
          )
          await Promise.all([send(carrier, '0x', '0x2540be400'), settle(body)])
        },
      },
      { name: 'a refund of hundreds of parts', send: () => refund(19, '0.0001', small) },
      {
        name: 'a block of 190,000,000 gas',
        async send() {
          for (let i = 0; i < 8; i += 1) await send(huge)
          for (let i = 0; i < 5; i += 1) await send(endless)
        },
      },
      { name: '5,000 transfers of a foreign token', send: () => send(foreignToken) },
      {
        name: '20 payments with receipts of 110 kB, and a refund of their sum',
        async send() {
          const [, own] = deposits
          for (let i = 0; i < 20; i += 1) await send(large, receivers(own ? [own] : []))
          await refund(1, '0.00002', large)
        },
      },
    ],
  }
}

async function newInvoice(stack: CountedStack): Promise<InvoiceJson> {
  return callApi<InvoiceJson>(stack, '/v1/invoices', {
    tokenSymbol: 'USDC',
    amountExpected: '1000',
    chains: [stack.chain.networkId],
  })
}

function depositOf(address: string | undefined): Address {
  if (address === undefined) throw new Error('the invoice has no address')
  return lowerCaseAddress(address)
}

/** Any answer. */
async function post({ port, secretKey }: CountedStack, path: string, body: string): Promise<void> {
  const headers = { 'X-Service-Key': secretKey, 'content-type': 'application/json' }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
  await answer.text()
}

const TRANSFER_ABI = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])

const LONG_TEXT = revertWith(`0x${'41'.repeat(100_000)}`)
const BROKEN_TEXT = revertWith('0x00fffec0800000')

/** The data of revert(text), with any bytes in the text. */
function revertWith(text: Hex): Hex {
  return concatHex(['0x08c379a0', encodeAbiParameters([{ type: 'bytes' }], [text])])
}
