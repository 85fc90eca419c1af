import { LOCALES } from '../../messages/locale.ts'
import { DecimalField } from '../forms/DecimalField.tsx'
import { Field } from '../forms/Field.tsx'
import { usePage } from '../parts/page.ts'
import { Accent } from './Accent.tsx'
import {
  EXPIRY_UNITS,
  type SettingsJson,
  splitExpiry,
  splitTolerance,
  type ToleranceUnit,
} from './fields.ts'

interface FieldsProps {
  readonly settings: SettingsJson
}

/** The fields that are single texts, in the order of the form. */
const TEXTS = [
  { name: 'supportEmail', label: 'settingsSupportEmail', type: 'email' },
  { name: 'supportUrl', label: 'settingsSupportUrl', inputMode: 'url' },
  {
    name: 'returnUrl',
    label: 'settingsReturnUrl',
    inputMode: 'url',
    hint: 'settingsReturnHint',
  },
] as const

/** Everything of the checkout that can be set, as fields of one form. */
export function Fields({ settings }: FieldsProps) {
  const { words } = usePage()
  return (
    <>
      <Field
        name="name"
        label={words.say('settingsName')}
        autocomplete="off"
        maxLength={80}
        initial={settings.name ?? ''}
      />
      <Accent initial={settings.accent ?? ''} />
      {TEXTS.map(({ name, label, ...rest }) => (
        <Field
          key={name}
          {...rest}
          name={name}
          label={words.say(label)}
          {...('hint' in rest ? { hint: words.say(rest.hint) } : {})}
          autocomplete="off"
          initial={settings[name] ?? ''}
        />
      ))}
      <Origins settings={settings} />
      <Expiry settings={settings} />
      <Tolerance settings={settings} />
      <Languages settings={settings} />
    </>
  )
}

function Origins({ settings }: FieldsProps) {
  const { words } = usePage()
  return (
    <label class="field">
      <span>{words.say('settingsOrigins')}</span>
      <textarea
        class="wide"
        name="allowedOrigins"
        rows={Math.max(2, settings.allowedOrigins.length + 1)}
        spellcheck={false}
        defaultValue={settings.allowedOrigins.join('\n')}
      />
      <small class="hint">{words.say('settingsOriginsHint')}</small>
    </label>
  )
}

/** For how long a payment may take; once it is set there always is one. */
function Expiry({ settings: { defaultExpiry } }: FieldsProps) {
  const { words } = usePage()
  const { n, unit } = splitExpiry(defaultExpiry ?? EXPIRY_UNITS.days)
  return (
    <div class="pair">
      <label class="field">
        <span>{words.say('settingsExpiry')}</span>
        <input
          class="wide figure"
          type="number"
          name="expiry"
          min={1}
          step={1}
          required={defaultExpiry !== null}
          defaultValue={defaultExpiry === null ? '' : String(n)}
        />
        <small class="hint">{words.say('settingsExpiryHint')}</small>
      </label>
      <label class="field">
        <span>{words.say('settingsUnit')}</span>
        <select class="wide" name="expiryUnit">
          {(['minutes', 'hours', 'days'] as const).map((name) => (
            <option key={name} value={name} selected={name === unit}>
              {words.say(EXPIRY_WORDS[name])}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

const EXPIRY_WORDS = {
  minutes: 'unitMinutes',
  hours: 'unitHours',
  days: 'unitDays',
} as const
const TOLERANCE_WORDS = { percent: 'unitPercent', amount: 'unitAmount' } as const
const TOLERANCE_UNITS: readonly ToleranceUnit[] = ['percent', 'amount']

function Tolerance({ settings: { underpaymentTolerance } }: FieldsProps) {
  const { words } = usePage()
  const { value, unit } = splitTolerance(underpaymentTolerance)
  return (
    <div class="pair">
      <DecimalField
        label={words.say('settingsTolerance')}
        hint={words.say('settingsToleranceHint')}
        name="tolerance"
        initial={value}
      />
      <label class="field">
        <span>{words.say('settingsUnit')}</span>
        <select class="wide" name="toleranceUnit">
          {TOLERANCE_UNITS.map((name) => (
            <option key={name} value={name} selected={name === unit}>
              {words.say(TOLERANCE_WORDS[name])}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

function Languages({ settings: { languages } }: FieldsProps) {
  const { words } = usePage()
  return (
    <fieldset class="field" aria-describedby="languages-hint">
      <legend>{words.say('settingsLanguages')}</legend>
      <div class="checks">
        {Object.entries(LOCALES).map(([locale, name]) => (
          <label key={locale} class="check" lang={locale}>
            <input
              type="checkbox"
              name="languages"
              value={locale}
              defaultChecked={languages.includes(locale)}
            />
            {name}
          </label>
        ))}
      </div>
      <small id="languages-hint" class="hint">
        {words.say('settingsLanguagesHint')}
      </small>
    </fieldset>
  )
}
