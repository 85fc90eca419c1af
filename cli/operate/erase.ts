import { userInfo } from 'node:os'
import { parseEmail } from '../../core/access/invitation.ts'
import { asInvoiceId, isUuid } from '../../core/base/ids.ts'
import { parseAddress } from '../../core/chain/evm.ts'
import { type Erasure, erase } from '../../store/operate/erase.ts'
import type { Subject } from '../../store/operate/subject.ts'
import { CommandError, type CommandInput, type CommandSpec, misused } from '../terminal/command.ts'
import { withLedger } from '../terminal/ledger.ts'
import { merchantOption } from '../terminal/options.ts'
import { table } from '../terminal/output.ts'

export const eraseCommand: CommandSpec = {
  words: ['erase'],
  about: 'Erase the personal data of a payer or a user.',
  details: `With an email address: the user's account, their names, addresses and browsers in the audit log, their emails,
invitations and saved views, and metadata of invoices that contains the address. With a payer's address, a refund
address, an invoice or a metadata entry: all metadata, refund addresses and references of these invoices, and their
copies in events, webhook responses, stored responses and the audit log.
Money is not affected: amounts, transfers, the public accounts that made them, and reports stay unchanged. The command
can be repeated. The audit log records the erasure without the data. Finally every text in the database is searched for
the email address or the value. Not erased: logs, backups, and what merchants have received. Limit the retention of
backups.`,
  options: {
    email: { value: 'ADDRESS', about: 'The address of a user, or of a customer in metadata' },
    payer: { value: 'ADDRESS', about: 'The account of a payer' },
    'refund-address': { value: 'ADDRESS', about: 'The refund address of a payer' },
    invoice: { value: 'ID', about: 'An invoice' },
    metadata: { value: 'KEY=VALUE', about: 'Invoices of --merchant with this entry' },
    merchant: { value: 'ID', about: 'The merchant of the metadata; only with --metadata' },
    'dry-run': { about: 'Only list what would be erased' },
  },
  examples: [
    'erase --email ada@example.com --dry-run',
    'erase --metadata customer=4711 --merchant 0198c5b4-7f1e-7000-8000-5d5d1c1f0a11',
  ],
  async run(input) {
    const subject = subjectOf(input)
    const isTrial = input.switches.has('dry-run')
    const operator = userInfo().username
    return await withLedger(input, async (database) => {
      const erasure = await erase(database, subject, { operator, isTrial })
      const { ownerless, remains } = erasure
      if (ownerless.length > 0) {
        throw new CommandError([
          `nothing was erased: they are the only owner of ${ownerless.join(', ')}; invite another one first, with \`bun run remit merchant invite\``,
        ])
      }
      const json = { by: subject.type, dryRun: isTrial, ...erasure }
      return { json, text: textOf(erasure, isTrial), exitCode: remains.length > 0 ? 1 : 0 }
    })
  },
}

function textOf({ rows, remains }: Erasure, isTrial: boolean): string {
  const verb = isTrial ? 'WOULD CHANGE' : 'CHANGED'
  const changed = table(
    Object.entries(rows),
    [
      { title: 'TABLE', cell: ([name]) => name },
      { title: verb, cell: ([, count]) => String(count), isFigure: true },
    ],
    'There is nothing to erase.',
  )
  const left = remains.map(({ table: name, column, rows: count }) => {
    return `${count} rows of ${name}, column ${column}, still contain it: check them`
  })
  return [changed, ...left].join('\n')
}

const WAYS = ['email', 'payer', 'refund-address', 'invoice', 'metadata'] as const

function subjectOf(input: CommandInput): Subject {
  const given = WAYS.filter((way) => input.values.has(way))
  const [way] = given
  if (given.length !== 1 || way === undefined) {
    throw misused(input, `exactly one of ${WAYS.map((one) => `--${one}`).join(', ')} is required`)
  }
  const value = input.values.get(way) ?? ''
  switch (way) {
    case 'email': {
      const parsed = parseEmail(value)
      if (!parsed.ok) throw misused(input, `--email ${parsed.message}`)
      return { type: 'email', email: parsed.email }
    }
    case 'payer':
      return { type: 'payer', address: addressOf(input, way, value) }
    case 'refund-address':
      return { type: 'refundAddress', address: addressOf(input, way, value) }
    case 'invoice':
      if (!isUuid(value)) throw misused(input, `--invoice must be an invoice's id, not ${value}`)
      return { type: 'invoice', invoiceId: asInvoiceId(value) }
    case 'metadata': {
      const at = value.indexOf('=')
      if (at < 1) throw misused(input, '--metadata must be KEY=VALUE')
      const merchantId = merchantOption(input)
      return { type: 'metadata', merchantId, key: value.slice(0, at), value: value.slice(at + 1) }
    }
    default:
      return way satisfies never
  }
}

function addressOf(input: CommandInput, way: string, value: string) {
  const address = parseAddress(value)
  if (address === null) throw misused(input, `--${way} must be an account's address, not ${value}`)
  return address
}
