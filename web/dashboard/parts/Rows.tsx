import type { UseQueryResult } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import type { Listed } from '../session/lists.ts'
import { Loaded } from './Loaded.tsx'
import { Pager } from './Pager.tsx'
import { usePage } from './page.ts'

interface RowsProps<T> {
  readonly query: Pick<UseQueryResult<Listed<T>>, 'data' | 'error' | 'refetch'>
  /** How many there are at most on a page. */
  readonly most: number
  /** What the number of rows is of. */
  readonly shown: Parameters<ReturnType<typeof usePage>['words']['say']>[0]
  readonly empty: ComponentChildren
  readonly onGo: (place: { readonly after: string } | { readonly before: string }) => void
  readonly children: (rows: readonly T[]) => ComponentChildren
}

/** A page of a list that is paged by cursor, or what to do where there is nothing. */
export function Rows<T>({ query, most, shown, empty, onGo, children }: RowsProps<T>) {
  const { words } = usePage()
  return (
    <Loaded query={query} rows={most}>
      {({ rows, next, previous }) =>
        rows.length === 0 ? (
          <>
            {empty}
            {(next ?? previous) !== null && (
              <Pager shown={words.say(shown, { n: 0 })} {...{ next, previous, onGo }} />
            )}
          </>
        ) : (
          <>
            {children(rows)}
            <Pager shown={words.say(shown, { n: rows.length })} {...{ next, previous, onGo }} />
          </>
        )
      }
    </Loaded>
  )
}
