import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { usePage } from '../parts/page.ts'
import { problemText } from '../parts/States.tsx'

interface ConfirmProps {
  /** What the button on the page says, */
  readonly label: string
  /** what is asked, */
  readonly title: string
  /** what follows from it, */
  readonly children: ComponentChildren
  /** and what the button that does it says. */
  readonly action: string
  readonly onConfirm: () => Promise<void>
}

/** A button for an irreversible action, with a confirmation that names it. */
export function Confirm({ label, title, children, action, onConfirm }: ConfirmProps) {
  const { words } = usePage()
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function confirm(): Promise<void> {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    try {
      await onConfirm()
      dialog.current?.close()
    } catch (error) {
      setProblem(problemText(words, error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <button type="button" class="quiet" onClick={() => dialog.current?.showModal()}>
        {label}
      </button>
      <dialog ref={dialog} class="ask" aria-labelledby={id} onClose={() => setProblem(null)}>
        <h2 id={id}>{title}</h2>
        {children}
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <div class="actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            {words.say('cancel')}
          </button>
          <button type="button" class="danger" aria-disabled={isBusy} onClick={confirm}>
            {action}
          </button>
        </div>
      </dialog>
    </>
  )
}
