import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Field } from '../parts/Field.tsx'
import { Form } from '../parts/Form.tsx'
import { may } from '../parts/may.ts'
import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { getData, merchantApi, request } from '../session/request.ts'
import { changeOf, type SettingsJson } from './fields.ts'

/** What payers see of the merchant, and which pages may begin a checkout. */
export function SettingsPage({ merchantId, role }: PlaceProps) {
  const { words } = usePage()
  const path = merchantApi(merchantId, '/v1/settings/checkout')
  const settings = useQuery({
    queryKey: ['checkout-settings', merchantId],
    queryFn: () => getData<SettingsJson>(path),
  })
  const [isSaved, setSaved] = useState(false)

  async function save(fields: FormData): Promise<void> {
    setSaved(false)
    await request('PATCH', path, changeOf(fields))
    await settings.refetch()
    setSaved(true)
  }

  return (
    <>
      <h1>{words.say('settings')}</h1>
      {settings.isPending && <Skeleton rows={6} />}
      {settings.isError && <Failed error={settings.error} onRetry={() => settings.refetch()} />}
      {settings.data && (
        <section class="card narrow" aria-labelledby="checkout">
          <h2 id="checkout">{words.say('settingsCheckout')}</h2>
          {may(role, 'changeCheckoutSettings') ? (
            <Form action={words.say('settingsSave')} onSend={save}>
              <Fields settings={settings.data} />
            </Form>
          ) : (
            <p class="hint">{words.say('settingsReadOnly')}</p>
          )}
          {isSaved && <p role="status">{words.say('settingsSaved')}</p>}
        </section>
      )}
      <p class="hint">{words.say('settingsRecipient')}</p>
    </>
  )
}

function Fields({ settings }: { readonly settings: SettingsJson }) {
  const { words } = usePage()
  return (
    <>
      <Field
        label={words.say('settingsName')}
        name="name"
        autocomplete="off"
        initial={settings.name ?? ''}
      />
      <Field
        label={words.say('settingsAccent')}
        name="accent"
        hint={words.say('settingsAccentHint')}
        autocomplete="off"
        initial={settings.accent ?? ''}
      />
      <Field
        label={words.say('settingsSupportEmail')}
        name="supportEmail"
        type="email"
        autocomplete="off"
        initial={settings.supportEmail ?? ''}
      />
      <Field
        label={words.say('settingsSupportUrl')}
        name="supportUrl"
        autocomplete="off"
        initial={settings.supportUrl ?? ''}
      />
      <Field
        label={words.say('settingsReturnUrl')}
        name="returnUrl"
        hint={words.say('settingsReturnHint')}
        autocomplete="off"
        initial={settings.returnUrl ?? ''}
      />
      <Field
        label={words.say('settingsOrigins')}
        name="allowedOrigins"
        hint={words.say('settingsOriginsHint')}
        autocomplete="off"
        initial={settings.allowedOrigins.join(' ')}
      />
    </>
  )
}
