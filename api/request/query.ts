import { AppError, type ErrorDetail, MOST_DETAILS } from '../../core/base/errors.ts'
import type { ApiConfig } from '../../core/config/api.ts'
import type { KnownParameters, Parameter, Parameters, ParsedParameter } from './parameter.ts'
import { type Documented, exampleOf } from './schema.ts'
import { targetOf } from './target.ts'

/** Reads queries strictly: a misspelt filter must not silently list everything. */

/** The declaration of a route's query. */
export interface Query<T> {
  /** Every parameter that the route accepts. */
  readonly parameters: KnownParameters
  read(reader: QueryReader, now: () => Date): T
}

/** Reads these parameters independently. */
export function queryOf<T>(parameters: Parameters<T>): Query<T> {
  return { parameters, read: (reader) => reader.read(parameters) }
}

/** Reads the query of a request. Throws `invalid_query_parameters` with all problems. */
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
      if (keyIn(known, name) !== null) continue
      if (!Object.hasOwn(known, name)) this.problem(name, 'is not a known parameter')
      else if (known[name]?.isKeyed) this.problem(name, `must name a key, e.g. ${name}.cart`)
      else if (this.query.getAll(name).length > 1) this.problem(name, 'must be given once')
    }
  }

  problem(path: string, message: string): void {
    if (this.problems.length < MOST_DETAILS) this.problems.push({ path, message })
  }

  /** Throws `invalid_query_parameters` if there were problems. */
  finish(): void {
    if (this.problems.length > 0) throw new AppError('invalid_query_parameters', this.problems)
  }

  /** The values of these parameters. Invalid ones are undefined until `finish` throws. */
  read<T>(parameters: Parameters<T>): T
  read(parameters: Parameters<Record<string, unknown>>): Record<string, unknown> {
    const entries = Object.entries(parameters)
    return Object.fromEntries(entries.map(([name, known]) => [name, this.value(name, known)]))
  }

  private value<T>(name: string, parameter: Parameter<T>): T | undefined {
    if (parameter.isKeyed) return this.entry(name, parameter)
    const { read, isRequired } = parameter
    const text = this.query.get(name)
    if (text === null) {
      if (isRequired) this.problem(name, 'is required')
      return undefined
    }
    return this.parsed(name, read(text, this.config))
  }

  /** The value of a parameter with a key in its name; it may be given once. */
  private entry<T>(name: string, parameter: Parameter<T>): T | undefined {
    const given = [...this.query].flatMap(([full, text]) => {
      const key = keyIn({ [name]: parameter }, full)
      return key === null ? [] : [{ full, key, text }]
    })
    const [first, second] = given
    if (first === undefined) return undefined
    if (second !== undefined) this.problem(second.full, `${name} may be given for one key only`)
    return this.parsed(first.full, parameter.read(first.text, this.config, first.key))
  }

  private parsed<T>(name: string, parsed: ParsedParameter<T>): T | undefined {
    if (parsed.ok) return parsed.value
    this.problem(name, parsed.message)
    return undefined
  }
}

/** The key in a name like metadata.cart or metadata[cart], if such a parameter is known. */
function keyIn(known: KnownParameters, name: string): string | null {
  const [, parameter = '', dotted, bracketed] = /^(\w+)(?:\.(.+)|\[(.+)\])$/s.exec(name) ?? []
  if (!Object.hasOwn(known, parameter) || !known[parameter]?.isKeyed) return null
  return dotted ?? bracketed ?? null
}

/**
 * Parameters of the document. Swagger UI sends the example of a parameter, so only
 * required ones have one; that of others is in their schema, which it doesn't send.
 */
export function describeParameters(
  parameters: KnownParameters,
): NonNullable<Documented['parameters']> {
  return Object.entries(parameters).map(([name, { documented, isRequired = false, isKeyed }]) => {
    // Components have an example too; a named list of values is only referenced.
    const { description, example: _, title, ...own } = documented
    const example = exampleOf(documented)
    const isNamedList = title !== undefined && own.enum !== undefined
    const schema = isNamedList ? { $ref: `#/components/schemas/${title}` } : own
    return {
      name,
      in: 'query',
      ...(isRequired ? { required: true } : {}),
      ...(isKeyed ? ({ style: 'deepObject', explode: true } as const) : {}),
      description,
      ...(isRequired ? { example, schema } : { schema: { ...schema, examples: [example] } }),
    }
  })
}
