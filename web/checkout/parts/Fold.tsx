import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icons.tsx'

/** Kept by a component that outlives the folded one. */
export interface Unfolding {
  readonly isOpen: boolean
  readonly set: (isOpen: boolean) => void
}

export function useUnfolding(isOpenAtFirst = false): Unfolding {
  const [isOpen, set] = useState(isOpenAtFirst)
  return { isOpen, set }
}

interface FoldProps {
  readonly title: string
  readonly unfolding: Unfolding
  readonly children: ComponentChildren
}

/**
 * Something folded away until it is needed. What a payer has opened stays open when the page is rendered
 * again, also after a change of the payment has removed it for a while.
 */
export function Fold({ title, unfolding: { isOpen, set }, children }: FoldProps) {
  const details = useRef<HTMLDetailsElement>(null)
  // What was opened before the page was alive.
  useLayoutEffect(() => set(details.current?.open ?? isOpen), [])
  return (
    <details
      ref={details}
      class="more"
      open={isOpen}
      onToggle={(event) => set(event.currentTarget.open)}
    >
      <summary>
        {title}
        <Icon shape="down" />
      </summary>
      {children}
    </details>
  )
}
