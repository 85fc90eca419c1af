import { formatAmount } from '../../../core/base/money.ts'
import { chainsOf } from '../../../core/chain/registry.ts'
import { TOKENS } from '../../../core/chain/tokens.ts'
import { MAX_EXTERNAL_REF_LENGTH } from '../../../core/invoice/creation.ts'
import { MATCHES, MOST_FOUND, searchTerms } from '../../../core/invoice/search.ts'
import { type FoundInvoice, searchInvoices } from '../../../store/invoice/list/search.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendObject } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { INVOICE_ID } from '../../request/examples.ts'
import type { Parameter } from '../../request/parameter.ts'
import { textParameter } from '../../request/parameter.ts'
import { queryOf } from '../../request/query.ts'
import { one } from '../../request/responses.ts'
import {
  amount,
  type DocumentedSchema,
  list,
  named,
  optionalText,
  text,
  time,
  uuid,
} from '../../request/schema.ts'

/** GET /v1/search. */

export type FoundInvoiceJson = ReturnType<typeof presentFound>

export function presentFound(found: FoundInvoice) {
  return {
    kind: found.match,
    invoiceId: found.id,
    reference: found.reference,
    externalRef: found.externalRef,
    status: found.status,
    amountExpected: formatAmount(found.amountExpected, TOKENS[found.tokenSymbol].decimals),
    tokenSymbol: found.tokenSymbol,
    createdAt: found.createdAt.toISOString(),
  }
}

const fields = {
  kind: text('The field that matched.', 'external_ref', { enum: [...MATCHES] }),
  invoiceId: uuid('The invoice.', INVOICE_ID),
  reference: text('Its reference.', 'K7QX2M9PTA'),
  externalRef: optionalText("The caller's own reference.", 'order-1042'),
  status: text('Its status.', 'paid', { enum: ['pending', 'partial', 'paid', 'completed'] }),
  amountExpected: amount('The amount due.', '12.5'),
  tokenSymbol: text('Its token.', 'USDC'),
  createdAt: time('When it was created.', '2026-08-01T12:00:00.000Z'),
} satisfies Record<keyof ReturnType<typeof presentFound>, DocumentedSchema>

const given = textParameter('The search text.', 'order-10', MAX_EXTERNAL_REF_LENGTH)
const QUERY = queryOf<{ readonly q: string }>({ q: required(given) })

export const searchRoute = route({
  operation: 'GET /v1/search',
  access: 'merchant',
  query: QUERY,
  summary: 'Search invoices',
  description:
    'By id, externalRef or reference, or their first 4 or more characters, transaction hash, deposit ' +
    `address, or payer: at most ${MOST_FOUND}, the best matches first.`,
  operationId: 'search',
  successes: {
    200: one('The results.', list('Invoices.', named('Found', 'A matching invoice.', fields))),
  },
  handle: async (deps, { exchange, caller: { merchantId }, query: { q } }) => {
    const networkIds = chainsOf(deps.config.environment).map(({ networkId }) => networkId)
    const found = await guardDatabase(deps, (sql) =>
      searchInvoices(sql, merchantId, searchTerms(q), networkIds),
    )
    return sendObject(exchange, 200, found.map(presentFound))
  },
})

/** A parameter that can't be left out. */
export function required<T>({ documented, read }: Parameter<T | undefined>): Parameter<T> {
  return {
    documented,
    isRequired: true,
    read(sent, config) {
      const parsed = read(sent, config)
      if (!parsed.ok) return parsed
      const { value } = parsed
      return value === undefined ? { ok: false, message: 'is required' } : { ok: true, value }
    },
  }
}
