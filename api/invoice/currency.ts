import type { InvoiceFiat } from '../../core/fiat/quote.ts'
import { DECIMAL, type DocumentedSchema, named, optional, text, time } from '../request/schema.ts'

/** Amounts in fiat currencies, in requests and responses. */

export const currencyField = optional(
  text('ISO 4217, converted to the token and rounded up; omitted, the token.', 'EUR', {
    pattern: '^[A-Z]{3}$',
  }),
  { isShown: false },
)

export const fiatSchema = named('InvoiceFiat', 'The conversion; null for an amount in the token.', {
  currency: text('ISO 4217.', 'EUR'),
  amount: text('The requested amount, in its major unit.', '11.5', { pattern: DECIMAL }),
  rate: text('The price of one unit of the currency in the token.', '1.0834', { pattern: DECIMAL }),
  at: time('The time of the rate.', '2026-08-01T11:59:30.000Z'),
  source: text(
    'The source of the rate; `fixed` for the currency that the token represents.',
    'fixed',
  ),
} satisfies Record<keyof InvoiceFiat, DocumentedSchema>)
