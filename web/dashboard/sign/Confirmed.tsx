import { useState } from 'preact/hooks'
import { Form } from '../forms/Form.tsx'
import { usePage } from '../parts/page.ts'
import { confirmAddress } from '../session/auth.ts'
import { Problem } from '../session/request.ts'
import { Gate } from './Gate.tsx'

/** The page of an email's link: a button confirms the address, unless the link has expired. */
export function Confirmed() {
  const { words } = usePage()
  const [token] = useState(() => location.hash.slice(1))
  const [hasFailed, setFailed] = useState<boolean | null>(token === '' ? false : null)
  if (hasFailed === null) {
    return (
      <Gate title={words.say('confirmTitle')}>
        <Form
          action={words.say('confirmAddress')}
          onSend={async () => {
            try {
              await confirmAddress(token)
              setFailed(false)
            } catch (error) {
              const isRefused = error instanceof Problem && [400, 401].includes(error.status)
              if (!isRefused) throw error
              setFailed(true)
            }
          }}
        >
          {null}
        </Form>
      </Gate>
    )
  }
  return (
    <Gate title={words.say(hasFailed ? 'notConfirmedTitle' : 'confirmedTitle')}>
      <p>{words.say(hasFailed ? 'notConfirmedNext' : 'confirmedNext')}</p>
      <a class="button main wide" href="/dashboard/sign-in">
        {words.say('toSignIn')}
      </a>
    </Gate>
  )
}
