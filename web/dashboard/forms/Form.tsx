import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { usePage } from '../parts/page.ts'
import { problemText } from '../parts/States.tsx'

interface FormProps {
  /** What the button does. */
  readonly action: string
  /** Rejects with what went wrong. */
  readonly onSend: (fields: FormData) => Promise<void>
  /** Says what went wrong where the server's own words don't fit; null for those. */
  readonly explain?: (error: unknown) => string | null
  /** Hears of the fields with every change. */
  readonly onChange?: (fields: FormData) => void
  /** Whether what it does can't be undone. */
  readonly isRisky?: boolean
  readonly children: ComponentChildren
}

/** A form with one button. It is never submitted twice at once; an error is shown above the button. */
export function Form({ action, onSend, explain, onChange, isRisky = false, children }: FormProps) {
  const { words } = usePage()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function send(form: HTMLFormElement): Promise<void> {
    setBusy(true)
    setProblem(null)
    try {
      await onSend(new FormData(form))
    } catch (error) {
      setProblem(explain?.(error) ?? problemText(words, error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <form
      class="form"
      onInput={(event) => onChange?.(new FormData(event.currentTarget))}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) send(event.currentTarget)
      }}
    >
      {children}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class={isRisky ? 'danger wide' : 'main wide'} aria-disabled={isBusy}>
        {action}
      </button>
    </form>
  )
}
