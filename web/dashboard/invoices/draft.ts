import { CUSTOMER_EMAIL, PAYER_DESCRIPTION } from '../../../core/invoice/customer.ts'
import type { Token } from '../session/boot.ts'

/** A new invoice as its form has it. */
export interface InvoiceDraft {
  readonly amount: string
  /** The amount's currency (ISO 4217); empty for the token itself. */
  readonly currency: string
  readonly tokenSymbol: string
  readonly externalRef: string
  readonly description: string
  readonly customerEmail: string
  readonly expiresAt: Date | null
  readonly metadata: Readonly<Record<string, string>>
}

/** The choice of a date among those of how many hours an invoice can be paid. */
export const ON_A_DAY = 'day'
const HOUR_MS = 3_600_000

/** What is entered; `now` is when the form is sent. */
export function readDraft(
  fields: FormData,
  tokens: readonly Pick<Token, 'symbol'>[],
  now: number,
): InvoiceDraft {
  const text = (name: string) => String(fields.get(name) ?? '').trim()
  const unit = text('unit')
  const isToken = tokens.some(({ symbol }) => symbol === unit)
  const values = fields.getAll('value').map(String)
  const pairs = fields.getAll('key').map((key, line) => [String(key).trim(), values[line] ?? ''])
  return {
    amount: text('amountExpected'),
    currency: isToken ? '' : unit,
    tokenSymbol: isToken ? unit : text('tokenSymbol') || (tokens[0]?.symbol ?? ''),
    externalRef: text('externalRef'),
    description: text('description'),
    customerEmail: text('customerEmail').toLowerCase(),
    expiresAt: endOf(text('hours'), text('dueOn'), now),
    metadata: Object.fromEntries(pairs.filter(([key]) => key !== '')),
  }
}

/** The day ends in the reader's time zone. */
function endOf(hours: string, day: string, now: number): Date | null {
  if (hours === ON_A_DAY) return day === '' ? null : new Date(`${day}T23:59:59`)
  return hours === '' ? null : new Date(now + Number(hours) * HOUR_MS)
}

/** The draft as the API takes it; what was left empty is left out. */
export function bodyOf(draft: InvoiceDraft): Readonly<Record<string, unknown>> {
  const { amount, currency, tokenSymbol, externalRef, description, customerEmail } = draft
  const metadata = {
    ...draft.metadata,
    ...(description === '' ? {} : { [PAYER_DESCRIPTION]: description }),
    ...(customerEmail === '' ? {} : { [CUSTOMER_EMAIL]: customerEmail }),
  }
  return {
    amountExpected: amount,
    tokenSymbol,
    ...(currency === '' ? {} : { currency }),
    ...(externalRef === '' ? {} : { externalRef }),
    ...(draft.expiresAt === null ? {} : { expiresAt: draft.expiresAt.toISOString() }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}
