import { useState } from 'preact/hooks'
import type { Role } from '../../../core/access/roles.ts'
import { Form } from '../forms/Form.tsx'
import { may } from '../parts/may.ts'
import { usePage } from '../parts/page.ts'
import { problemText } from '../parts/States.tsx'
import { toastDone } from '../parts/Toasts.tsx'
import { useMe } from '../session/me.ts'
import { Problem, request } from '../session/request.ts'
import { Fields } from './Fields.tsx'
import { changeOf, type SettingsDraft, type SettingsJson } from './fields.ts'
import { Logo } from './Logo.tsx'
import { Preview } from './Preview.tsx'

interface CheckoutSettingsProps {
  readonly merchantId: string
  readonly role: Role
  /** Of the settings in the API. */
  readonly path: string
  readonly settings: SettingsJson
  readonly onChanged: (settings: SettingsJson) => void
}

/** The checkout's appearance and accepted tokens, beside a live preview. */
export function CheckoutSettings(props: CheckoutSettingsProps) {
  const { merchantId, role, path, settings, onChanged } = props
  const { words } = usePage()
  const me = useMe()
  const [draft, setDraft] = useState<SettingsDraft | null>(null)
  const mayChange = may(role, 'changeCheckoutSettings')

  async function save(fields: FormData): Promise<void> {
    const { data } = await request<{ data: SettingsJson }>('PATCH', path, changeOf(fields))
    onChanged(data)
    setDraft(null)
    toastDone(words, 'settingsSaved', location.pathname)
  }
  const named = me.data?.merchants.find((merchant) => merchant.merchantId === merchantId)
  return (
    <div class="beside">
      <section class="card" aria-labelledby="checkout">
        <h2 id="checkout">{words.say('settingsCheckout')}</h2>
        <Logo path={`${path}/logo`} url={settings.logoUrl} role={role} onChanged={onChanged} />
        {mayChange ? (
          <Form
            action={words.say('save')}
            onSend={save}
            onChange={(fields) => setDraft(changeOf(fields))}
            explain={(error) => explain(words, error)}
          >
            <Fields settings={settings} />
          </Form>
        ) : (
          <>
            <p class="hint">{words.say('settingsReadOnly')}</p>
            <fieldset class="form" disabled>
              <Fields settings={settings} />
            </fieldset>
          </>
        )}
      </section>
      <Preview
        settings={{ ...settings, ...draft }}
        merchantName={named?.merchantName ?? words.say('merchant')}
      />
    </div>
  )
}

/** What the API calls the fields, by what the page calls them. */
const LABELS = {
  name: 'settingsName',
  accent: 'settingsAccent',
  supportEmail: 'settingsSupportEmail',
  supportUrl: 'settingsSupportUrl',
  returnUrl: 'settingsReturnUrl',
  allowedOrigins: 'settingsOrigins',
  languages: 'settingsLanguages',
  defaultExpiry: 'settingsExpiry',
  underpaymentTolerance: 'settingsTolerance',
} as const

/** Says which field is meant; null for what is wrong with none of them. */
function explain(words: ReturnType<typeof usePage>['words'], error: unknown): string | null {
  if (!(error instanceof Problem)) return null
  const [name = ''] = error.path.split('.')
  const label = Object.entries(LABELS).find(([field]) => field === name)?.[1]
  return label === undefined ? null : `${words.say(label)}: ${problemText(words, error)}`
}
