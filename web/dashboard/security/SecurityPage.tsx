import { usePage } from '../parts/page.ts'
import { hasPasskeys } from '../session/auth.ts'
import type { Me } from '../session/me.ts'
import { Factor } from './Factor.tsx'
import { Passkeys } from './Passkeys.tsx'
import { Password } from './Password.tsx'
import { Sessions } from './Sessions.tsx'

/** What somebody signs in with, and where they are signed in. */
export function SecurityPage({ me }: { readonly me: Me }) {
  const { words } = usePage()
  return (
    <>
      <h1>{words.say('security')}</h1>
      <Factor isOn={me.person.hasSecondFactor} />
      {hasPasskeys() && <Passkeys />}
      <Password />
      <Sessions />
    </>
  )
}
