import { useId, useState } from 'preact/hooks'
import type { Messages } from '../messages/en.ts'
import { usePage } from './parts/context.ts'

/** Sends what was entered. Resolves to the sentence that says what was wrong, null when nothing was. */
export type Send = (entry: string) => Promise<keyof Messages | null>

interface PayerFormProps {
  readonly name: string
  readonly labels: Readonly<Record<'label' | 'hint' | 'submit' | 'wrong', keyof Messages>>
  readonly action: string
  readonly problem: keyof Messages | null
  /** Finds the entry in what was pasted. */
  readonly read: (text: string) => string | null
  readonly send: Send
}

/** One field and its button; without JavaScript the browser sends it. */
export function PayerForm({ name, labels, action, problem, read, send }: PayerFormProps) {
  const { words, announce } = usePage()
  const id = useId()
  const [wrong, setWrong] = useState(problem)
  const [isBusy, setBusy] = useState(false)

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    const form = event.currentTarget
    if (!(form instanceof HTMLFormElement) || isBusy) return
    const text = () => String(new FormData(form).get(name))
    const sent = text()
    const entry = read(sent)
    setBusy(true)
    const found = entry === null ? labels.wrong : await send(entry)
    setBusy(false)
    setWrong(found)
    if (found !== null) announce(words.say(found))
    // The stream may have shown the result before this answer: the payer may already be at the next entry.
    else if (text() === sent) form.reset()
  }

  return (
    <form method="post" action={action} onSubmit={submit} novalidate>
      <label for={`${id}-entry`}>{words.say(labels.label)}</label>
      <div class="entry">
        <input
          id={`${id}-entry`}
          name={name}
          required
          dir="ltr"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          maxLength={300}
          aria-invalid={wrong !== null}
          aria-describedby={`${id}-hint`}
        />
        <button type="submit" class="button" aria-disabled={isBusy}>
          {words.say(isBusy ? 'working' : labels.submit)}
        </button>
      </div>
      <p id={`${id}-hint`} class={wrong === null ? 'hint' : 'hint wrong'}>
        {words.say(wrong ?? labels.hint)}
      </p>
    </form>
  )
}
