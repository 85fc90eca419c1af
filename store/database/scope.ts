import type { Queryable } from './database.ts'

/** Which of the rows found are processed, so that one failing row stops no other. */
export interface Scope<Id extends string> {
  /** These alone; null for all of them. */
  readonly of: readonly Id[] | null
  /** None of these. */
  readonly without: readonly Id[]
}

export const EVERYTHING: Scope<never> = { of: null, without: [] }

/** The condition that a row is in a scope, by the column of its id. */
export function isInScope(sql: Queryable, column: string, { of, without }: Scope<string>) {
  const [some, none] = [of === null ? null : [...of], [...without]]
  return sql`(${sql(column)}::text <> all(${none}::text[])
    and (${some}::text[] is null or ${sql(column)}::text = any(${some}::text[])))`
}
