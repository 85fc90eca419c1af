import { useState } from 'preact/hooks'
import { CodeField } from '../forms/Credentials.tsx'
import { Form } from '../forms/Form.tsx'
import { usePage } from '../parts/page.ts'
import { verifyBackupCode, verifyCode } from '../session/auth.ts'
import { Problem } from '../session/request.ts'
import { Gate } from './Gate.tsx'

interface CodeStepProps {
  readonly onDone: () => Promise<void>
  /** Starts over, because the sign-in before it has expired. */
  readonly onBack: () => void
}

/** The second factor: a code of the authenticator, or one of the backup codes. */
export function CodeStep({ onDone, onBack }: CodeStepProps) {
  const { words } = usePage()
  const [isBackup, setBackup] = useState(false)

  async function send(fields: FormData): Promise<void> {
    const code = String(fields.get('code')).trim()
    await (isBackup ? verifyBackupCode(code) : verifyCode(code.replace(/\s/g, '')))
    await onDone()
  }

  function explain(error: unknown): string | null {
    if (!(error instanceof Problem)) return null
    if (error.code === 'ACCOUNT_TEMPORARILY_LOCKED') return words.say('codeLocked')
    if (error.code === 'INVALID_TWO_FACTOR_COOKIE') onBack()
    const isWrong = error.status === 401 || error.status === 400
    return isWrong ? words.say(isBackup ? 'wrongRecoveryCode' : 'wrongCode') : null
  }

  return (
    <Gate title={words.say('codeTitle')}>
      <Form key={String(isBackup)} action={words.say('proceed')} onSend={send} explain={explain}>
        <CodeField isBackup={isBackup} />
      </Form>
      <button type="button" class="quiet wide" onClick={() => setBackup(!isBackup)}>
        {words.say(isBackup ? 'useCode' : 'useRecoveryCode')}
      </button>
    </Gate>
  )
}
