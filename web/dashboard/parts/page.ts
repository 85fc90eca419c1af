import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { DashboardMessages } from '../../messages/dashboard/en.ts'
import type { Words } from '../../messages/words.ts'
import type { Network, Token } from '../session/boot.ts'

export type DashboardWords = Words<keyof DashboardMessages>

/** What every part of the dashboard needs. */
export interface Page {
  readonly words: DashboardWords
  readonly networks: readonly Network[]
  readonly tokens: readonly Token[]
  /** The currencies that amounts can be converted from (ISO 4217). */
  readonly currencies: readonly string[]
  /** The name of a network by its id; the id itself of one that is not known. */
  readonly networkName: (id: string) => string
  /** Whether the money is a test network's. */
  readonly isSandbox: boolean
  /** Whether anybody may sign up, without an invitation. */
  readonly isOpen: boolean
}

/** Those that a form or a filter offers: what is switched off takes nothing. */
export function offered<N extends Pick<Network, 'name' | 'isOff'>>(
  networks: readonly N[],
): readonly N[] {
  return networks.filter(({ isOff }) => !isOff)
}

export const PageContext = createContext<Page | null>(null)

export function usePage(): Page {
  const page = useContext(PageContext)
  if (page === null) throw new Error('a part stands outside the page')
  return page
}
