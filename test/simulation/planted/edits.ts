import type { Entry } from '../../mutation/table.ts'

/** One piece of one file that is replaced. */
type Edit = Omit<Entry, 'name'>

/** A fault. Where guards back each other up, none of which is missed alone, it takes several away. */
export interface Planted extends Entry {
  readonly also?: readonly Edit[]
}

export function editsOf({ also = [], ...first }: Planted): Entry[] {
  return [first, ...also.map((edit) => ({ ...edit, name: first.name }))]
}
