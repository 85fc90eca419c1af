import { openChain } from '../../chain/rpc/client.ts'
import { proveUnpaid } from '../../chain/x402/unpaid.ts'
import {
  type Decision,
  endReview,
  findReview,
  holdSweeps,
  isPayment,
  type Review,
  readReviews,
  retryReview,
} from '../../store/books/reviews.ts'
import type { Database } from '../../store/database/database.ts'
import { readAlarms } from '../../store/turns/alarms.ts'
import {
  type Quarantined,
  readQuarantine,
  releaseQuarantined,
} from '../../store/turns/quarantine.ts'
import { readSettles } from '../../store/x402/work.ts'
import { CommandError, type CommandInput, type CommandSpec, misused } from '../terminal/command.ts'
import { requireConfig } from '../terminal/environment.ts'
import { withLedger } from '../terminal/ledger.ts'
import { refused } from '../terminal/nodes.ts'
import { ageText, orDash, table } from '../terminal/output.ts'

/** Relayers' work that is in review or quarantined. */

const ID = { name: 'ID', about: "The work item's number, as shown by `work list`" }

const workList: CommandSpec = {
  words: ['work', 'list'],
  about: 'List work that needs review, and quarantined work.',
  details: `Quarantined work is retried automatically, at increasing intervals, or at once after \`work release\`. Meanwhile
its money stays reserved and its claims are kept. Work in review is not retried: send it again with \`work retry\`,
or end it with \`work fail\`. Neither can pay anything twice.`,
  options: { chain: { value: 'ID', about: 'Only this chain' } },
  examples: ['work list', 'work list --chain base --json'],
  async run(input) {
    const chain = input.values.get('chain') ?? null
    return await withLedger(input, async (database) => {
      const [reviews, alarms, quarantined] = await Promise.all([
        readReviews(database, chain),
        readAlarms(database),
        readQuarantine(database, chain),
      ])
      const alarmed = alarms.filter(
        ({ kind, networkId }) =>
          (kind === 'aside' || kind === 'refused') && (chain === null || networkId === chain),
      )
      const now = Date.now()
      const text = [
        table(
          reviews,
          [
            { title: 'ID', cell: ({ id }) => id.toString(), isFigure: true },
            { title: 'CHAIN', cell: ({ networkId }) => networkId },
            { title: 'KIND', cell: ({ kind }) => kind },
            { title: 'SINCE', cell: ({ since }) => ageText(now - since.getTime()) },
            { title: 'OF', cell: ({ subject }) => orDash(subject) },
            { title: 'WHICH IS', cell: ({ status }) => orDash(status) },
            { title: 'REASON', cell: ({ error }) => orDash(error) },
          ],
          'No work needs review.',
        ),
        ...(alarmed.length === 0 ? [] : ['', quarantinedTable(alarmed, now)]),
        ...(quarantined.length === 0 ? [] : ['', quarantineTable(quarantined, now)]),
      ].join('\n')
      return { json: { reviews, aside: alarmed, quarantined }, text }
    })
  },
}

function quarantinedTable(alarmed: Awaited<ReturnType<typeof readAlarms>>, now: number): string {
  return table(
    alarmed,
    [
      { title: 'QUARANTINED OR REFUSED', cell: ({ subject }) => subject },
      { title: 'CHAIN', cell: ({ networkId }) => networkId },
      { title: 'BY', cell: ({ workerId }) => workerId },
      { title: 'SINCE', cell: ({ since }) => ageText(now - since.getTime()) },
      { title: 'REASON', cell: ({ detail }) => detail },
    ],
    '',
  )
}

function quarantineTable(quarantined: readonly Quarantined[], now: number): string {
  return table(
    quarantined,
    [
      { title: 'QUARANTINE', cell: ({ id }) => id.toString(), isFigure: true },
      { title: 'CHAIN', cell: ({ networkId }) => networkId },
      { title: 'WHAT', cell: ({ part, subject }) => `${part} ${subject}` },
      { title: 'SINCE', cell: ({ firstAt }) => ageText(now - firstAt.getTime()) },
      { title: 'TIMES', cell: ({ times }) => times.toString(), isFigure: true },
      {
        title: 'NEXT TRY IN',
        cell: ({ retryAt }) => ageText(Math.max(0, retryAt.getTime() - now)),
      },
      { title: 'FAULT', cell: ({ fault }) => fault },
      { title: 'REASON', cell: ({ reason }) => reason },
    ],
    '',
  )
}

const workRelease: CommandSpec = {
  words: ['work', 'release'],
  about: 'Retry quarantined work immediately.',
  details: `The retry reads the chain before it decides, books what confirmed blocks show, by any sender, and moves no money
twice. Work that fails again is quarantined again, for longer.`,
  argument: { name: 'ID', about: 'The number under QUARANTINE, as shown by `work list`' },
  options: {},
  examples: ['work release 12'],
  async run(input) {
    const id = itemId(input)
    return await withLedger(input, async (database) => {
      const released = await releaseQuarantined(database, id)
      if (released === null) throw new CommandError([`there is no quarantine ${id}`])
      const { part, subject } = released
      return {
        json: { id, part, subject },
        text: `${part} ${subject} will be retried within seconds`,
      }
    })
  },
}

const workHold: CommandSpec = {
  words: ['work', 'hold'],
  about: 'Move the queued sweeps of a chain to review.',
  details: `Use this if the database has lost what was sent, before its relayers send again. When the keys are active again,
retry each item with \`work retry\`; completed sweeps are found and booked.`,
  options: { chain: { value: 'ID', about: 'The chain' } },
  examples: ['work hold --chain base'],
  async run(input) {
    const chain = input.values.get('chain')
    if (chain === undefined) throw misused(input, 'a chain is required, e.g. --chain base')
    return await withLedger(input, async (database) => {
      const sweeps = await holdSweeps(database, chain)
      return { json: { chain, sweeps }, text: `${sweeps} sweeps of ${chain} need review` }
    })
  },
}

const workRetry: CommandSpec = {
  words: ['work', 'retry'],
  about: 'Retry work that needs review, alone in its transaction.',
  details: `Only while the ledger still expects it: a sweep or refund that is open, a payment that is pending, or work
that moves no money of its own. It can't pay twice, because its last transaction ended without it at the
chain's confirmations, and the hub or the token accepts it only once. After three more attempts it needs review again.`,
  argument: ID,
  options: {},
  examples: ['work retry 1042'],
  async run(input) {
    const id = itemId(input)
    return await withLedger(input, async (database) => {
      const decision = await retryReview(database, id)
      if (!decision.ok) throw new CommandError([`${name(id, decision)}: it can't be retried`])
      return { json: { id, state: 'queued' }, text: `work item ${id} is queued again` }
    })
  },
}

const workFail: CommandSpec = {
  words: ['work', 'fail'],
  about: 'Mark work that needs review as failed, if it is proven that no money moved.',
  details: `A sweep or refund must have failed by the ledger, which then has planned its money again or freed it. A refund
that was never signed can be ended as well; the chain's leader then frees its money within minutes. For a
pending payment the chain is read, at its confirmations: its authorization expired unused, was cancelled,
or was used in a block without the receiver's balance rising and without a payout of it; the merchant is
notified of the failure. Work that moves no money of its own can always be ended. Everything else is refused:
retry it, or wait.`,
  argument: ID,
  options: {},
  examples: ['work fail 1042'],
  async run(input) {
    const id = itemId(input)
    return await withLedger(input, async (database) => {
      const review = await findReview(database, id)
      const reason = review === null ? null : await unpaidReason(input, database, review)
      const decision = await endReview(database, id, reason)
      if (!decision.ok) {
        throw new CommandError([`${name(id, decision)}: there is no proof that no money moved`])
      }
      return { json: { id, state: 'failed', reason }, text: `work item ${id} has failed` }
    })
  },
}

export const WORK_COMMANDS: readonly CommandSpec[] = [
  workList,
  workRelease,
  workHold,
  workRetry,
  workFail,
]

/** The reason why a pending payment has failed. Null for other work; throws without a proof. */
async function unpaidReason(
  input: CommandInput,
  database: Database,
  review: Review,
): Promise<string | null> {
  if (!isPayment(review) || review.status !== 'pending') return null
  const chain = requireConfig(input).chains.find(({ networkId }) => networkId === review.networkId)
  const [row] = await readSettles(database, [review.id])
  if (chain === undefined || row === undefined) {
    throw new CommandError([
      `${review.networkId} is not configured: set its RPC URL, since its node must be read`,
    ])
  }
  const proof = await proveUnpaid(openChain(chain), row).catch((error: unknown) =>
    refused(chain.networkId, error),
  )
  if (!proof.isUnpaid)
    throw new CommandError([`work item ${review.id} was not ended: ${proof.why}`])
  return proof.reason
}

function name(id: bigint, { review }: Decision): string {
  if (review === null) return `work item ${id} does not need review`
  const { kind, subject, status } = review
  return `work item ${id} is a ${kind} of ${orDash(subject)}, which is ${orDash(status)}`
}

function itemId(input: CommandInput): bigint {
  const text = input.argument ?? ''
  if (!/^[0-9]{1,18}$/.test(text)) throw misused(input, `ID must be a number, not ${text}`)
  return BigInt(text)
}
