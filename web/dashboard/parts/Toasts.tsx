import { useEffect, useState } from 'preact/hooks'
import { type DashboardWords, usePage } from './page.ts'

/** What was just done, with a link to it, shown on every page. */
interface Toast {
  readonly text: string
  readonly link?: { readonly href: string; readonly name: string }
}

type Show = (toast: Toast) => void
let shown: Show = () => {}

/** Says what was just done. */
export function toast(text: string, link?: Toast['link']): void {
  shown(link === undefined ? { text } : { text, link })
}

/** Says what was just done, by its name in the audit log, with a link to what it was done to. */
export function toastDone(
  words: DashboardWords,
  action: Parameters<DashboardWords['say']>[0],
  href: string,
): void {
  toast(words.say(action), { href, name: words.say('view') })
}

/** Has toasts shown by `show`, until the answer is called. */
function showToasts(show: Show): () => void {
  shown = show
  return () => {
    shown = () => {}
  }
}

const SHOWN_MS = 8_000

/** The last toast. It stays while it is pointed at or has the focus. */
export function Toasts() {
  const { words } = usePage()
  const [last, setLast] = useState<Toast | null>(null)
  const [isHeld, setHeld] = useState(false)
  useEffect(() => showToasts(setLast), [])
  useEffect(() => {
    if (last === null || isHeld) return
    const timer = setTimeout(() => setLast(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [last, isHeld])
  const close = () => {
    setLast(null)
    setHeld(false)
  }
  return (
    <div
      class="toasts"
      role="status"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      {last && (
        <div class="toast">
          <span class="long">{last.text}</span>
          {last.link && (
            <a href={last.link.href} onClick={close}>
              {last.link.name}
            </a>
          )}
          <button type="button" class="copy" aria-label={words.say('closeToast')} onClick={close}>
            ×
          </button>
        </div>
      )}
    </div>
  )
}
