import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { usePage } from '../parts/page.ts'
import { placePath, placesFor } from '../parts/places.ts'
import type { Me } from '../session/me.ts'

interface NavigationProps {
  readonly me: Me
  readonly merchantId: string | null
}

interface Place {
  readonly name: Parameters<ReturnType<typeof usePage>['words']['say']>[0]
  readonly href: string
}

/** All pages. On a phone the first three stay at the bottom, and a button shows the others above them. */
export function Navigation({ me, merchantId }: NavigationProps) {
  const { words, isSandbox } = usePage()
  const { path } = useLocation()
  const [isOpen, setOpen] = useState(false)
  const [first = [], ...others] = groupsOf(me, merchantId, isSandbox)
  // Navigation closes the menu.
  useEffect(() => setOpen(false), [path])

  return (
    <nav
      aria-label={words.say('navigation')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false)
      }}
    >
      <PlaceList places={first} path={path} />
      <button
        type="button"
        class="quiet more"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {words.say('more')}
      </button>
      <div class={isOpen ? 'others open' : 'others'}>
        {others.map((places) => (
          <PlaceList key={places[0]?.name} places={places} path={path} />
        ))}
      </div>
    </nav>
  )
}

function groupsOf(me: Me, merchantId: string | null, isSandbox: boolean): readonly Place[][] {
  const here = me.merchants.find((merchant) => merchant.merchantId === merchantId)
  const places = here === undefined ? [[]] : placesFor(here.role, isSandbox)
  const own: Place[] = [{ name: 'security', href: '/dashboard/security' }]
  if (me.isOperator === true) own.push({ name: 'operator', href: '/dashboard/operator' })
  const ofMerchant = places.map((group) =>
    group.map((name): Place => ({ name, href: placePath(merchantId ?? '', name) })),
  )
  return [...ofMerchant, own].filter((group) => group.length > 0)
}

function PlaceList({ places, path }: { readonly places: readonly Place[]; readonly path: string }) {
  const { words } = usePage()
  const isAt = (href: string) => path === href || path.startsWith(`${href}/`)
  return (
    <ul>
      {places.map(({ name, href }) => (
        <li key={name}>
          <a href={href} {...(isAt(href) ? ({ 'aria-current': 'page' } as const) : {})}>
            {words.say(name)}
          </a>
        </li>
      ))}
    </ul>
  )
}
