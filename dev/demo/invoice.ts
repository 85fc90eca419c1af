/**
 * An invoice on the running stack, from its creation to settlement. It is paid in two parts
 * and overpaid, and at the end all amounts are checked to the unit.
 */
import { formatUnits, parseUnits } from 'viem'
import type { Address } from '../../core/chain/evm.ts'
import type { Description } from '../stack/description.ts'
import {
  callApi,
  compareGains,
  eventually,
  type Holdings,
  holdingsOf,
  openDemoChain,
  payFromFaucet,
  say,
} from './stack.ts'

const EXPECTED = '25'
const PARTS = ['10', '20']

interface InvoiceView {
  readonly id: string
  readonly reference: string
  readonly status: string
  readonly addresses: readonly { readonly networkId: string; readonly address: Address }[]
  readonly recipient: { readonly address: Address } | null
  readonly pendingAmount: string | null
  readonly receivedAmount: string
  readonly overpaidAmount: string
  readonly amountRemitted: string
  readonly platformFee: string
}

export async function demonstrateInvoice(stack: Description): Promise<void> {
  const chain = openDemoChain(stack)
  const invoice = await callApi<InvoiceView>(stack, '/v1/invoices', {
    tokenSymbol: 'USDC',
    amountExpected: EXPECTED,
    chains: [chain.networkId],
    metadata: { demo: true },
  })
  const deposit = invoice.addresses[0]?.address
  const merchant = invoice.recipient?.address
  if (!deposit || !merchant) throw new Error('the invoice lacks a deposit address or a recipient')
  const holders = { merchant, collector: stack.feeCollector, deposit }
  const before = await holdingsOf(chain, holders)
  say(`invoice ${invoice.reference} for ${EXPECTED} USDC on ${chain.networkId}: pay to ${deposit}`)

  const watch = follow(stack, invoice)
  for (const part of PARTS) {
    say(`paying ${part} USDC: ${await payFromFaucet(stack, chain, deposit, part)}`)
    watch.since(Date.now())
    await watch.until((now) => (part === PARTS[0] ? now.status === 'partial' : isPaid(now)))
  }
  const last = await watch.until((now) => now.status === 'completed')
  report(last, before, await holdingsOf(chain, holders))
}

function isPaid(invoice: InvoiceView): boolean {
  return invoice.status === 'paid' || invoice.status === 'completed'
}

/** Polls the invoice and prints each state, with the seconds since the payment's block. */
function follow(stack: Description, invoice: InvoiceView) {
  let block = Date.now()
  let shown = ''

  async function read(): Promise<InvoiceView> {
    const latest = await callApi<InvoiceView>(stack, `/v1/invoices/${invoice.id}`)
    const { status, pendingAmount, receivedAmount, overpaidAmount, amountRemitted } = latest
    const line = [
      status.padEnd(9),
      `pending ${pendingAmount ?? '-'}`,
      `received ${receivedAmount}`,
      `overpaid ${overpaidAmount}`,
      `remitted ${amountRemitted}`,
    ].join('  ')
    if (line === shown) return latest
    shown = line
    say(`+${((Date.now() - block) / 1000).toFixed(2)} s  ${line}`)
    return latest
  }

  return {
    since(moment: number) {
      block = moment
    },
    until: (reached: (now: InvoiceView) => boolean) => eventually(read, reached),
  }
}

/** Compares the balance change of each account with the invoice, to the unit. */
function report(invoice: InvoiceView, before: Holdings, after: Holdings): void {
  const paid = PARTS.reduce((total, part) => total + parseUnits(part, 6), 0n)
  const fee = parseUnits(invoice.platformFee, 6)
  let wrong = compareGains(before, after, { merchant: paid - fee, collector: fee, deposit: 0n })
  const figures: [string, string, string][] = [
    ['receivedAmount', invoice.receivedAmount, formatUnits(paid, 6)],
    ['overpaidAmount', invoice.overpaidAmount, formatUnits(paid - parseUnits(EXPECTED, 6), 6)],
    ['amountRemitted', invoice.amountRemitted, formatUnits(paid - fee, 6)],
  ]
  for (const [field, actual, right] of figures) {
    if (actual === right) continue
    wrong += 1
    say(`${field} is ${actual}, expected ${right}`)
  }
  if (wrong > 0) throw new Error(`${wrong} amounts are wrong`)
  say('every unit is accounted for')
}
