import { useState } from 'preact/hooks'
import { DecimalField } from '../forms/DecimalField.tsx'
import { Field } from '../forms/Field.tsx'
import { TokenOptions } from '../forms/TokenOptions.tsx'
import { usePage } from '../parts/page.ts'
import { ON_A_DAY } from './draft.ts'

const DAY_MS = 86_400_000
const MOST_DAYS = 365
/** How long an invoice can be paid, in hours; empty for without end. */
const TIMES = ['', '1', '24', '168', '720'] as const

/** The fields of a new invoice. Only the amount is required. */
export function InvoiceFields() {
  const { words } = usePage()
  return (
    <>
      <AmountFields />
      <Field
        label={words.say('description')}
        hint={words.say('linkForHint')}
        name="description"
        maxLength={500}
        autocomplete="off"
      />
      <Field
        label={words.say('order')}
        hint={words.say('newInvoiceOrderHint')}
        name="externalRef"
        maxLength={255}
        autocomplete="off"
      />
      <Field
        label={words.say('customerEmail')}
        hint={words.say('customerEmailHint')}
        name="customerEmail"
        type="email"
        maxLength={200}
        autocomplete="off"
      />
      <DueFields />
      <MetadataFields />
    </>
  )
}

/** The amount in a token, or in a currency with the token that it is paid in. */
function AmountFields() {
  const { words, tokens, currencies } = usePage()
  const [unit, setUnit] = useState(tokens[0]?.symbol ?? '')
  const isToken = tokens.some(({ symbol }) => symbol === unit)
  return (
    <>
      <div class="pair">
        <DecimalField label={words.say('amount')} name="amountExpected" unit={unit} required />
        <label class="field">
          <span>{words.say('currency')}</span>
          <select
            class="wide"
            name="unit"
            value={unit}
            onChange={({ currentTarget: { value } }) => setUnit(value)}
          >
            <TokenOptions tokens={tokens} />
            {currencies.map((currency) => (
              <option key={currency} value={currency}>
                {currency}
              </option>
            ))}
          </select>
        </label>
      </div>
      {!isToken && (
        <label class="field">
          <span>{words.say('paidIn')}</span>
          <select class="wide" name="tokenSymbol">
            <TokenOptions tokens={tokens} />
          </select>
          <small class="hint">{words.say('paidInHint', { currency: unit })}</small>
        </label>
      )}
    </>
  )
}

function DueFields() {
  const { words } = usePage()
  const [hours, setHours] = useState('')
  const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toLocaleDateString('en-CA')
  return (
    <div class="pair">
      <label class="field">
        <span>{words.say('expiresIn')}</span>
        <select
          class="wide"
          name="hours"
          value={hours}
          onChange={({ currentTarget: { value } }) => setHours(value)}
        >
          {TIMES.map((time) => (
            <option key={time} value={time}>
              {time === '' ? words.say('neverExpires') : words.say('nHours', { n: Number(time) })}
            </option>
          ))}
          <option value={ON_A_DAY}>{words.say('dueOnDay')}</option>
        </select>
      </label>
      {hours === ON_A_DAY && (
        <label class="field">
          <span>{words.say('dueDate')}</span>
          <input
            class="wide"
            type="date"
            name="dueOn"
            required
            min={dayIn(0)}
            max={dayIn(MOST_DAYS)}
          />
        </label>
      )}
    </div>
  )
}

const MOST_LINES = 10

/** What the invoice is to remember, as pairs. */
function MetadataFields() {
  const { words } = usePage()
  const [lines, setLines] = useState(0)
  return (
    <fieldset class="field">
      <legend>{words.say('newInvoiceMetadata')}</legend>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} class="pair">
          <input name="key" class="wide" aria-label={words.say('key')} maxLength={60} />
          <input
            name="value"
            class="wide"
            aria-label={words.say('metadataValue')}
            maxLength={200}
          />
        </div>
      ))}
      {lines < MOST_LINES && (
        <div>
          <button type="button" class="quiet" onClick={() => setLines(lines + 1)}>
            {words.say('addMetadata')}
          </button>
        </div>
      )}
    </fieldset>
  )
}
