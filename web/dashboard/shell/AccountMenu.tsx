import { useQueryClient } from '@tanstack/preact-query'
import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { LOCALES } from '../../messages/locale.ts'
import { usePage } from '../parts/page.ts'
import { signOut } from '../session/auth.ts'
import { LANGUAGE_COOKIE } from '../session/boot.ts'
import { ME, type Me } from '../session/me.ts'
import { Initials } from './icons.tsx'

const MENU = 'account'
const LANGUAGE = 'language'
const YEAR_S = 31_536_000

/** Who is signed in, and what concerns them rather than the merchant. */
export function AccountMenu({ me }: { readonly me: Me }) {
  const { words } = usePage()
  const { path, route } = useLocation()
  const client = useQueryClient()
  const menu = useRef<HTMLDivElement>(null)
  const { name, email } = me.person
  // Navigation closes the menu.
  useEffect(() => menu.current?.hidePopover(), [path])

  async function leave(): Promise<void> {
    await signOut()
    // Data that the next user must not see is dropped, and the session is read again even if the page stays.
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] })
    route('/dashboard/sign-in')
    await client.resetQueries({ queryKey: ME })
  }
  return (
    <div class="self">
      <button type="button" class="account" popovertarget={MENU} aria-label={words.say('account')}>
        <Initials name={name} />
        <span class="who">
          {name}
          <small class="hint">{email}</small>
        </span>
      </button>
      <div ref={menu} id={MENU} popover="auto" class="popover">
        <p class="hint long">{email}</p>
        <ul>
          <li>
            <a href="/dashboard/security">{words.say('security')}</a>
          </li>
          {me.isOperator === true && (
            <li>
              <a href="/dashboard/operator">{words.say('operator')}</a>
            </li>
          )}
          <li>
            <a href="/docs" target="_blank" rel="noreferrer">
              {words.say('documentation')}
            </a>
          </li>
        </ul>
        <div class="field">
          <label class="hint" for={LANGUAGE}>
            {words.say('language')}
          </label>
          <select
            id={LANGUAGE}
            class="wide"
            value={words.locale}
            onChange={({ currentTarget: { value } }) => {
              // biome-ignore lint/suspicious/noDocumentCookie: the server reads it before any script runs.
              document.cookie = `${LANGUAGE_COOKIE}=${value}; path=/dashboard; max-age=${YEAR_S}; samesite=lax${location.protocol === 'https:' ? '; secure' : ''}`
              location.reload()
            }}
          >
            {(['en', 'de'] as const).map((locale) => (
              <option key={locale} value={locale}>
                {LOCALES[locale]}
              </option>
            ))}
          </select>
        </div>
        <button type="button" class="quiet" onClick={leave}>
          {words.say('signOut')}
        </button>
      </div>
    </div>
  )
}
