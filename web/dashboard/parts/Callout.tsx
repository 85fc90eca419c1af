import type { ComponentChildren } from 'preact'
import type { Tone } from './Pill.tsx'

interface CalloutProps {
  readonly tone: Tone
  /** Whether it appears because of something that was just done. */
  readonly isNews?: boolean
  readonly children: ComponentChildren
}

/** A coloured box with what must not be missed. */
export function Callout({ tone, isNews = false, children }: CalloutProps) {
  return (
    <div class={`callout ${tone}`} {...(isNews ? ({ role: 'status' } as const) : {})}>
      {children}
    </div>
  )
}
