import type { ComponentChildren } from 'preact'
import { usePage } from './page.ts'

interface HeadProps {
  readonly title: ComponentChildren
  /** What the page is for, in a sentence. */
  readonly hint?: string
  /** The status of what the page is about, beside its title. */
  readonly status?: ComponentChildren
  /** Where the list is that this is one of. */
  readonly back?: { readonly href: string; readonly name: string }
  /** What can be done on the page. */
  readonly children?: ComponentChildren
}

/** The head of a page: its title, what it is about, and what can be done. */
export function Head({ title, hint, status, back, children }: HeadProps) {
  return (
    <>
      {back && (
        <p class="back">
          <a href={back.href}>{back.name}</a>
        </p>
      )}
      <div class="head">
        <div class="titled">
          <h1>{title}</h1>
          {status}
          {hint && <p class="hint">{hint}</p>}
        </div>
        {children && <div class="actions">{children}</div>}
      </div>
    </>
  )
}

/** The button that takes the rows of a table along; there is nothing to take where there are none. */
export function CsvButton({ isEmpty, onTake }: { isEmpty: boolean; onTake: () => void }) {
  const { words } = usePage()
  return (
    <button type="button" aria-disabled={isEmpty} onClick={() => !isEmpty && onTake()}>
      {words.say('downloadCsv')}
    </button>
  )
}
