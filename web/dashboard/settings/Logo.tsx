import type { Role } from '../../../core/access/roles.ts'
import { useAction } from '../forms/useAction.ts'
import { may } from '../parts/may.ts'
import { usePage } from '../parts/page.ts'
import { toastDone } from '../parts/Toasts.tsx'
import { request, upload } from '../session/request.ts'
import type { SettingsJson } from './fields.ts'

interface LogoProps {
  /** Of the logo in the API. */
  readonly path: string
  readonly url: string | null
  readonly role: Role
  readonly onChanged: (settings: SettingsJson) => void
}

interface Answer {
  readonly data: SettingsJson
}

/** The logo. What is chosen is checked and in use at once, by the API's own route. */
export function Logo({ path, url, role, onChanged }: LogoProps) {
  const { words } = usePage()
  const replace = useAction(async (file: File) => {
    onChanged((await upload<Answer>(path, file)).data)
    toastDone(words, 'audit_replaceLogo', location.pathname)
  })
  const remove = useAction(async () => {
    onChanged((await request<Answer>('DELETE', path)).data)
    toastDone(words, 'audit_removeLogo', location.pathname)
  })
  const problem = replace.problem ?? remove.problem
  return (
    <div class="field">
      <label for="logo">{words.say('settingsLogo')}</label>
      <div class="swatch">
        {url && <img src={url} alt={words.say('settingsLogoNow')} width="40" height="40" />}
        <input
          id="logo"
          type="file"
          accept="image/png,image/jpeg,image/webp"
          aria-describedby="logo-hint"
          disabled={!may(role, 'replaceLogo') || replace.isBusy}
          onChange={async ({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            if (file) await replace.run(file)
            // The same file can be chosen once more.
            currentTarget.value = ''
          }}
        />
        {url && may(role, 'removeLogo') && (
          <button type="button" class="quiet" onClick={() => remove.run()}>
            {words.say('settingsLogoRemove')}
          </button>
        )}
      </div>
      <small id="logo-hint" class="hint">
        {words.say('settingsLogoHint')}
      </small>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
