import { type Address, anyCaseAddress, type Hex } from '../../core/chain/evm.ts'
import { type Chain, findNetwork } from '../../core/chain/registry.ts'
import { AppError, type ErrorDetail } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import { INSTANT_FORM, parseInstant } from '../../core/instant.ts'
import type { Pagination } from './exchange.ts'
import { type Documented, type DocumentedSchema, integer } from './schema.ts'
import { targetOf } from './target.ts'

/** Reads queries strictly: a misspelt filter must not silently list everything. */

/** The parameters that a route knows, as the document describes them. */
export type QueryParameters = Readonly<Record<string, DocumentedSchema>>

export class QueryReader {
  private readonly query: URLSearchParams
  private readonly problems: ErrorDetail[] = []

  constructor(request: Request, parameters: QueryParameters) {
    this.query = targetOf(request).searchParams
    for (const name of new Set(this.query.keys())) {
      if (!Object.hasOwn(parameters, name)) this.problem(name, 'is not a known parameter')
      else if (this.query.getAll(name).length > 1) this.problem(name, 'must be given once')
    }
  }

  problem(path: string, message: string): void {
    this.problems.push({ path, message })
  }

  require(name: string): void {
    if (!this.query.has(name)) this.problem(name, 'is required')
  }

  /** Throws `invalid_query_parameters` when anything was wrong. */
  finish(): void {
    if (this.problems.length > 0) throw new AppError('invalid_query_parameters', this.problems)
  }

  /** What `read` makes of a parameter; undefined when it is absent or wrong. */
  value<T>(name: string, form: string, read: (text: string) => T | null): T | undefined {
    const text = this.query.get(name)
    if (text === null) return undefined
    const value = read(text)
    if (value === null) this.problem(name, form)
    return value ?? undefined
  }

  integer(name: string, least: number, most: number): number | undefined {
    return this.value(name, `must be a whole number from ${least} to ${most}`, (text) => {
      const number = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
      return number >= least && number <= most ? number : null
    })
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T | undefined {
    return this.value(name, `must be one of ${values.join(', ')}`, (text) => {
      return values.find((candidate) => candidate === text) ?? null
    })
  }

  text(name: string, longest: number): string | undefined {
    return this.value(name, `must have 1 to ${longest} characters`, (text) => {
      const length = [...text].length
      return length >= 1 && length <= longest && !text.includes('\0') ? text : null
    })
  }

  instant(name: string): Date | undefined {
    return this.value(name, INSTANT_FORM, parseInstant)
  }

  flag(name: string): boolean | undefined {
    const value = this.oneOf(name, ['true', 'false'])
    return value === undefined ? undefined : value === 'true'
  }

  /** An id of the kind that `brand` makes. */
  id<Id>(name: string, brand: (text: string) => Id): Id | undefined {
    return this.value(name, 'must be a UUID', (text) => (isUuid(text) ? brand(text) : null))
  }

  /** An address, whose capitals are not looked at: it only chooses, and nothing is sent to it. */
  address(name: string): Address | undefined {
    return this.value(name, 'must be an EVM address', anyCaseAddress)
  }

  /** Thirty-two bytes. */
  word(name: string): Hex | undefined {
    return this.value(name, 'must be 32 bytes in hexadecimal, 0x first', word)
  }

  /** One of the chains, by its CAIP-2 identifier or its networkId. */
  network<C extends Chain>(name: string, chains: readonly C[]): C | undefined {
    const form = `must be one of ${chains.map(({ caip2 }) => caip2).join(', ')}`
    return this.value(name, form, (text) => findNetwork(chains, text) ?? null)
  }
}

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 100
/** Far beyond any list, and still exact as a JavaScript number. */
const MAX_INTEGER = 1_000_000_000_000

/** How a list is paged, for the document. `things` are what it lists. */
export function pageParameters(things: string) {
  return {
    limit: integer(`The most ${things} on a page.`, DEFAULT_LIMIT, {
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
    }),
    page: integer('The page, counted from 1. Excludes `offset`.', 1, { minimum: 1, default: 1 }),
    offset: integer(`How many ${things} to skip. Excludes \`page\`.`, 0, { minimum: 0 }),
  } satisfies QueryParameters
}

/** The part of a list that was asked for. */
export interface PageRequest {
  readonly limit: number
  readonly offset: bigint
}

export function readPage(reader: QueryReader): PageRequest {
  const limit = reader.integer('limit', 1, MAX_LIMIT) ?? DEFAULT_LIMIT
  const page = reader.integer('page', 1, MAX_INTEGER)
  const offset = reader.integer('offset', 0, MAX_INTEGER)
  if (page !== undefined && offset !== undefined) {
    reader.problem('offset', 'excludes page: send one of them')
  }
  const skipped = offset === undefined ? BigInt((page ?? 1) - 1) * BigInt(limit) : BigInt(offset)
  return { limit, offset: skipped }
}

/** Where a page lies in a list of `total` elements: specification section 2.1. */
export function paginationOf({ limit, offset }: PageRequest, total: number): Pagination {
  const page = Number(offset / BigInt(limit)) + 1
  return { page, limit, total, totalPages: Math.ceil(total / limit) }
}

/** Parameters as the document lists them. */
export function describeParameters(
  parameters: QueryParameters,
  required: readonly string[] = [],
): NonNullable<Documented['parameters']> {
  return Object.entries(parameters).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: schema.description,
    example: schema.example,
    schema,
  }))
}

function word(text: string): Hex | null {
  return /^0x[0-9a-fA-F]{64}$/.test(text) ? `0x${text.slice(2).toLowerCase()}` : null
}
