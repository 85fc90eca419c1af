import { usePage } from '../parts/page.ts'
import { Field } from './Field.tsx'

/** The fields of credentials, as password managers fill them in. */

interface PasswordProps {
  readonly label?: string
  readonly name?: string
}

/** The user's password; on pages of a session, so that a browser left open is not enough. */
export function OwnPassword({ label, name = 'password' }: PasswordProps) {
  const { words } = usePage()
  return (
    <Field
      label={label ?? words.say('password')}
      name={name}
      type="password"
      autocomplete="current-password"
      required
    />
  )
}

export function NewPassword({ label, name = 'password' }: PasswordProps) {
  const { words } = usePage()
  return (
    <Field
      label={label ?? words.say('password')}
      hint={words.say('passwordHint')}
      name={name}
      type="password"
      autocomplete="new-password"
      minLength={12}
      maxLength={128}
      required
    />
  )
}

/** A code of the authenticator, or a recovery code. */
export function CodeField({ isBackup = false }: { readonly isBackup?: boolean }) {
  const { words } = usePage()
  if (isBackup) {
    return <Field label={words.say('recoveryCode')} name="code" autocomplete="off" required />
  }
  return (
    <Field
      label={words.say('code')}
      hint={words.say('codeHint')}
      name="code"
      inputMode="numeric"
      autocomplete="one-time-code"
      maxLength={20}
      required
    />
  )
}
