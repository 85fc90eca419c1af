import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Words } from '../../messages/words.ts'

/** What every part of the page may use. */
export interface PageContext {
  readonly words: Words
  readonly merchant: string
  /** Whether the page is alive in a browser, and no longer as the server wrote it. */
  readonly isAlive: boolean
  /** Says a sentence to screen readers. */
  announce(sentence: string): void
}

export const Page = createContext<PageContext | null>(null)

/** Throws an Error outside the page. */
export function usePage(): PageContext {
  const page = useContext(Page)
  if (page === null) throw new Error('no page around this component')
  return page
}
