import type { CheckoutView } from '../../core/checkout/view.ts'
import { LOCALES, type Locale } from '../messages/locale.ts'
import { usePage } from './parts/context.ts'
import { Filled } from './parts/Filled.tsx'
import { type Carried, pageUrl } from './session/props.ts'

interface FooterProps {
  readonly view: CheckoutView
  readonly locales: readonly Locale[]
  readonly network: string | null
  readonly carried: Carried
}

/** Support contact and language. */
export function Footer({ view, locales, network, carried }: FooterProps) {
  const { words } = usePage()
  const hidden = { network, parent: carried.parent }
  const refreshUrl = pageUrl(view.id, carried, { network: network ?? undefined })
  return (
    <footer>
      <p class="unscripted">
        <a class="button wide" href={refreshUrl}>
          {words.say('refresh')}
        </a>
        {words.say('refreshHint')}
      </p>
      <Support view={view} />
      <form class="language" method="get" action={pageUrl(view.id, { lang: null, parent: null })}>
        {Object.entries(hidden).map(
          ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
        )}
        <label for="lang">{words.say('language')}</label>
        <select
          id="lang"
          name="lang"
          onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}
        >
          {locales.map((locale) => (
            <option key={locale} value={locale} lang={locale} selected={locale === words.locale}>
              {LOCALES[locale]}
            </option>
          ))}
        </select>
        <button type="submit" class="button unscripted">
          {words.say('languageSet')}
        </button>
      </form>
    </footer>
  )
}

/** The merchant's own contact. */
function Support({ view: { merchant, payment } }: { readonly view: CheckoutView }) {
  const { words } = usePage()
  const { name, supportEmail, supportUrl } = merchant
  const values = { merchant: name }
  const subject = payment ? `?subject=${encodeURIComponent(payment.reference)}` : ''
  return (
    <p class="support">
      {words.say('support')}{' '}
      {supportUrl && (
        <a href={supportUrl} target="_blank" rel="noopener noreferrer">
          {words.say('supportPage', values)}
          <span class="hidden"> ({words.say('opensTab')})</span>
        </a>
      )}
      {!supportUrl && supportEmail && (
        <a href={`mailto:${supportEmail}${subject}`}>{words.say('supportEmail', values)}</a>
      )}
      {!supportUrl && !supportEmail && words.say('supportNone', values)}
      {payment && <br />}
      {payment && (
        <Filled text="quote" name="reference">
          <bdi class="unbroken">{payment.reference}</bdi>
        </Filled>
      )}
    </p>
  )
}
