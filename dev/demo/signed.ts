/**
 * An invoice on the running stack that is paid by a signature: `agent` by a stock x402 client at the invoice's x402Url,
 * `gasless` on its checkout session. The payer has USDC and no gas. At the end all amounts are checked to the unit.
 */
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { parseUnits } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { CheckoutView } from '../../core/checkout/view.ts'
import type { PaymentMethod } from '../../core/invoice/state.ts'
import type { Description } from '../stack/description.ts'
import {
  callApi,
  compareGains,
  type DemoChain,
  eventually,
  holdingsOf,
  openDemoChain,
  payFromFaucet,
  say,
} from './stack.ts'

const NETWORK_ID = 'base-sepolia'
const AMOUNT = '12.5'
const FUNDS = '20'

interface InvoiceView {
  readonly id: string
  readonly reference: string
  readonly status: string
  readonly checkoutUrl: string
  readonly x402Url: string | null
  readonly addresses: readonly { readonly address: Address }[]
  readonly recipient: { readonly address: Address } | null
  readonly platformFee: string
  readonly transactions: readonly { readonly method: PaymentMethod; readonly from: Address }[]
}

type Pay = (
  stack: Description,
  chain: DemoChain,
  invoice: InvoiceView,
  payer: PrivateKeyAccount,
) => Promise<Hex>

export const demonstrateAgent = demonstrate('x402', payByX402)
export const demonstrateGasless = demonstrate('signature', payBySignature)

function demonstrate(method: PaymentMethod, pay: Pay) {
  return async (stack: Description): Promise<void> => {
    const chain = openDemoChain(stack, NETWORK_ID)
    const payer = privateKeyToAccount(generatePrivateKey())
    const address = lowerCaseAddress(payer.address)
    await payFromFaucet(stack, chain, address, FUNDS)
    const coins = await chain.client.getBalance({ address })
    say(`the payer ${payer.address} has ${FUNDS} USDC, and ${coins} wei for gas`)
    const invoice = await callApi<InvoiceView>(stack, '/v1/invoices', {
      tokenSymbol: 'USDC',
      amountExpected: AMOUNT,
      chains: [NETWORK_ID],
      metadata: { demo: true },
    })
    const { reference, recipient } = invoice
    const deposit = invoice.addresses[0]?.address
    if (!deposit || !recipient) throw new Error('the invoice lacks an address or a recipient')
    const holders = { payer: address, deposit, ...{ merchant: recipient.address } }
    const all = { ...holders, collector: stack.feeCollector }
    const before = await holdingsOf(chain, all)
    const transaction = await pay(stack, chain, invoice, payer)
    const { gasUsed, from } = await chain.client.getTransactionReceipt({ hash: transaction })
    say(`invoice ${reference}: paid in ${transaction}, sent by ${from}, gas ${gasUsed}`)
    const last = await eventually(
      () => callApi<InvoiceView>(stack, `/v1/invoices/${invoice.id}`),
      ({ status }) => status === 'completed',
    )
    const [paid, fee] = [parseUnits(AMOUNT, 6), parseUnits(last.platformFee, 6)]
    const gains = { payer: -paid, deposit: 0n, merchant: paid - fee, collector: fee }
    const wrong = compareGains(before, await holdingsOf(chain, all), gains)
    const methods = last.transactions.map((one) => one.method).join()
    if (methods !== method) throw new Error(`the payment was sent by ${methods}, not ${method}`)
    const spent = await chain.client.getBalance({ address })
    if (wrong > 0 || spent !== coins) throw new Error('some amounts are wrong')
    say('every unit is accounted for, and the payer spent no gas')
  }
}

/** The client is told nothing but the URL. */
async function payByX402(
  _stack: Description,
  _chain: DemoChain,
  { x402Url }: InvoiceView,
  payer: PrivateKeyAccount,
): Promise<Hex> {
  if (x402Url === null) throw new Error('the invoice has no x402Url')
  const required = await fetch(x402Url)
  say(`GET ${x402Url}: ${required.status}`)
  say(JSON.stringify(await required.json(), null, 2))
  const pay = wrapFetchWithPaymentFromConfig(fetch, {
    schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(payer) }],
    // The stock limit is one dollar.
    spendControls: { maxAmountPerPayment: '$100' },
  })
  const response = await pay(x402Url)
  const receipt = await response.json()
  say(`the same with the payment: ${response.status}`)
  say(JSON.stringify(receipt, null, 2))
  if (response.status !== 200) throw new Error('the payment was refused')
  return receipt.transaction
}

/** EIP-3009, as the checkout page has the payer's wallet sign it. */
const TRANSFER_WITH_AUTHORIZATION = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

async function payBySignature(
  stack: Description,
  chain: DemoChain,
  { checkoutUrl }: InvoiceView,
  payer: PrivateKeyAccount,
): Promise<Hex> {
  const session = `/v1/checkout/sessions/${checkoutUrl.split('/').at(-1)}`
  const { payment, now } = await callApi<CheckoutView>(stack, session)
  const option = payment?.addresses.find(({ networkId }) => networkId === chain.networkId)
  if (!option?.signature) throw new Error('the session is not paid by signature')
  const { name, version, value, maxSeconds } = option.signature
  const message = {
    from: payer.address,
    to: option.address,
    value: BigInt(value),
    validAfter: 0n,
    validBefore: BigInt(Math.floor(Date.parse(now) / 1000) + maxSeconds),
    nonce: `0x${crypto.getRandomValues(new Uint8Array(32)).toHex()}`,
  } as const
  const domain = { name, version, chainId: chain.chainId, verifyingContract: chain.usdc }
  const signature = await payer.signTypedData({
    ...{ domain, types: TRANSFER_WITH_AUTHORIZATION, message },
    primaryType: 'TransferWithAuthorization',
  })
  say(`${checkoutUrl}: the payer signs ${value} base units to ${message.to}`)
  const asText = (units: bigint) => units.toString()
  await callApi(stack, `${session}/authorizations`, {
    ...{ networkId: chain.networkId, from: message.from, nonce: message.nonce, signature, value },
    validAfter: asText(message.validAfter),
    validBefore: asText(message.validBefore),
  })
  const { authorization } = await eventually(
    () => callApi<CheckoutView>(stack, session),
    ({ authorization: now }) => now?.status === 'settled',
  )
  if (!authorization?.transaction) throw new Error('the payment has no transaction')
  return authorization.transaction
}
