import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from './Dialog.tsx'
import { Form } from './Form.tsx'

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
  /** Whether it can be undone the same way. */
  readonly isSafe?: boolean
}

/** A button for an action that is not to happen by mistake, with a confirmation that names it. */
export function Confirm(props: ConfirmProps) {
  const { label, title, children, action, onConfirm, isSafe = false } = props
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button type="button" class={isSafe ? 'quiet' : 'quiet risky'} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          <Form action={action} isRisky={!isSafe} onSend={() => onConfirm().then(close)}>
            {children}
          </Form>
        </Dialog>
      )}
    </>
  )
}
