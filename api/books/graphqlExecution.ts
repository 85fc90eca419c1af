import {
  buildSchema,
  type DocumentNode,
  defaultFieldResolver,
  execute,
  GraphQLError,
  type GraphQLFieldResolver,
  parse,
  validate,
} from 'graphql'
import { AppError, type ErrorDetail } from '../../core/base/errors.ts'
import { excerpt } from '../../core/base/text.ts'
import { FIELDS, type QueryContext } from './graphqlFields.ts'
import { MOST_CHARACTERS, MOST_TOKENS, measure } from './graphqlLimits.ts'
import { SDL } from './graphqlSchema.ts'

/** Parses and executes one query; its errors are returned in the API's error format. */

export const SCHEMA = buildSchema(SDL)

/** The request. */
export interface Sent {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>> | null
}

/** A validated query. */
export interface Prepared {
  readonly document: DocumentNode
  readonly variables: Sent['variables']
  readonly cost: number
}

/** Parses and validates a query. Throws `invalid_graphql_query`. */
export function prepare({ query, variables }: Sent): Prepared {
  if (query.length > MOST_CHARACTERS) {
    throw invalid([{ path: 'query', message: `is longer than ${MOST_CHARACTERS} characters` }])
  }
  const document = parsed(query)
  const measured = measure(document)
  if (!measured.ok) throw invalid([{ path: 'query', message: measured.message }])
  const problems = validate(SCHEMA, document, undefined, { maxErrors: MOST_PROBLEMS })
  if (problems.length > 0) throw invalid(problems.map(described))
  return { document, variables, cost: measured.cost }
}

/** Returns no partial results: the first error of a field is thrown unchanged. */
export async function answer(
  { document, variables }: Prepared,
  context: QueryContext,
): Promise<Readonly<Record<string, unknown>>> {
  const { data, errors = [] } = await execute({
    schema: SCHEMA,
    document,
    rootValue: FIELDS,
    contextValue: context,
    variableValues: variables,
    fieldResolver: resolveInTurn,
  })
  const [first] = errors
  const fault = first?.originalError
  if (fault && !(fault instanceof GraphQLError)) throw fault
  if (first || !data) throw invalid(errors.slice(0, MOST_PROBLEMS).map(described))
  return data
}

/** Each field of Query is one statement: those after the first wait for it, and can still be left out. */
const resolveInTurn: GraphQLFieldResolver<unknown, QueryContext> = (
  source,
  args,
  context,
  info,
) => {
  const resolve = () => defaultFieldResolver(source, args, context, info)
  return source === FIELDS ? context.scope.inTurn(resolve) : resolve()
}

const MOST_PROBLEMS = 10

function parsed(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens: MOST_TOKENS })
  } catch (error) {
    if (error instanceof GraphQLError) throw invalid([described(error)])
    throw error
  }
}

/** Location and message; quotes of the query are shortened. */
function described({ locations, message }: GraphQLError): ErrorDetail {
  const [place] = locations ?? []
  const path = place ? `query, line ${place.line}, column ${place.column}` : 'query'
  const shortened = message.replaceAll(/"[^"]*"/g, (quoted) => `"${excerpt(quoted.slice(1, -1))}"`)
  return { path, message: excerpt(shortened, 200) }
}

function invalid(details: readonly ErrorDetail[]): AppError {
  return new AppError('invalid_graphql_query', details)
}
