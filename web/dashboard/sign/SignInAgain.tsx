import { useQueryClient } from '@tanstack/preact-query'
import { useRef, useState } from 'preact/hooks'
import { ActionButton } from '../forms/ActionButton.tsx'
import { CodeField, OwnPassword } from '../forms/Credentials.tsx'
import { Dialog } from '../forms/Dialog.tsx'
import { Form } from '../forms/Form.tsx'
import { usePage } from '../parts/page.ts'
import {
  hasPasskeys,
  signIn,
  signInByPasskey,
  verifyBackupCode,
  verifyCode,
} from '../session/auth.ts'
import { ME, type Me } from '../session/me.ts'
import { getData, Problem } from '../session/request.ts'

interface SignInAgainProps {
  readonly me: Me
  /** Whether they have. */
  readonly onEnd: (isDone: boolean) => void
}

/** Sign-in on top of a page that continues afterwards: password and code, or a passkey. */
export function SignInAgain({ me, onEnd }: SignInAgainProps) {
  const { words } = usePage()
  const client = useQueryClient()
  const { email, hasSecondFactor } = me.person
  /** With the password alone the session from before has ended, and none has begun. */
  const [isHalf, setHalf] = useState(false)
  const [isBackup, setBackup] = useState(false)
  /** A dialog says that it has closed also when it is taken away. */
  const hasEnded = useRef(false)

  function end(isDone: boolean): void {
    if (hasEnded.current) return
    hasEnded.current = true
    if (!isDone && isHalf) void client.resetQueries({ queryKey: ME })
    onEnd(isDone)
  }

  async function send(fields: FormData): Promise<void> {
    if (!isHalf) {
      const { twoFactorRedirect = false } = await signIn(email, String(fields.get('password')))
      if (!twoFactorRedirect) return end(true)
      setHalf(true)
    }
    const code = String(fields.get('code')).trim()
    await (isBackup ? verifyBackupCode(code) : verifyCode(code.replace(/\s/g, '')))
    end(true)
  }

  async function usePasskey(): Promise<void> {
    await signInByPasskey().catch(() => {
      throw new Problem(401, 'passkey', words.say('passkeyFailed'), null, null)
    })
    const now = await getData<Me>('/dashboard/api/me')
    if (now.person.id === me.person.id) return end(true)
    end(false)
    await client.resetQueries()
  }

  function explain(error: unknown): string | null {
    if (!(error instanceof Problem)) return null
    if (error.code === 'INVALID_EMAIL_OR_PASSWORD') return words.say('wrongOwnPassword')
    if (error.code === 'ACCOUNT_TEMPORARILY_LOCKED') return words.say('codeLocked')
    if (error.code === 'INVALID_TWO_FACTOR_COOKIE') setHalf(false)
    const isWrong = error.status === 401 || error.status === 400
    return isWrong ? words.say(isBackup ? 'wrongRecoveryCode' : 'wrongCode') : null
  }

  return (
    <Dialog title={words.say('signAgainTitle')} onClose={() => end(false)}>
      <p>{words.say('signAgainHint')}</p>
      {hasPasskeys() && (
        <ActionButton label={words.say('signInPasskey')} class="wide" onAction={usePasskey} />
      )}
      <Form action={words.say('signAgainAction')} onSend={send} explain={explain}>
        <input type="hidden" name="email" value={email} autocomplete="username" />
        {!isHalf && <OwnPassword />}
        {(hasSecondFactor || isHalf) && <CodeField isBackup={isBackup} />}
      </Form>
      {(hasSecondFactor || isHalf) && (
        <button type="button" class="plain" onClick={() => setBackup(!isBackup)}>
          {words.say(isBackup ? 'useCode' : 'useRecoveryCode')}
        </button>
      )}
    </Dialog>
  )
}
