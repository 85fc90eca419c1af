import { usePage } from '../parts/page.ts'

interface DecimalFieldProps {
  readonly label: string
  readonly name: string
  readonly hint?: string
  readonly required?: boolean
  /** What it holds at first. */
  readonly initial?: string
}

/** An amount in major units, as the API takes it once blanks around it are left out: digits, and a point before decimals. */
export function DecimalField({ label, name, hint, required, initial }: DecimalFieldProps) {
  const { words } = usePage()
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="wide figure"
        name={name}
        inputMode="decimal"
        pattern="\s*[0-9]+([.][0-9]+)?\s*"
        title={words.say('amountForm')}
        autocomplete="off"
        required={required}
        defaultValue={initial}
      />
      {hint && <small class="hint">{hint}</small>}
    </label>
  )
}
