import { useQuery } from '@tanstack/preact-query'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Dialog } from '../forms/Dialog.tsx'
import { usePage } from '../parts/page.ts'
import { problemText } from '../parts/States.tsx'
import type { Me } from '../session/me.ts'
import { getData, merchantApi } from '../session/request.ts'
import { type FoundJson, type FoundLink, KINDS, linksOf, listOf, pagesNamed } from './found.ts'

interface FindDialogProps {
  readonly me: Me
  readonly merchantId: string
  readonly onClose: () => void
}

const PAUSE_MS = 250

/** Finds anything of the merchant by what is known of it. Enter opens the first result, arrows go through them. */
export function FindDialog({ me, merchantId, onClose }: FindDialogProps) {
  const { words, isSandbox } = usePage()
  const { route } = useLocation()
  const [text, setText] = useState('')
  const [searched, setSearched] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSearched(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => input.current?.focus(), [])
  const found = useQuery({
    queryKey: ['find', merchantId, { searched }],
    queryFn: () =>
      getData<FoundJson>(
        merchantApi(merchantId, `/v1/find?${new URLSearchParams({ q: searched })}`),
      ),
    enabled: searched !== '',
  })
  const isCurrent = searched === text.trim() && found.data !== undefined
  const links: readonly FoundLink[] =
    text.trim() === ''
      ? []
      : [
          ...pagesNamed(words, me, merchantId, isSandbox, text),
          ...(isCurrent ? linksOf(words, merchantId, text, found.data) : []),
        ]
  const all = { title: words.say('findAll', { text: text.trim() }), href: listOf(merchantId, text) }

  function go(href: string): void {
    onClose()
    route(href)
  }

  /** Moves the focus by so many results; before the first one is the field. */
  function move(by: number): void {
    const entries: (Element | null)[] = [...(list.current?.querySelectorAll('a') ?? [])]
    const at = entries.indexOf(document.activeElement) + by
    const next = at < 0 ? input.current : entries[Math.min(at, entries.length - 1)]
    if (next instanceof HTMLElement) next.focus()
  }

  return (
    <Dialog title={words.say('search')} onClose={onClose}>
      <search
        class="find"
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          move(event.key === 'ArrowDown' ? 1 : -1)
        }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (text.trim() !== '') go(links[0]?.href ?? all.href)
          }}
        >
          <input
            ref={input}
            type="search"
            name="find"
            class="wide"
            autocomplete="off"
            aria-label={words.say('search')}
            placeholder={words.say('findHint')}
            maxLength={255}
            value={text}
            onInput={({ currentTarget: { value } }) => setText(value)}
          />
        </form>
        {text.trim() !== '' && (
          <ul ref={list}>
            {links.map(({ kind, title, hint, href }) => (
              <li key={`${kind} ${href} ${title}`}>
                <Result href={href} onGo={go}>
                  <span class="long">
                    {title} {hint && <small class="hint">{hint}</small>}
                  </span>
                  <small class="hint">{words.say(KINDS[kind])}</small>
                </Result>
              </li>
            ))}
            <li>
              <Result href={all.href} onGo={go}>
                <span class="long">{all.title}</span>
              </Result>
            </li>
          </ul>
        )}
        <p class="hint" role="status">
          {found.isError && problemText(words, found.error)}
          {isCurrent && searched !== '' && words.say('findShown', { n: links.length })}
        </p>
      </search>
    </Dialog>
  )
}

interface ResultProps {
  readonly href: string
  readonly onGo: (href: string) => void
  readonly children: preact.ComponentChildren
}

/** A link that closes the dialog, unless it is opened in another tab. */
function Result({ href, onGo, children }: ResultProps) {
  return (
    <a
      href={href}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        onGo(href)
      }}
    >
      {children}
    </a>
  )
}
