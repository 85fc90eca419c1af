import type { ComponentProps } from 'preact'
import { useId } from 'preact/hooks'

type FieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  readonly label: string
  readonly name: string
  readonly hint?: string
}

/** An input with its label above it and, where it needs one, a sentence below. */
export function Field({ label, hint, ...input }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} class="wide" {...input} {...(hint ? { 'aria-describedby': hintId } : {})} />
      {hint && (
        <small id={hintId} class="hint">
          {hint}
        </small>
      )}
    </div>
  )
}
