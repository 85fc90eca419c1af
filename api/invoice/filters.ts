import { invalid } from '../../core/base/errors.ts'
import { parseAmount } from '../../core/base/money.ts'
import { chainsOf } from '../../core/chain/registry.ts'
import type { Environment } from '../../core/chain/table.ts'
import { TOKEN_SYMBOLS, TOKENS } from '../../core/chain/tokens.ts'
import { MAX_EXTERNAL_REF_LENGTH, MAX_METADATA_BYTES } from '../../core/invoice/creation.ts'
import type { InvoiceStatus } from '../../core/invoice/state.ts'
import type {
  AmountRange,
  InvoiceFilter,
  MetadataEntry,
} from '../../store/invoice/list/selection.ts'
import { HASH, PAYER } from '../request/examples.ts'
import {
  addressParameter,
  choiceParameter,
  createdParameters,
  flagParameter,
  hashParameter,
  type Parameter,
  referenceParameter,
  textParameter,
  timeParameter,
} from '../request/parameter.ts'
import { object, partial, text } from '../request/schema.ts'

/** Filters of the list of invoices. They combine. */

const STATUSES: readonly InvoiceStatus[] = ['pending', 'partial', 'paid', 'completed']

export const INVOICE_FILTERS = {
  status: choiceParameter('Only invoices with this status.', 'paid', STATUSES),
  externalRef: textParameter(
    'Only the invoice with this externalRef.',
    'order-1042',
    MAX_EXTERNAL_REF_LENGTH,
  ),
  reference: referenceParameter(
    'Only the invoice with this reference.',
    'K7QX2M9PTA',
    MAX_EXTERNAL_REF_LENGTH,
  ),
  ...createdParameters('invoices created'),
  paidFrom: timeParameter('Only invoices paid at this time or later.', '2026-08-01T00:00:00Z'),
  paidTo: timeParameter('Only invoices paid at this time or earlier.', '2026-08-31T23:59:59Z'),
  amountFrom: amountParameter('Only invoices with at least this amount due.', '10'),
  amountTo: amountParameter('Only invoices with at most this amount due.', '12.5'),
  tokenSymbol: choiceParameter('Only invoices in this token.', 'USDC', TOKEN_SYMBOLS),
  metadata: metadataParameter(),
  payer: addressParameter(
    text('Only invoices with a payment from this address.', PAYER.toLowerCase()),
  ),
  txHash: hashParameter(text('Only invoices with a payment in this transaction.', HASH)),
  expired: flagParameter('Only unpaid invoices past their expiry, or only others.', true),
}

type Sent = { [K in keyof typeof INVOICE_FILTERS]: SentBy<(typeof INVOICE_FILTERS)[K]> }
type SentBy<P> = P extends Parameter<infer T> ? T : never

/** The filter of a query. */
export function invoiceFilter(sent: Sent, environment: Environment): InvoiceFilter {
  const { amountFrom, amountTo, txHash, reference, ...others } = sent
  const networkIds = chainsOf(environment).map(({ networkId }) => networkId)
  return {
    ...others,
    // References are upper case; users may type them in lower case.
    ...(reference === undefined ? {} : { reference: reference.toUpperCase() }),
    ...(amountFrom || amountTo ? { amounts: rangesOf(amountFrom, amountTo) } : {}),
    ...(txHash ? { payment: { hash: txHash, networkIds } } : {}),
  }
}

function rangesOf(from: string | undefined, to: string | undefined): AmountRange[] {
  return TOKEN_SYMBOLS.map((tokenSymbol) => {
    const inUnits = (amount: string | undefined) => {
      const parsed = amount === undefined ? null : parseAmount(amount, TOKENS[tokenSymbol].decimals)
      return parsed?.ok ? parsed.amount : null
    }
    return { tokenSymbol, from: inUnits(from), to: inUnits(to) }
  })
}

/** An amount that is valid for every token. */
function amountParameter(description: string, example: string): Parameter<string | undefined> {
  return {
    documented: text(`${description} In the token's major unit.`, example),
    read(sent) {
      for (const symbol of TOKEN_SYMBOLS) {
        const parsed = parseAmount(sent, TOKENS[symbol].decimals)
        if (!parsed.ok) return parsed
      }
      return { ok: true, value: sent }
    },
  }
}

function metadataParameter(): Parameter<MetadataEntry | undefined> {
  const description =
    'Only invoices with this metadata: `metadata.cart=c-77` or `metadata[cart]=c-77`.'
  const value = text('The value as text.', 'c-77')
  return {
    documented: { ...object(description, partial({ cart: value })), additionalProperties: value },
    isKeyed: true,
    read(value, _config, key = '') {
      const isFitting =
        key.length + value.length <= MAX_METADATA_BYTES && !`${key}${value}`.includes('\0')
      return isFitting
        ? { ok: true, value: { key, value } }
        : invalid('is longer than any metadata')
    },
  }
}
