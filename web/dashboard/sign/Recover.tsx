import { useState } from 'preact/hooks'
import { NewPassword } from '../forms/Credentials.tsx'
import { Form } from '../forms/Form.tsx'
import { usePage } from '../parts/page.ts'
import { refusalText } from '../parts/refusals.ts'
import { Problem, request } from '../session/request.ts'
import { Gate } from './Gate.tsx'

/** The page of a recovery link; its token is in the fragment, which no log contains. */
export function Recover() {
  const { words } = usePage()
  const [token] = useState(() => location.hash.slice(1))
  const [isDone, setDone] = useState(false)
  if (isDone) {
    return (
      <Gate title={words.say('recoveredTitle')}>
        <p>{words.say('confirmedNext')}</p>
        <a class="button main wide" href="/dashboard/sign-in">
          {words.say('toSignIn')}
        </a>
      </Gate>
    )
  }
  return (
    <Gate title={words.say('recoverTitle')}>
      <p>{words.say('recoverHint')}</p>
      <Form
        action={words.say('setPassword')}
        onSend={async (fields) => {
          const password = String(fields.get('password'))
          await request('POST', '/dashboard/api/recoveries', { token, password })
          setDone(true)
        }}
        explain={(error) => {
          if (!(error instanceof Problem)) return null
          const { status, message, path } = error
          if (status === 404) return words.say('recoveryGone')
          // Signing in refuses passwords by this code, the API by the field.
          if (path !== 'password') return null
          return refusalText(words, { code: 'PASSWORD_REFUSED', status, message })
        }}
      >
        <NewPassword />
      </Form>
    </Gate>
  )
}
