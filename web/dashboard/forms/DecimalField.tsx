import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type AmountEntry, readAmount, writeAmount } from '../../messages/amountEntry.ts'
import { type DashboardWords, usePage } from '../parts/page.ts'

interface DecimalFieldProps {
  readonly label: string
  readonly name: string
  readonly hint?: string
  readonly required?: boolean
  /** The decimal that it holds until something is entered. */
  readonly initial?: string
  /** The token or currency of the amount, where it is known. */
  readonly unit?: string
  /** Receives the decimal with every change; null while it is none. */
  readonly onDecimal?: (decimal: string | null) => void
}

/**
 * An amount in major units, entered with the decimal separator of any region. The form's data has it as the API takes
 * it, and the field shows it as it is understood.
 */
export function DecimalField(props: DecimalFieldProps) {
  const { label, name, hint, required, initial = '', unit, onDecimal } = props
  const { words } = usePage()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [entered, setEntered] = useState<string | null>(null)
  const text = entered ?? writeAmount(initial, marksOf(words))
  const entry = readAmount(text, marksOf(words))
  const problem = text.trim() === '' || entry.ok ? '' : problemOf(words, entry)
  const decimal = entry.ok ? entry.decimal : null

  useLayoutEffect(() => input.current?.setCustomValidity(problem), [problem])
  useEffect(() => {
    const form = input.current?.form
    // Read on submission: the form gets the change before this field is rendered with it.
    const fill = ({ formData }: FormDataEvent) => {
      const now = readAmount(String(formData.get(name)), marksOf(words))
      if (now.ok) formData.set(name, now.decimal)
    }
    form?.addEventListener('formdata', fill)
    return () => form?.removeEventListener('formdata', fill)
  }, [name, words])

  function read(changed: string): void {
    setEntered(changed)
    const now = readAmount(changed, marksOf(words))
    onDecimal?.(now.ok ? now.decimal : null)
  }

  const understood = unit === undefined ? words.amount : (one: string) => words.money(one, unit)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        ref={input}
        id={id}
        class="wide figure"
        name={name}
        inputMode="decimal"
        autocomplete="off"
        required={required}
        value={text}
        aria-invalid={problem !== ''}
        aria-describedby={`${id}-understood ${id}-hint`}
        onInput={(event) => read(event.currentTarget.value)}
      />
      <small id={`${id}-understood`} class={problem === '' ? 'hint' : 'hint wrong'}>
        {problem || (decimal !== null && words.say('amountRead', { amount: understood(decimal) }))}
      </small>
      {hint && (
        <small id={`${id}-hint`} class="hint">
          {hint}
        </small>
      )}
    </div>
  )
}

function marksOf(words: DashboardWords) {
  return { decimalMark: words.say('decimalMark'), groupMark: words.say('groupMark') }
}

function problemOf(words: DashboardWords, entry: Exclude<AmountEntry, { ok: true }>): string {
  if (entry.problem === 'unreadable') {
    return words.say('amountForm', { example: writeAmount('1250.5', marksOf(words)) })
  }
  const [whole, fraction] = entry.either
  return words.say('amountAmbiguous', { whole, fraction })
}
