import { expect } from 'bun:test'
import { encodeFunctionData, parseAbi, parseUnits } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import type { InvoiceId } from '../../../core/base/ids.ts'
import type { Address } from '../../../core/chain/evm.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import type { Description } from '../../../dev/stack/description.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { callApi, createInvoice, type DevStack } from '../servers/devStack.ts'
import { hex, openPayer, type Payer } from '../x402/payer.ts'

/** Invoices with money that is to go back, of every kind, each with a payer of its own. */

export const CHAINS = ['base-sepolia', 'sepolia'] as const
export type NetworkId = (typeof CHAINS)[number]
/** The faucet on both of the stack's chains. */
export type Chains = Readonly<Record<NetworkId, Payer>>

interface Paid {
  readonly networkId: NetworkId
  readonly symbol: 'USDC' | 'USDT'
  /** In major units, as everywhere here. */
  readonly amount: string
}

/** A refund that will be asked for. */
export interface Wish {
  readonly networkId: NetworkId
  readonly amount: string
  /** Whether it names the payment; else it is of the on-time money as a whole. */
  readonly isOfOnePayment: boolean
  /** Whether the token refuses the payer. */
  readonly fails: boolean
}

interface Kind {
  readonly pays: readonly Paid[]
  readonly isLate?: boolean
  readonly wishes: readonly Wish[]
}

const ONE: Omit<Wish, 'networkId' | 'amount'> = { isOfOnePayment: true, fails: false }

/** Each invoice asks for 10 USDC and bears a fee of 0.05. */
const KINDS: readonly Kind[] = [
  {
    isLate: true,
    pays: [{ networkId: 'base-sepolia', symbol: 'USDC', amount: '7' }],
    wishes: [{ ...ONE, networkId: 'base-sepolia', amount: '7' }],
  },
  {
    pays: [{ networkId: 'sepolia', symbol: 'USDC', amount: '12.5' }],
    wishes: [{ networkId: 'sepolia', amount: '2.5', isOfOnePayment: false, fails: false }],
  },
  {
    pays: [
      { networkId: 'base-sepolia', symbol: 'USDC', amount: '3' },
      { networkId: 'sepolia', symbol: 'USDC', amount: '2' },
    ],
    wishes: [
      { ...ONE, networkId: 'base-sepolia', amount: '1.25' },
      { ...ONE, networkId: 'sepolia', amount: '2' },
    ],
  },
  {
    pays: [{ networkId: 'sepolia', symbol: 'USDT', amount: '4.000001' }],
    wishes: [{ ...ONE, networkId: 'sepolia', amount: '4' }],
  },
  {
    pays: [{ networkId: 'base-sepolia', symbol: 'USDC', amount: '6' }],
    wishes: [{ networkId: 'base-sepolia', amount: '6', isOfOnePayment: false, fails: true }],
  },
]

export interface RefundCase {
  readonly invoiceId: InvoiceId
  readonly deposit: string
  readonly payer: Address
  readonly pays: readonly Paid[]
  readonly wishes: readonly Wish[]
  pay(): Promise<void>
  /** Whether every payment of it is confirmed. */
  isReady(now: InvoiceJson): boolean
}

/** The n-th invoice and its payer, with at most so many refunds to be asked for. */
export async function openCase(
  stack: DevStack,
  chains: Chains,
  n: number,
  most: number,
): Promise<RefundCase> {
  const kind = KINDS[n % KINDS.length]
  if (!kind) throw new Error('there are no kinds')
  const terms = { tokenSymbol: 'USDC', amountExpected: '10', externalRef: `refunds-${n}` }
  const { id: invoiceId, addresses } = await createInvoice(stack, terms)
  const deposit = addresses[0]?.address ?? ''
  const key = generatePrivateKey()
  const payer = addressOf(key)
  return {
    invoiceId,
    deposit,
    payer,
    pays: kind.pays,
    wishes: kind.wishes.slice(0, most),
    async pay() {
      if (kind.isLate) {
        await callApi(stack, `/v1/invoices/${invoiceId}/expire`, {})
        // A block of the second in which the invoice was closed would still be on time.
        await Bun.sleep(1_100)
      }
      await Promise.all(
        kind.pays.map(async ({ networkId, symbol, amount }) => {
          const faucet = chains[networkId]
          await faucet.rpc('anvil_setBalance', [payer, '0xde0b6b3a7640000'])
          await faucet.mined(await faucet.send(payer, amount, symbol))
          const own = { ...stack.description, faucetPrivateKey: key }
          await (await openPayer(own, networkId)).send(deposit, amount, symbol)
        }),
      )
    },
    isReady({ transactions, otherDeposits }) {
      const seen = [...transactions, ...otherDeposits]
      const isAll = seen.length === kind.pays.length
      return isAll && seen.every(({ status }) => status === 'confirmed')
    },
  }
}

/** Puts accounts on the blacklist of a chain's USDC. */
export async function block(
  { client, rpc, mined }: Payer,
  { chains }: Description,
  accounts: readonly Address[],
): Promise<void> {
  const chainId = await client.getChainId()
  const usdc = chains.find((chain) => chain.chainId === chainId)?.tokens.USDC
  if (!usdc) throw new Error(`the stack has no USDC on ${chainId}`)
  const abi = parseAbi(['function owner() view returns (address)', 'function blacklist(address)'])
  const owner = await client.readContract({ address: usdc.address, abi, functionName: 'owner' })
  await rpc('anvil_impersonateAccount', [owner])
  await rpc('anvil_setBalance', [owner, '0xde0b6b3a7640000'])
  for (const account of accounts) {
    const data = encodeFunctionData({ abi, functionName: 'blacklist', args: [account] })
    const hash = await rpc('eth_sendTransaction', [{ from: owner, to: usdc.address, data }])
    await mined(hex(String(hash)))
  }
}

/** Nothing of it is on its way any more; one that was paid in full is settled. */
export function isAtRest(now: InvoiceJson): boolean {
  const isOpen = now.status === 'paid' || now.pendingAmount !== null
  return !isOpen && now.settlements.every(({ status }) => status === 'confirmed')
}

/**
 * received = remitted + fee + refunded + held, by the invoice and by the chains; and the payer, who had
 * nothing else, has exactly what was given back. Answers what was remitted and the fee.
 */
export async function expectBooksOf(
  { deposit, payer, pays, wishes }: RefundCase,
  invoice: InvoiceJson,
  chains: Chains,
): Promise<{ readonly remitted: bigint; readonly fee: bigint }> {
  const given = wishes.filter(({ fails }) => !fails)
  const back = await held(payer, chains)
  expect(back).toBe(total(given))
  const refunded = invoice.refunds.filter(({ status }) => status === 'confirmed')
  expect(total(refunded)).toBe(back)
  const remitted = units(invoice.amountRemitted)
  const fee = invoice.settlements.reduce((all, s) => all + units(s.fee), 0n)
  expect(total([...invoice.transactions, ...invoice.otherDeposits])).toBe(total(pays))
  expect(total(pays)).toBe(remitted + fee + back + (await held(deposit, chains)))
  return { remitted, fee }
}

async function held(holder: string, chains: Chains): Promise<bigint> {
  let sum = 0n
  for (const networkId of CHAINS) {
    sum += await chains[networkId].balance(holder, 'USDC')
    sum += await chains[networkId].balance(holder, 'USDT')
  }
  return sum
}

function total(rows: readonly { readonly amount: string | null }[]): bigint {
  return rows.reduce((all, { amount }) => all + units(amount), 0n)
}

/** Both tokens have six decimals on both chains. */
export function units(amount: string | null): bigint {
  if (amount === null) throw new Error('an amount is missing')
  return parseUnits(amount, 6)
}
