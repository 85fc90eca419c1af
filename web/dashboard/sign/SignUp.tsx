import { useState } from 'preact/hooks'
import { NewPassword } from '../forms/Credentials.tsx'
import { Field } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { usePage } from '../parts/page.ts'
import { signUp } from '../session/auth.ts'
import { Gate } from './Gate.tsx'

interface SignUpFormProps {
  /** Whose it is, where an invitation says so. */
  readonly email: string | null
  /** Of the invitation; null where anybody may sign up. */
  readonly token: string | null
  readonly onSent: (email: string) => void
}

/** Name, address and password of a new user. */
export function SignUpForm({ email, token, onSent }: SignUpFormProps) {
  const { words } = usePage()
  async function send(fields: FormData): Promise<void> {
    const [name, password] = [String(fields.get('name')), String(fields.get('password'))]
    const address = String(fields.get('email')).trim()
    await signUp({ name: name.trim(), email: address, password }, token)
    onSent(address)
  }
  return (
    <Form action={words.say('createAccount')} onSend={send}>
      {email === null ? (
        <Field
          label={words.say('email')}
          name="email"
          type="email"
          autocomplete="username"
          maxLength={254}
          required
        />
      ) : (
        <input type="hidden" name="email" value={email} autocomplete="username" />
      )}
      <Field label={words.say('name')} name="name" autocomplete="name" maxLength={80} required />
      <NewPassword />
    </Form>
  )
}

/** After it: the same whether or not there was an account. */
export function EmailSent({ email }: { readonly email: string }) {
  const { words } = usePage()
  return (
    <Gate title={words.say('emailSentTitle')}>
      <p>{words.say('emailSentNext', { email })}</p>
    </Gate>
  )
}

/** Signing up without an invitation, where the deployment lets anybody. */
export function SignUp() {
  const { words } = usePage()
  const [sentTo, setSentTo] = useState<string | null>(null)
  if (sentTo !== null) return <EmailSent email={sentTo} />
  return (
    <Gate title={words.say('signUpTitle')}>
      <p>{words.say('signUpHint')}</p>
      <SignUpForm email={null} token={null} onSent={setSentTo} />
      <a href="/dashboard/sign-in">{words.say('haveAccount')}</a>
    </Gate>
  )
}
