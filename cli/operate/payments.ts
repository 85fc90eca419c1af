import { asX402PaymentId } from '../../core/base/ids.ts'
import { checksumAddress } from '../../core/chain/evm.ts'
import { ALL_CHAINS } from '../../core/chain/registry.ts'
import { presentX402Payment } from '../../core/x402/presentPayment.ts'
import {
  findOperatorPayment,
  listOperatorPayments,
  type OperatorFilter,
  type OperatorPayment,
  retryPayment,
} from '../../store/books/operatorPayments.ts'
import { CommandError, type CommandInput, type CommandSpec } from '../terminal/command.ts'
import { requireMerchant, withLedger } from '../terminal/ledger.ts'
import { choice, idArgument, merchantOption } from '../terminal/options.ts'
import { ageText, columns, orDash, table } from '../terminal/output.ts'
import { PAGE_OPTIONS, pageText, pagination, readPage } from '../terminal/pages.ts'

/** x402 payments of all merchants, and those in review. */

const STATUSES = ['pending', 'settled', 'failed', 'review'] as const

const paymentsList: CommandSpec = {
  words: ['payments', 'list'],
  about: 'List x402 payments of all merchants, the newest first.',
  details: `Age is the time since the first settle. A payment in review failed several times although the chain
reports that it should succeed: check its transactions, then \`payments retry\` it, or let its authorization expire.`,
  options: {
    status: { value: 'STATUS', about: `Only payments with this status: ${STATUSES.join(', ')}` },
    merchant: { value: 'ID', about: 'Only payments of this merchant' },
    chain: { value: 'ID', about: 'Only payments on this chain' },
    ...PAGE_OPTIONS,
  },
  examples: [
    'payments list --status pending',
    'payments list --status failed --merchant 0198c5b4-7f1e-7000-8000-5d5d1c1f0a11 --json',
  ],
  async run(input) {
    const filter = filterOf(input)
    const page = readPage(input)
    return await withLedger(input, async (database) => {
      if (filter.merchantId !== undefined) await requireMerchant(database, filter.merchantId)
      const found = await listOperatorPayments(database, filter, page)
      const payments = found.payments.map(present)
      const shown = pagination(page, found.total)
      return {
        json: { payments, pagination: shown },
        text: [paymentTable(payments, new Date()), ...pageText(shown, 'payments')].join('\n'),
      }
    })
  },
}

const ID = { name: 'ID', about: "The payment's id" }

const paymentsShow: CommandSpec = {
  words: ['payments', 'show'],
  about: 'Show an x402 payment with its work item.',
  argument: ID,
  options: {},
  examples: ['payments show 0198c5b6-2c52-7000-8000-2f0f8be3a4d2 --json'],
  async run(input) {
    const id = idArgument(input, asX402PaymentId)
    return await withLedger(input, async (database) => {
      const found = await findOperatorPayment(database, id)
      if (!found) throw new CommandError([`there is no payment ${id}`])
      const shown = present(found)
      return { json: shown, text: paymentText(shown, new Date()) }
    })
  },
}

const paymentsRetry: CommandSpec = {
  words: ['payments', 'retry'],
  about: 'Retry an x402 payment that is in review.',
  details: `Only for payments in review. The worker sends it at its next tick. No money can move twice, because the
token accepts an authorization only once.`,
  argument: ID,
  options: {},
  examples: ['payments retry 0198c5b6-2c52-7000-8000-2f0f8be3a4d2'],
  async run(input) {
    const id = idArgument(input, asX402PaymentId)
    return await withLedger(input, async (database) => {
      if (!(await retryPayment(database, id))) {
        throw new CommandError([whyNot(id, await findOperatorPayment(database, id))])
      }
      const found = await findOperatorPayment(database, id)
      return {
        json: { id, work: found?.work ?? null },
        text: `payment ${id} is queued again`,
      }
    })
  },
}

export const PAYMENT_COMMANDS: readonly CommandSpec[] = [paymentsList, paymentsShow, paymentsRetry]

function whyNot(id: string, found: OperatorPayment | null): string {
  if (!found) return `there is no payment ${id}`
  const { payment, work } = found
  if (payment.status !== 'pending') return `payment ${id} is ${payment.status}: nothing to retry`
  return `payment ${id} is not in review: its work is ${work?.state ?? 'missing (see `remit reconcile`)'}`
}

function filterOf(input: CommandInput): OperatorFilter {
  return {
    status: choice(input, 'status', STATUSES),
    merchantId: input.values.has('merchant') ? merchantOption(input) : undefined,
    networkId: choice(
      input,
      'chain',
      ALL_CHAINS.map((chain) => chain.networkId),
    ),
  }
}

type Shown = ReturnType<typeof present>

function present({ payment, work }: OperatorPayment) {
  const chain = ALL_CHAINS.find(({ networkId }) => networkId === payment.networkId)
  if (!chain)
    throw new CommandError([
      `payment ${payment.id} is on ${payment.networkId}, which the registry no longer has`,
    ])
  return { ...presentX402Payment(payment, chain), work }
}

function paymentTable(payments: readonly Shown[], now: Date): string {
  return table(
    payments,
    [
      { title: 'ID', cell: (payment) => payment.id },
      { title: 'STATUS', cell: statusText },
      { title: 'AGE', cell: (payment) => ageOf(payment, now), isFigure: true },
      { title: 'CHAIN', cell: (payment) => payment.networkId },
      { title: 'AMOUNT', cell: (payment) => payment.amount, isFigure: true },
      { title: 'TOKEN', cell: (payment) => payment.tokenSymbol },
      { title: 'REASON', cell: (payment) => orDash(payment.error ?? payment.work?.error) },
      { title: 'TRANSACTION', cell: (payment) => orDash(hashOf(payment)) },
    ],
    'No payment matches.',
  )
}

function statusText({ status, work }: Shown): string {
  return work?.state === 'review' ? `${status} (review)` : status
}

function ageOf({ createdAt }: Shown, now: Date): string {
  return ageText(now.getTime() - Date.parse(createdAt))
}

/** The transaction of the payment, or else the newest attempt. */
function hashOf({ transaction, work }: Shown): string | null {
  return transaction ?? work?.attempt ?? null
}

function paymentText(payment: Shown, now: Date): string {
  const { work } = payment
  return columns([
    ['id', payment.id],
    ['merchant', payment.merchantId],
    ['endpoint', orDash(payment.endpointId)],
    ['status', statusText(payment)],
    ['reason', orDash(payment.error)],
    ['amount', `${payment.amount} ${payment.tokenSymbol} on ${payment.networkId}`],
    ['fee', orDash(payment.fee)],
    ['payer', checksumAddress(payment.payer)],
    ['payTo', payment.payTo],
    ['nonce', payment.nonce],
    ['valid', `${unixTime(payment.validAfter)} to ${unixTime(payment.validBefore)}`],
    ['transaction', orDash(hashOf(payment))],
    ['created', `${payment.createdAt} (${ageOf(payment, now)} ago)`],
    ['settled', orDash(payment.settledAt)],
    ['confirmed', orDash(payment.confirmedAt)],
    ['work', orDash(work && [work.state, work.error].filter((part) => part !== null).join(': '))],
    ['tries', orDash(work?.tries.toString())],
  ])
}

/** The latest time of JavaScript's dates, in Unix seconds. */
const LATEST = 8_640_000_000_000n

function unixTime(seconds: string): string {
  const time = BigInt(seconds)
  return time > LATEST ? 'for ever' : new Date(Number(time) * 1_000).toISOString()
}
