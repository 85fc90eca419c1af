import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { OwnPassword } from '../forms/Credentials.tsx'
import { Field } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { usePage } from '../parts/page.ts'
import { hasPasskeys, signIn, signInByPasskey } from '../session/auth.ts'
import { ME } from '../session/me.ts'
import { Problem } from '../session/request.ts'
import { CodeStep } from './CodeStep.tsx'
import { Gate } from './Gate.tsx'

/** Sign-in in place of the requested page, which is shown afterwards. */
export function SignIn() {
  const { words, isOpen } = usePage()
  const client = useQueryClient()
  const [needsCode, setNeedsCode] = useState(false)
  const [isRefused, setRefused] = useState(false)
  const enter = () => client.resetQueries({ queryKey: ME })

  async function send(fields: FormData): Promise<void> {
    const answer = await signIn(String(fields.get('email')), String(fields.get('password')))
    if (answer.twoFactorRedirect) setNeedsCode(true)
    else await enter()
  }

  async function usePasskey(): Promise<void> {
    setRefused(false)
    try {
      await signInByPasskey()
      await enter()
    } catch {
      setRefused(true)
    }
  }

  if (needsCode) return <CodeStep onDone={enter} onBack={() => setNeedsCode(false)} />
  return (
    <Gate title={words.say('signIn')}>
      <Form
        action={words.say('signIn')}
        onSend={send}
        explain={(error) => {
          if (!(error instanceof Problem)) return null
          if (error.status === 401) return words.say('wrongPassword')
          return error.code === 'EMAIL_NOT_VERIFIED' ? words.say('notConfirmed') : null
        }}
      >
        <Field
          label={words.say('email')}
          name="email"
          type="email"
          autocomplete="username"
          required
        />
        <OwnPassword />
      </Form>
      {isOpen && <a href="/dashboard/sign-up">{words.say('signUpTitle')}</a>}
      {hasPasskeys() && (
        <>
          <p class="or">{words.say('or')}</p>
          <button type="button" class="wide" onClick={usePasskey}>
            {words.say('signInPasskey')}
          </button>
          {isRefused && (
            <p class="problem" role="alert">
              {words.say('passkeyFailed')}
            </p>
          )}
        </>
      )}
    </Gate>
  )
}
