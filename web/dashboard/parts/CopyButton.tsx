import { usePage } from './page.ts'
import { toast } from './Toasts.tsx'

interface CopyButtonProps {
  readonly value: string
  /** What is copied, for those who don't see it beside the button. */
  readonly of?: string
  readonly label?: string
  readonly class?: string
}

/** Copies a value; a toast says so, or that the browser refused. */
export function CopyButton({ value, of, label, class: look = 'quiet' }: CopyButtonProps) {
  const { words } = usePage()
  const text = label ?? words.say('copy')
  async function copy(): Promise<void> {
    const isCopied = await navigator.clipboard.writeText(value).then(
      () => true,
      () => false,
    )
    toast(words.say(isCopied ? 'copied' : 'copyRefused'))
  }
  return (
    <button
      type="button"
      class={look}
      {...(of === undefined ? {} : { 'aria-label': `${text} ${of}` })}
      onClick={copy}
    >
      {text}
    </button>
  )
}
