import type { UseQueryResult } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { Failed, Skeleton } from './States.tsx'

interface LoadedProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>
  /** How many rows are grey until it is there. */
  readonly rows: number
  readonly children: (data: T) => ComponentChildren
}

/** What was read, once it is there: grey rows before, and a button where it failed. */
export function Loaded<T>({ query: { data, error, refetch }, rows, children }: LoadedProps<T>) {
  if (data !== undefined) return <>{children(data)}</>
  if (error) return <Failed error={error} onRetry={() => refetch()} />
  return <Skeleton rows={rows} />
}
