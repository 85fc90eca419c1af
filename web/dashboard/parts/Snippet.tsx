import { useState } from 'preact/hooks'
import { usePage } from './page.ts'

interface SnippetProps {
  /** For screen readers. */
  readonly label: string
  readonly text: string
}

/** Text to take along as it is: it can be reached, scrolled and copied whole. */
export function Snippet({ label, text }: SnippetProps) {
  const { words } = usePage()
  const [state, setState] = useState<'copy' | 'copied' | 'copyRefused'>('copy')

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      setState('copyRefused')
    }
  }

  return (
    <div class="snippet">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <section tabIndex={0} aria-label={words.say('snippetOf', { name: label })}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <button
        type="button"
        class="quiet"
        aria-label={`${words.say('copy')}: ${label}`}
        onClick={copy}
      >
        {words.say(state)}
      </button>
      <span class="hidden" role="status">
        {state === 'copy' ? '' : words.say(state)}
      </span>
    </div>
  )
}
