import type { WorkKindName } from '../../store/workItems.ts'
import { configureKind } from './configureKind.ts'
import { sweepKind } from './sweepKind.ts'
import type { WorkKind } from './workKind.ts'

/** The one table of the kinds of work that relayers carry out. */
const KINDS: Partial<Record<WorkKindName, WorkKind>> = {
  configure: configureKind,
  sweep: sweepKind,
}

/** Throws for a kind that this version doesn't know yet. */
export function kindOf(name: WorkKindName): WorkKind {
  const kind = KINDS[name]
  if (kind === undefined) throw new Error(`no relayer knows the work kind ${name}`)
  return kind
}

export function isKnownKind(name: WorkKindName): boolean {
  return KINDS[name] !== undefined
}
