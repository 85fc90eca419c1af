import {
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { MOST_COST } from './graphqlSchema.ts'

/**
 * Limits of a query, checked before it is validated: its depth, the number of its fields with all
 * fragments expanded, and its cost. Each field of Query is one statement, also under an alias.
 */

export const MOST_CHARACTERS = 10_000
export const MOST_TOKENS = 1_000
const MOST_DEPTH = 6
const MOST_FIELDS = 200

/** The cost of each field of Query, in units of a caller's budget per minute. */
const COSTS: Readonly<Record<string, number>> = {
  volume: 10,
  endpointRevenue: 10,
  movements: 10,
  hubEvents: 20,
  topPayers: 50,
  settleTimes: 50,
}

export type Measured =
  | { readonly ok: true; readonly cost: number }
  | { readonly ok: false; readonly message: string }

/** Fields, depth and cost of a selection with its fragments expanded. */
interface Size {
  readonly fields: number
  readonly depth: number
  readonly cost: number
  readonly hasIntrospection: boolean
}

const NOTHING: Size = { fields: 0, depth: 0, cost: 0, hasIntrospection: false }

/** Measures the one query of a document. */
export function measure(document: DocumentNode): Measured {
  const operations = document.definitions.filter(isOperation)
  const [operation] = operations
  if (operation === undefined || operations.length > 1) return refused('must be one query')
  if (operation.operation !== 'query')
    return refused('must be a query: mutations are not supported')
  const root = new Sizes(document).of(operation.selectionSet)
  if (root === null) return refused('has a fragment that contains itself')
  const { fields, depth, cost, hasIntrospection } = root
  if (hasIntrospection) return refused('must not query the schema; read it at /docs/graphql/schema')
  if (depth > MOST_DEPTH) return refused(`is deeper than ${MOST_DEPTH} fields`)
  if (fields > MOST_FIELDS) return refused(`has more than ${MOST_FIELDS} fields`)
  if (cost > MOST_COST)
    return refused(`costs more than ${MOST_COST}: split it into several queries`)
  return { ok: true, cost: Math.max(cost, 1) }
}

/** Measures selections; each fragment only once. */
class Sizes {
  private readonly fragments = new Map<string, SelectionSetNode>()
  /** Null while a fragment is being measured. */
  private readonly measured = new Map<string, Size | null>()

  constructor(document: DocumentNode) {
    for (const definition of document.definitions) {
      if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue
      this.fragments.set(definition.name.value, definition.selectionSet)
    }
  }

  /** Null when a fragment contains itself. */
  of({ selections }: SelectionSetNode): Size | null {
    let total = NOTHING
    for (const selection of selections) {
      const size = this.ofSelection(selection)
      if (size === null) return null
      total = {
        fields: total.fields + size.fields,
        depth: Math.max(total.depth, size.depth),
        cost: total.cost + size.cost,
        hasIntrospection: total.hasIntrospection || size.hasIntrospection,
      }
    }
    return total
  }

  private ofSelection(selection: SelectionSetNode['selections'][number]): Size | null {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.ofFragment(selection.name.value)
    if (selection.kind === Kind.INLINE_FRAGMENT) return this.of(selection.selectionSet)
    const name = selection.name.value
    const inside = selection.selectionSet ? this.of(selection.selectionSet) : NOTHING
    if (inside === null) return null
    return {
      fields: inside.fields + 1,
      depth: inside.depth + 1,
      cost: inside.cost + (COSTS[name] ?? 0),
      hasIntrospection: inside.hasIntrospection || (name.startsWith('__') && name !== '__typename'),
    }
  }

  private ofFragment(name: string): Size | null {
    const known = this.measured.get(name)
    if (known !== undefined) return known
    this.measured.set(name, null)
    const selections = this.fragments.get(name)
    const size = selections === undefined ? NOTHING : this.of(selections)
    this.measured.set(name, size)
    return size
  }
}

function isOperation(
  definition: DocumentNode['definitions'][number],
): definition is OperationDefinitionNode {
  return definition.kind === Kind.OPERATION_DEFINITION
}

function refused(message: string): Measured {
  return { ok: false, message }
}
