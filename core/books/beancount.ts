import { formatAmount, type TokenDecimals } from '../base/money.ts'
import { checksumAddress } from '../chain/evm.ts'
import type { Account, Entry } from './entry.ts'

/** Entries as a ledger of Beancount (version 2 and 3), which hledger and Fava read, too. */

const NAMES: Readonly<Record<Account, string>> = {
  deposits: 'Assets:Remit:Deposits',
  forwarder: 'Assets:Remit:Forwarder',
  treasury: 'Assets:Remit:Treasury',
  sales: 'Income:Remit:Sales',
  late_payments: 'Income:Remit:LatePayments',
  other_deposits: 'Income:Remit:OtherDeposits',
  own_addresses: 'Assets:Remit:OwnAddresses',
  x402_sales: 'Income:Remit:X402',
  fees: 'Expenses:Remit:Fees',
  fees_owed: 'Liabilities:Remit:FeesOwed',
  refunds: 'Expenses:Remit:Refunds',
}

const WORDS: Readonly<Record<Entry['type'], string>> = {
  payment: 'Payment',
  late_payment: 'Late payment',
  other_deposit: 'Other deposit',
  settlement: 'Settlement',
  refund: 'Refund',
  external_refund: 'Refund from the treasury',
  x402_payment: 'x402 payment',
  x402_direct: 'x402 payment to an own address',
  x402_payout: 'x402 payout',
  x402_refund: 'x402 refund',
}

/** The name of an account on a chain. */
export function accountName(account: Account, networkId: string): string {
  const chain = networkId.replaceAll(/(^|-)([a-z0-9])/g, (_, dash: string, letter: string) => {
    return `${dash}${letter.toUpperCase()}`
  })
  return `${NAMES[account]}:${chain}`
}

/** The first lines of a ledger. */
export function ledgerHead(title: string): string {
  return `option "title" ${quoted(title)}\n`
}

/** Before any entry: they don't come by their day. */
const OPENED_ON = '1970-01-01'

/** Writes entries, and opens each account with its first one. */
export class LedgerText {
  private readonly opened = new Set<string>()

  of(entry: Entry): string {
    const { networkId, commodity, decimals, reference, externalRef, txHash } = entry
    const lines = entry.postings.map(({ account, amount }) => {
      const name = accountName(account, networkId)
      return { name, text: `  ${name}  ${signed(amount, decimals)} ${commodity}` }
    })
    const openings = lines.flatMap(({ name }) => {
      if (this.opened.has(name)) return []
      this.opened.add(name)
      return [`${OPENED_ON} open ${name}`]
    })
    const subject = reference === null ? '' : ` ${reference}`
    return [
      ...openings,
      '',
      `${dayOf(entry.at)} * "Remit" ${quoted(`${WORDS[entry.type]}${subject}`)}`,
      `  id: ${quoted(entry.id)}`,
      ...(externalRef === null ? [] : [`  externalref: ${quoted(externalRef)}`]),
      ...(txHash === null ? [] : [`  transaction: ${quoted(txHash)}`]),
      `  token: ${quoted(checksumAddress(entry.token))}`,
      ...lines.map(({ text }) => text),
      '',
    ].join('\n')
  }
}

export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

export function signed(amount: bigint, decimals: TokenDecimals): string {
  return amount < 0n ? `-${formatAmount(-amount, decimals)}` : formatAmount(amount, decimals)
}

/** A string in one line: what merchants wrote can't end it, and begins no line of its own. */
function quoted(text: string): string {
  const plain = text.replaceAll(/\p{Cc}/gu, ' ')
  return `"${plain.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
