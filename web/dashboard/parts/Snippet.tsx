import { CopyButton } from './CopyButton.tsx'
import { usePage } from './page.ts'

interface SnippetProps {
  /** For screen readers. */
  readonly label: string
  readonly text: string
}

/** Text to take along as it is: it can be reached, scrolled and copied whole. */
export function Snippet({ label, text }: SnippetProps) {
  const { words } = usePage()
  return (
    <div class="snippet">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <section tabIndex={0} aria-label={words.say('snippetOf', { name: label })}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <CopyButton value={text} of={label} />
    </div>
  )
}
