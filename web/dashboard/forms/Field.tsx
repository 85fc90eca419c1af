import { useId } from 'preact/hooks'

interface FieldProps {
  readonly label: string
  readonly name: string
  readonly hint?: string
  readonly type?: 'text' | 'email' | 'password'
  /** What a password manager may fill in. */
  readonly autocomplete:
    | 'off'
    | 'name'
    | 'username'
    | 'current-password'
    | 'new-password'
    | 'one-time-code'
  readonly inputMode?: 'numeric' | 'url'
  readonly minLength?: number
  readonly maxLength?: number
  readonly required?: boolean
  /** What it holds at first. */
  readonly initial?: string
}

/** An input with its label above it and, where it needs one, a sentence below. */
export function Field({ label, hint, type = 'text', initial, ...rest }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const described = hint ? { 'aria-describedby': hintId } : {}
  const begun = initial === undefined ? {} : { defaultValue: initial }
  const input = { ...rest, ...described, ...begun, id, class: 'wide' }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === 'password' && <input type="password" {...input} />}
      {type === 'email' && <input type="email" {...input} />}
      {type === 'text' && <input type="text" {...input} />}
      {hint && (
        <small id={hintId} class="hint">
          {hint}
        </small>
      )}
    </div>
  )
}
