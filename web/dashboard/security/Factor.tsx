import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { QrCode } from '../../checkout/parts/QrCode.tsx'
import { Field } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { type DashboardWords, usePage } from '../parts/page.ts'
import { beginFactor, newBackupCodes, removeFactor, verifyCode } from '../session/auth.ts'
import { ME } from '../session/me.ts'
import { Problem } from '../session/request.ts'

/** What the server has made for an authenticator that has not shown a code yet. */
interface Begun {
  readonly totpURI: string
  readonly backupCodes: readonly string[]
}

interface FactorProps {
  readonly isOn: boolean
  /** Whether the user's role requires it: then it can't be removed. */
  readonly isNeeded: boolean
}

/** The authenticator: password, then the code that it shows, then codes for the day it is lost. */
export function Factor({ isOn, isNeeded }: FactorProps) {
  const { words } = usePage()
  const [begun, setBegun] = useState<Begun | null>(null)
  const [isDone, setDone] = useState(false)
  return (
    <section class="card" aria-labelledby="factor">
      <h2 id="factor">{words.say('factorTitle')}</h2>
      {begun && isDone ? (
        <BackupCodes codes={begun.backupCodes} />
      ) : isOn ? (
        <>
          <Renew />
          {!isNeeded && <Remove />}
        </>
      ) : begun ? (
        <Confirm begun={begun} onDone={() => setDone(true)} />
      ) : (
        <Begin onBegun={setBegun} />
      )}
    </section>
  )
}

/** New recovery codes; they replace the previous ones. */
function Renew() {
  const { words } = usePage()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes !== null) return <BackupCodes codes={codes} />
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
function Remove() {
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
        }}
        explain={explainPassword(words)}
      >
        <OwnPassword />
      </Form>
    </details>
  )
}

/** The user's password, so that a browser left open is not enough. */
function OwnPassword() {
  const { words } = usePage()
  return (
    <Field
      label={words.say('password')}
      name="password"
      type="password"
      autocomplete="current-password"
      required
    />
  )
}

const explainPassword = (words: DashboardWords) => (error: unknown) =>
  error instanceof Problem && error.code === 'INVALID_PASSWORD'
    ? words.say('wrongOwnPassword')
    : null

function Begin({ onBegun }: { readonly onBegun: (begun: Begun) => void }) {
  const { words } = usePage()
  return (
    <>
      <p>{words.say('factorOff')}</p>
      <Form
        action={words.say('setUp')}
        onSend={async (fields) => onBegun(await beginFactor(String(fields.get('password'))))}
        explain={explainPassword(words)}
      >
        <OwnPassword />
      </Form>
    </>
  )
}

function Confirm({ begun, onDone }: { readonly begun: Begun; readonly onDone: () => void }) {
  const { words } = usePage()
  const client = useQueryClient()
  async function send(fields: FormData): Promise<void> {
    await verifyCode(String(fields.get('code')).replace(/\s/g, ''))
    onDone()
    await client.invalidateQueries({ queryKey: ME })
  }
  return (
    <>
      <p>{words.say('scanHint')}</p>
      <QrCode text={begun.totpURI} label={words.say('qrLabel')} />
      <p>
        {words.say('key')}: <code class="secret">{secretOf(begun.totpURI)}</code>
      </p>
      <Form
        action={words.say('proceed')}
        onSend={send}
        explain={(error) =>
          error instanceof Problem && error.status === 401 ? words.say('wrongCode') : null
        }
      >
        <Field
          label={words.say('code')}
          name="code"
          inputMode="numeric"
          autocomplete="one-time-code"
          maxLength={20}
          required
        />
      </Form>
    </>
  )
}

function BackupCodes({ codes }: { readonly codes: readonly string[] }) {
  const { words } = usePage()
  return (
    <div role="status" class="form">
      <p>{words.say('factorDone')}</p>
      <h3>{words.say('saveRecoveryCodes')}</h3>
      <p>{words.say('saveRecoveryCodesHint')}</p>
      <ul class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}

function secretOf(uri: string): string {
  return URL.parse(uri)?.searchParams.get('secret') ?? ''
}
