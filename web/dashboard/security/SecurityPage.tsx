import { SECOND_FACTOR_ROLES } from '../../../core/access/roles.ts'
import { Head } from '../parts/Head.tsx'
import { usePage } from '../parts/page.ts'
import { hasPasskeys } from '../session/auth.ts'
import type { Me } from '../session/me.ts'
import { Factor } from './Factor.tsx'
import { Passkeys } from './Passkeys.tsx'
import { Password } from './Password.tsx'
import { Sessions } from './Sessions.tsx'

/** Whether the user's role requires a second factor. */
function needsFactor({ merchants, isOperator = false }: Me): boolean {
  return isOperator || merchants.some(({ role }) => SECOND_FACTOR_ROLES.includes(role))
}

export function SecurityPage({ me }: { readonly me: Me }) {
  const { words } = usePage()
  return (
    <>
      <Head title={words.say('security')} />
      <Factor isOn={me.person.hasSecondFactor} isNeeded={needsFactor(me)} />
      {hasPasskeys() && <Passkeys />}
      <Password />
      <Sessions current={me.sessionId} />
    </>
  )
}
