import { useState } from 'preact/hooks'
import { NewPassword, OwnPassword } from '../forms/Credentials.tsx'
import { Form } from '../forms/Form.tsx'
import { usePage } from '../parts/page.ts'
import { changePassword } from '../session/auth.ts'
import { explainPassword } from './FactorGuide.tsx'

/** Changes the password, which ends all other sessions. */
export function Password() {
  const { words } = usePage()
  const [state, setState] = useState<'closed' | 'open' | 'done'>('closed')
  async function send(fields: FormData): Promise<void> {
    await changePassword(String(fields.get('before')), String(fields.get('next')))
    setState('done')
  }
  return (
    <section class="card">
      <h2>{words.say('password')}</h2>
      {state === 'closed' && (
        <div class="actions">
          <button type="button" onClick={() => setState('open')}>
            {words.say('changePassword')}
          </button>
        </div>
      )}
      {state === 'done' && <p role="status">{words.say('passwordChanged')}</p>}
      {state === 'open' && (
        <Form action={words.say('changePassword')} onSend={send} explain={explainPassword(words)}>
          <OwnPassword label={words.say('currentPassword')} name="before" />
          <NewPassword label={words.say('newPassword')} name="next" />
        </Form>
      )}
    </section>
  )
}
