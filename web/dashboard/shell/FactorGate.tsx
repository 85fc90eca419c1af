import { useQueryClient } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { usePage } from '../parts/page.ts'
import { lazily } from './lazily.tsx'

const FactorGuide = lazily(async () => (await import('../security/FactorGuide.tsx')).FactorGuide)

interface FactorGateProps {
  readonly isNeeded: boolean
  /** Whose pages need it. */
  readonly why: string
  readonly children: ComponentChildren
}

/** A page that needs a second factor, which is set up in its place. */
export function FactorGate({ isNeeded, why, children }: FactorGateProps) {
  const { words } = usePage()
  const client = useQueryClient()
  // Until the recovery codes are saved, even if the user is read again meanwhile.
  const [isOpen, setOpen] = useState(!isNeeded)
  if (isOpen) return <>{children}</>
  return (
    <section class="card narrow" aria-labelledby="factor">
      <h1 id="factor">{words.say('factorNeededTitle')}</h1>
      <p>{why}</p>
      <FactorGuide
        onSaved={async () => {
          // Without it, the server refused what the frame had read.
          await client.invalidateQueries()
          setOpen(true)
        }}
      />
    </section>
  )
}
