import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso'

export interface Tab {
  readonly name: string
  readonly href: string
}

/** The pages below a page, in one line that scrolls on a phone. The first one has the page's own path. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const { path } = useLocation()
  const here = tabs.findLast(({ href }) => path === href || path.startsWith(`${href}/`))?.href
  const current = useRef<HTMLAnchorElement>(null)
  useEffect(() => current.current?.scrollIntoView({ block: 'nearest', inline: 'center' }), [here])
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {tabs.map(({ name, href }) => (
          <li key={href}>
            {href === here ? (
              <a ref={current} href={href} aria-current="page">
                {name}
              </a>
            ) : (
              <a href={href}>{name}</a>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}
