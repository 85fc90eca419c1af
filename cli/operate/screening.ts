import { userInfo } from 'node:os'
import { type Address, checksumAddress, parseAddress } from '../../core/chain/evm.ts'
import { addCommandEntry } from '../../store/events/audit.ts'
import {
  decideScreening,
  listScreenings,
  requestScreening,
  type Screening,
} from '../../store/screening/screenings.ts'
import { type CommandInput, type CommandSpec, misused } from '../terminal/command.ts'
import { withLedger } from '../terminal/ledger.ts'
import { ageText, orDash, table } from '../terminal/output.ts'

/** Payers on hold, and operators' decisions about them. */

const ADDRESS = { name: 'ADDRESS', about: "The payer's address" }
const NOTE = { value: 'TEXT', about: 'The reason, for the record (at most 200 characters)' }
const SHOWN = 1_000

const screeningList: CommandSpec = {
  words: ['screening', 'list'],
  about: 'List the payers whose money is held, or whose screening is unanswered.',
  details: `With SCREENING_URL, money is sent on only when the service there has answered "allow" for the address that
paid it. A service that doesn't answer is queried again automatically, at least every minute. With --address, the
record of that payer.`,
  options: { address: { value: 'ADDRESS', about: 'Only this payer, with any answer' } },
  examples: ['screening list', 'screening list --json'],
  async run(input) {
    const given = input.values.get('address')
    const address = given === undefined ? null : addressOf(input, given)
    const rows = await withLedger(input, (database) => listScreenings(database, address, SHOWN))
    return { json: { screenings: rows.map(shown) }, text: asTable(rows) }
  },
}

const screeningAllow: CommandSpec = {
  words: ['screening', 'allow'],
  about:
    "Release a payer's money regardless of the screening service, until you withdraw the decision.",
  argument: ADDRESS,
  options: { note: NOTE },
  examples: ['screening allow 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --note "case 12"'],
  run: (input) => decide(input, 'allow'),
}

const screeningRefuse: CommandSpec = {
  words: ['screening', 'refuse'],
  about:
    "Hold a payer's money regardless of the screening service, until you withdraw the decision.",
  details: `What was paid stays where it is, is neither sent on nor refunded, and requests that it pays for are refused.
Money that is already in transit is not stopped.`,
  argument: ADDRESS,
  options: { note: NOTE },
  examples: ['screening refuse 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --note "case 12"'],
  run: (input) => decide(input, 'hold'),
}

const screeningReset: CommandSpec = {
  words: ['screening', 'ask'],
  about: 'Withdraw a decision about a payer, and query the service again.',
  argument: ADDRESS,
  options: {},
  examples: ['screening ask 0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
  run: (input) => decide(input, null),
}

export const SCREENING_COMMANDS: readonly CommandSpec[] = [
  screeningList,
  screeningAllow,
  screeningRefuse,
  screeningReset,
]

const ACTIONS = { allow: 'allowPayer', hold: 'refusePayer' } as const

async function decide(input: CommandInput, verdict: 'allow' | 'hold' | null) {
  const address = addressOf(input, input.argument ?? '')
  const note = input.values.get('note') ?? null
  if ((note?.length ?? 0) > 200) throw misused(input, 'the note has more than 200 characters')
  const action = verdict === null ? 'askAboutPayer' : ACTIONS[verdict]
  const after = note === null ? null : { note }
  await withLedger(input, (database) =>
    database.begin(async (sql) => {
      const operator = userInfo().username
      await addCommandEntry(sql, { operator, action, objectId: address, after })
      if (verdict === null) await requestScreening(sql, address)
      else await decideScreening(sql, address, verdict, note)
    }),
  )
  const outcome = { allow: 'is released', hold: 'is held' } as const
  const what = verdict === null ? 'is pending until the service responds' : outcome[verdict]
  return {
    json: { address: checksumAddress(address), verdict },
    text: `money of ${checksumAddress(address)} ${what}`,
  }
}

function asTable(rows: readonly Screening[]): string {
  const now = Date.now()
  return table(
    rows,
    [
      { title: 'PAYER', cell: ({ address }) => checksumAddress(address) },
      { title: 'ANSWER', cell: ({ verdict }) => verdict ?? 'none yet' },
      { title: 'BY', cell: ({ decidedBy }) => orDash(decidedBy) },
      { title: 'SINCE', cell: ({ since }) => ageText(now - since.getTime()) },
      { title: 'INVOICES', cell: ({ invoices }) => invoices.toString(), isFigure: true },
      { title: 'REASON', cell: ({ note, fault }) => orDash(note ?? fault) },
    ],
    'No payer has money on hold.',
  )
}

function shown({ address, ...rest }: Screening) {
  return { address: checksumAddress(address), ...rest }
}

function addressOf(input: CommandInput, text: string): Address {
  const address = parseAddress(text)
  if (address === null) throw misused(input, 'an address is required, e.g. 0x7099...79C8')
  return address
}
