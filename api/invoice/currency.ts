import type { InvoiceFiat } from '../../core/fiat/quote.ts'
import { DECIMAL, type DocumentedSchema, named, optional, text, time } from '../request/schema.ts'

/** Amounts in money of a country, in requests and as they are shown. */

export const currencyField = optional(
  text(
    'What the amount is in (ISO 4217): converted into the token, and rounded up, when the invoice is ' +
      'made. Omitted, the amount is in the token.',
    'EUR',
    { pattern: '^[A-Z]{3}$' },
  ),
  { isShown: false },
)

export const fiatSchema = named(
  'InvoiceFiat',
  'What was converted; null for an amount of the token.',
  {
    currency: text('ISO 4217.', 'EUR'),
    amount: text('The requested amount, in its major unit.', '11.5', { pattern: DECIMAL }),
    rate: text('How much of the token one unit of it is.', '1.0834', { pattern: DECIMAL }),
    at: time('The moment of which the rate is.', '2026-08-01T11:59:30.000Z'),
    source: text(
      'The source of the rate; `fixed` for the currency that the token represents.',
      'fixed',
    ),
  } satisfies Record<keyof InvoiceFiat, DocumentedSchema>,
)
