import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from './Dialog.tsx'

interface AddProps {
  /** What the button says, and the dialog above its form. */
  readonly label: string
  /** Whether the dialog is open from the start. */
  readonly isFirst?: boolean
  /** The form; it is given what closes the dialog. */
  readonly children: (close: () => void) => ComponentChildren
}

/** The page's main button: a dialog with a form for something new. */
export function Add({ label, isFirst = false, children }: AddProps) {
  const [isOpen, setOpen] = useState(isFirst)
  const close = () => setOpen(false)
  return (
    <>
      <button type="button" class="main" onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Dialog title={label} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  )
}
