import { useState } from 'preact/hooks'
import { QrCode } from '../../checkout/parts/QrCode.tsx'
import { CodeField, OwnPassword } from '../forms/Credentials.tsx'
import { Form } from '../forms/Form.tsx'
import { CopyButton } from '../parts/CopyButton.tsx'
import { keepFile } from '../parts/csvFile.ts'
import { type DashboardWords, usePage } from '../parts/page.ts'
import { beginFactor, verifyCode } from '../session/auth.ts'
import { Problem } from '../session/request.ts'

/** What the server has made for an authenticator that has not shown a code yet. */
interface Begun {
  readonly totpURI: string
  readonly backupCodes: readonly string[]
}

const STEPS = 3

/**
 * The way to a second factor: password, then the code that the authenticator shows, then codes for the day it is lost.
 * `onSaved` is called once the user has confirmed that these are saved: they are shown only once.
 */
export function FactorGuide({ onSaved }: { readonly onSaved: () => Promise<unknown> }) {
  const { words } = usePage()
  const [begun, setBegun] = useState<Begun | null>(null)
  const [isVerified, setVerified] = useState(false)
  const step = begun === null ? 1 : isVerified ? 3 : 2
  return (
    <>
      <p class="hint">{words.say('stepOf', { n: step, all: STEPS })}</p>
      {begun === null ? (
        <Form
          action={words.say('proceed')}
          onSend={async (fields) => setBegun(await beginFactor(String(fields.get('password'))))}
          explain={explainPassword(words)}
        >
          <OwnPassword />
        </Form>
      ) : isVerified ? (
        <RecoveryCodes codes={begun.backupCodes} onSaved={onSaved} />
      ) : (
        <Scan uri={begun.totpURI} onVerified={() => setVerified(true)} />
      )}
    </>
  )
}

export const explainPassword = (words: DashboardWords) => (error: unknown) =>
  error instanceof Problem && error.code === 'INVALID_PASSWORD'
    ? words.say('wrongOwnPassword')
    : null

function Scan({ uri, onVerified }: { readonly uri: string; readonly onVerified: () => void }) {
  const { words } = usePage()
  const secret = URL.parse(uri)?.searchParams.get('secret') ?? ''
  return (
    <>
      <p>{words.say('scanHint')}</p>
      <QrCode text={uri} label={words.say('qrLabel')} />
      <p>
        {words.say('key')}: <code class="secret">{secret}</code>{' '}
        <CopyButton value={secret} of={words.say('key')} />
      </p>
      <Form
        action={words.say('proceed')}
        onSend={async (fields) => {
          await verifyCode(String(fields.get('code')).replace(/\s/g, ''))
          onVerified()
        }}
        explain={(error) =>
          error instanceof Problem && error.status === 401 ? words.say('wrongCode') : null
        }
      >
        <CodeField />
      </Form>
    </>
  )
}

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onSaved: () => Promise<unknown>
}

/** Codes to copy or download, and a confirmation that they are saved. */
export function RecoveryCodes({ codes, onSaved }: RecoveryCodesProps) {
  const { words } = usePage()
  const text = `${codes.join('\n')}\n`
  return (
    <div role="status" class="form">
      <p>{words.say('factorDone')}</p>
      <h2>{words.say('saveRecoveryCodes')}</h2>
      <p>{words.say('saveRecoveryCodesHint')}</p>
      <ul class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <CopyButton value={text} label={words.say('copyCodes')} />
        <button
          type="button"
          class="quiet"
          onClick={() => keepFile('remit-recovery-codes.txt', text, 'text/plain')}
        >
          {words.say('downloadCodes')}
        </button>
      </div>
      <Form action={words.say('proceed')} onSend={async () => void (await onSaved())}>
        <label class="check">
          <input type="checkbox" required /> {words.say('codesSaved')}
        </label>
      </Form>
    </div>
  )
}
