import { AppError, type ErrorDetail } from '../../core/errors.ts'
import { INSTANT_FORM, parseInstant } from '../../core/instant.ts'
import type { InvoiceStatus } from '../../core/invoice.ts'
import { MAX_EXTERNAL_REF_LENGTH } from '../../core/newInvoice.ts'
import { presentInvoice } from '../../core/present.ts'
import { chainsOf } from '../../core/registry.ts'
import { type InvoiceFilter, listInvoices } from '../../store/invoices.ts'
import type { Authenticate } from '../auth.ts'
import { type ApiDependencies, type Exchange, sendList } from '../exchange.ts'
import {
  type Documented,
  type DocumentedSchema,
  integer,
  listEnvelope,
  responses,
  text,
  time,
} from '../schema.ts'
import { invoiceSchema } from './schema.ts'

/** GET /v1/invoices: specification section 4.1. */

const STATUSES: readonly InvoiceStatus[] = ['pending', 'partial', 'paid', 'completed']
const DEFAULT_LIMIT = 20
const MAX_LIMIT = 100
/** Far beyond any list, and still exact as a JavaScript number. */
const MAX_INTEGER = 1_000_000_000_000

const PARAMETERS = {
  limit: integer('The most invoices on a page.', DEFAULT_LIMIT, {
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
  }),
  page: integer('The page, counted from 1. Excludes `offset`.', 1, { minimum: 1, default: 1 }),
  offset: integer('How many invoices to skip. Excludes `page`.', 0, { minimum: 0 }),
  status: text('Only invoices with this status.', 'paid', { enum: [...STATUSES] }),
  externalRef: text('Only the invoice with this externalRef.', 'order-1042'),
  reference: text('Only the invoice with this reference.', 'K7QX2M9PTA'),
  createdFrom: time('Only invoices created at this time or later.', '2026-08-01T00:00:00Z'),
  createdTo: time('Only invoices created at this time or earlier.', '2026-08-31T23:59:59Z'),
  expired: {
    type: 'boolean',
    description: 'Only invoices that are past their time and not paid, or only others.',
    example: true,
  },
} satisfies Record<string, DocumentedSchema>

export const listInvoicesDetail: Documented = {
  tags: ['Invoices'],
  summary: 'List invoices',
  description:
    'The invoices of the merchant, the newest first. Page through them with `page` or with ' +
    '`offset`; a page past the end is empty.',
  operationId: 'listInvoices',
  security: [{ secretKey: [] }],
  parameters: Object.entries<DocumentedSchema>(PARAMETERS).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    description: schema.description,
    example: schema.example,
    schema,
  })),
  responses: responses(
    { 200: { description: 'One page of the list.', schema: listEnvelope(invoiceSchema) } },
    ['invalid_query_parameters', 'unauthorized', 'service_unavailable'],
  ),
}

export function listInvoicesRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { database, availability } = deps
  const chains = chainsOf(deps.config.environment)

  return async (exchange: Exchange): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const { filter, limit, offset } = parseQuery(new URL(exchange.request.url).searchParams)
    const now = deps.now()
    const { invoices, total } = await availability.guard(() =>
      listInvoices(database, merchantId, filter, { limit, offset }, now),
    )
    const data = invoices.map((rows) => presentInvoice(rows, chains, now))
    const page = Number(offset / BigInt(limit)) + 1
    return sendList(exchange, data, { page, limit, total, totalPages: Math.ceil(total / limit) })
  }
}

interface ListQuery {
  readonly filter: InvoiceFilter
  readonly limit: number
  readonly offset: bigint
}

/** Reads the query strictly: a misspelt filter must not silently list everything. */
function parseQuery(query: URLSearchParams): ListQuery {
  const reader = new QueryReader(query)
  const limit = reader.integer('limit', 1, MAX_LIMIT) ?? DEFAULT_LIMIT
  const page = reader.integer('page', 1, MAX_INTEGER)
  const offset = reader.integer('offset', 0, MAX_INTEGER)
  if (page !== undefined && offset !== undefined) {
    reader.problem('offset', 'excludes page: send one of them')
  }
  const filter: InvoiceFilter = {
    status: reader.oneOf('status', STATUSES),
    externalRef: reader.text('externalRef'),
    reference: reader.text('reference'),
    createdFrom: reader.instant('createdFrom'),
    createdTo: reader.instant('createdTo'),
    expired: reader.flag('expired'),
  }
  reader.finish()
  const skipped = offset === undefined ? BigInt((page ?? 1) - 1) * BigInt(limit) : BigInt(offset)
  return { filter, limit, offset: skipped }
}

class QueryReader {
  private readonly problems: ErrorDetail[] = []

  constructor(private readonly query: URLSearchParams) {
    for (const name of new Set(query.keys())) {
      if (!Object.hasOwn(PARAMETERS, name)) this.problem(name, 'is not a known parameter')
      else if (query.getAll(name).length > 1) this.problem(name, 'must be given once')
    }
  }

  problem(path: string, message: string): void {
    this.problems.push({ path, message })
  }

  /** Throws when anything was wrong. */
  finish(): void {
    if (this.problems.length > 0) throw new AppError('invalid_query_parameters', this.problems)
  }

  integer(name: string, least: number, most: number): number | undefined {
    const value = this.query.get(name)
    if (value === null) return undefined
    const number = /^[0-9]{1,15}$/.test(value) ? Number(value) : Number.NaN
    if (number >= least && number <= most) return number
    this.problem(name, `must be a whole number from ${least} to ${most}`)
    return undefined
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T | undefined {
    const value = this.query.get(name)
    const known = values.find((candidate) => candidate === value)
    if (value !== null && !known) this.problem(name, `must be one of ${values.join(', ')}`)
    return known
  }

  text(name: string): string | undefined {
    const value = this.query.get(name)
    if (value === null) return undefined
    const length = [...value].length
    if (length >= 1 && length <= MAX_EXTERNAL_REF_LENGTH && !value.includes('\0')) return value
    this.problem(name, `must have 1 to ${MAX_EXTERNAL_REF_LENGTH} characters`)
    return undefined
  }

  instant(name: string): Date | undefined {
    const value = this.query.get(name)
    if (value === null) return undefined
    const instant = parseInstant(value)
    if (instant === null) this.problem(name, INSTANT_FORM)
    return instant ?? undefined
  }

  flag(name: string): boolean | undefined {
    const value = this.oneOf(name, ['true', 'false'])
    return value === undefined ? undefined : value === 'true'
  }
}
