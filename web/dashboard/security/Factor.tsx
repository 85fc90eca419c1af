import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { OwnPassword } from '../forms/Credentials.tsx'
import { Form } from '../forms/Form.tsx'
import { usePage } from '../parts/page.ts'
import { newBackupCodes, removeFactor } from '../session/auth.ts'
import { ME } from '../session/me.ts'
import { explainPassword, FactorGuide, RecoveryCodes } from './FactorGuide.tsx'

interface FactorProps {
  readonly isOn: boolean
  /** Whether the user's role requires it: then it can't be removed. */
  readonly isNeeded: boolean
}

/** The authenticator: set up in steps, and then its recovery codes. */
export function Factor({ isOn, isNeeded }: FactorProps) {
  const { words } = usePage()
  const client = useQueryClient()
  const { route } = useLocation()
  // Stays until the recovery codes are saved, even if the user is read again meanwhile.
  const [isGuided, setGuided] = useState(!isOn)
  return (
    <section class="card" aria-labelledby="factor">
      <h2 id="factor">{words.say('factorTitle')}</h2>
      {isGuided ? (
        <FactorGuide
          onSaved={async () => {
            await client.invalidateQueries({ queryKey: ME })
            route('/dashboard')
          }}
        />
      ) : (
        <>
          <Renew />
          {!isNeeded && <Remove onRemoved={() => setGuided(true)} />}
        </>
      )}
    </section>
  )
}

/** New recovery codes; they replace the previous ones. */
function Renew() {
  const { words } = usePage()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes !== null) {
    return <RecoveryCodes codes={codes} onSaved={async () => setCodes(null)} />
  }
  return (
    <>
      <p>{words.say('factorOn')}</p>
      <details>
        <summary>{words.say('replaceRecoveryCodes')}</summary>
        <p>{words.say('replaceRecoveryCodesHint')}</p>
        <Form
          action={words.say('createRecoveryCodes')}
          onSend={async (fields) => {
            const { backupCodes } = await newBackupCodes(String(fields.get('password')))
            setCodes(backupCodes)
          }}
          explain={explainPassword(words)}
        >
          <OwnPassword />
        </Form>
      </details>
    </>
  )
}

/** Back to the password alone, for roles that require no more. */
function Remove({ onRemoved }: { readonly onRemoved: () => void }) {
  const { words } = usePage()
  const client = useQueryClient()
  return (
    <details>
      <summary>{words.say('removeFactor')}</summary>
      <p>{words.say('removeFactorHint')}</p>
      <Form
        action={words.say('removeFactor')}
        onSend={async (fields) => {
          await removeFactor(String(fields.get('password')))
          await client.invalidateQueries({ queryKey: ME })
          onRemoved()
        }}
        explain={explainPassword(words)}
      >
        <OwnPassword />
      </Form>
    </details>
  )
}
