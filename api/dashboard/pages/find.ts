import { chainsOf } from '../../../core/chain/registry.ts'
import { MAX_EXTERNAL_REF_LENGTH } from '../../../core/invoice/creation.ts'
import { CUSTOMER_EMAIL } from '../../../core/invoice/customer.ts'
import { searchTerms } from '../../../core/invoice/search.ts'
import { presentListedRefund } from '../../../core/refund/listedRefund.ts'
import {
  findByHash,
  findById,
  findByWords,
  findCustomer,
  findPayer,
} from '../../../store/dashboard/find.ts'
import { searchInvoices } from '../../../store/invoice/list/search.ts'
import { findRefunds } from '../../../store/refund/list.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendObject } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { textParameter } from '../../request/parameter.ts'
import { queryOf } from '../../request/query.ts'
import { one } from '../../request/responses.ts'
import { text } from '../../request/schema.ts'
import { presentFound, required } from './search.ts'

/** GET /v1/find: the search of all pages. */

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
/** Shorter text is in too much. */
const SHORTEST_WORDS = 3

const given = textParameter('The search text.', 'order-10', MAX_EXTERNAL_REF_LENGTH)
const QUERY = queryOf<{ readonly q: string }>({ q: required(given) })

export const findRoute = route({
  operation: 'GET /v1/find',
  access: 'merchant',
  query: QUERY,
  summary: 'Find anything',
  description:
    'Invoices as by `GET /v1/search`, refunds and other objects by id, transaction or address, customers by ' +
    'email address, endpoints and payment links by their words.',
  operationId: 'find',
  successes: { 200: one('The results.', text('All of them.', '{}')) },
  handle: async (deps, { exchange, caller: { merchantId }, query: { q } }) => {
    const networkIds = chainsOf(deps.config.environment).map(({ networkId }) => networkId)
    const terms = searchTerms(q)
    const { externalRef: words, invoiceId: id, txHash, address } = terms
    const isPlain = id === null && txHash === null && address === null
    const [invoices, refunds, ...objects] = await guardDatabase(deps, (sql) =>
      Promise.all([
        searchInvoices(sql, merchantId, terms, networkIds),
        findRefunds(sql, merchantId, { id, txHash }),
        id === null ? [] : findById(sql, merchantId, id),
        txHash === null ? [] : findByHash(sql, merchantId, txHash),
        address === null ? [] : findPayer(sql, merchantId, address),
        EMAIL.test(words) ? findCustomer(sql, merchantId, CUSTOMER_EMAIL, words.toLowerCase()) : [],
        isPlain && [...words].length >= SHORTEST_WORDS ? findByWords(sql, merchantId, words) : [],
      ]),
    )
    return sendObject(exchange, 200, {
      invoices: invoices.map(presentFound),
      refunds: refunds.map((refund) => presentListedRefund(refund, deps.config.registry)),
      objects: objects.flat(),
    })
  },
})
