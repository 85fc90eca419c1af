import type { ApiConfig } from '../../core/config/processes.ts'
import { AppError, type ErrorDetail, MOST_DETAILS } from '../../core/errors.ts'
import type { Documented } from '../openapi/schema.ts'
import type { KnownParameters, Parameter, Parameters } from './parameter.ts'
import { targetOf } from './target.ts'

/** Reads queries strictly: a misspelt filter must not silently list everything. */

/** What a route reads from the query of a request. */
export interface Query<T> {
  /** Every parameter that the route accepts. */
  readonly parameters: KnownParameters
  read(reader: QueryReader, now: () => Date): T
}

/** Reads these parameters, each by itself. */
export function queryOf<T>(parameters: Parameters<T>): Query<T> {
  return { parameters, read: (reader) => reader.read(parameters) }
}

/** Reads the query of a request. Throws `invalid_query_parameters` with all that is wrong. */
export function readQuery<T>(
  request: Request,
  query: Query<T>,
  { config, now }: { readonly config: ApiConfig; now(): Date },
): T {
  const reader = new QueryReader(request, query.parameters, config)
  const value = query.read(reader, now)
  reader.finish()
  return value
}

export class QueryReader {
  private readonly query: URLSearchParams
  private readonly problems: ErrorDetail[] = []

  constructor(
    request: Request,
    known: KnownParameters,
    private readonly config: ApiConfig,
  ) {
    this.query = targetOf(request).searchParams
    for (const name of new Set(this.query.keys())) {
      if (!Object.hasOwn(known, name)) this.problem(name, 'is not a known parameter')
      else if (this.query.getAll(name).length > 1) this.problem(name, 'must be given once')
    }
  }

  problem(path: string, message: string): void {
    if (this.problems.length < MOST_DETAILS) this.problems.push({ path, message })
  }

  /** Throws `invalid_query_parameters` when anything was wrong. */
  finish(): void {
    if (this.problems.length > 0) throw new AppError('invalid_query_parameters', this.problems)
  }

  /** The values of these parameters. One that is wrong is undefined until `finish` throws. */
  read<T>(parameters: Parameters<T>): T
  read(parameters: Parameters<Record<string, unknown>>): Record<string, unknown> {
    const entries = Object.entries(parameters)
    return Object.fromEntries(entries.map(([name, known]) => [name, this.value(name, known)]))
  }

  private value<T>(name: string, { read, isRequired }: Parameter<T>): T | undefined {
    const text = this.query.get(name)
    if (text === null) {
      if (isRequired) this.problem(name, 'is required')
      return undefined
    }
    const parsed = read(text, this.config)
    if (parsed.ok) return parsed.value
    this.problem(name, parsed.message)
    return undefined
  }
}

/** Parameters as the document lists them. */
export function describeParameters(
  parameters: KnownParameters,
): NonNullable<Documented['parameters']> {
  return Object.entries(parameters).map(([name, { documented, isRequired = false }]) => ({
    name,
    in: 'query',
    required: isRequired,
    description: documented.description,
    example: documented.example,
    schema: documented,
  }))
}
