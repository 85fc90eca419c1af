import { useEffect, useState } from 'preact/hooks'
import { askBy } from '../session/again.ts'
import type { Me } from '../session/me.ts'
import { lazily } from './lazily.tsx'

const SignInAgain = lazily(async () => (await import('../sign/SignInAgain.tsx')).SignInAgain)

/** The place of the question to sign in again, empty until something needs it. */
export function Again({ me }: { readonly me: Me }) {
  const [answer, setAnswer] = useState<{ readonly give: (isDone: boolean) => void } | null>(null)
  useEffect(() => askBy(() => new Promise<boolean>((give) => setAnswer({ give }))), [])
  if (answer === null) return null
  return (
    <SignInAgain
      me={me}
      onEnd={(isDone: boolean) => {
        setAnswer(null)
        answer.give(isDone)
      }}
    />
  )
}
