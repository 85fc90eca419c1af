import { useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { RecoveryJson } from '../../../core/invoice/recovery.ts'
import { usePage } from '../parts/page.ts'
import { placePath, placesFor } from '../parts/places.ts'
import { getList } from '../session/lists.ts'
import type { Me } from '../session/me.ts'
import { merchantApi } from '../session/request.ts'
import { Icon, type Shape } from './icons.tsx'

/** A page of the navigation. */
export interface Place {
  readonly name: Exclude<Shape, 'more' | 'search'>
  readonly href: string
}

export interface Group {
  readonly title?: 'groupBuild' | 'groupManage'
  readonly places: readonly Place[]
}

/** The pages of a merchant that a role has something to do on. */
export function merchantGroups(me: Me, merchantId: string | null, isSandbox: boolean): Group[] {
  const here = me.merchants.find((merchant) => merchant.merchantId === merchantId)
  if (here === undefined) return []
  return placesFor(here.role, isSandbox).map((group) => ({
    places: group.map((name) => ({ name, href: placePath(here.merchantId, name) })),
    ...(group.includes('developers') ? { title: 'groupBuild' } : {}),
    ...(group.includes('settings') ? { title: 'groupManage' } : {}),
  }))
}

const OPERATOR = '/dashboard/operator'

/** The pages of those who run the deployment. */
export const OPERATOR_GROUPS: readonly Group[] = [
  {
    places: [
      { name: 'opSystem', href: OPERATOR },
      { name: 'opRelayers', href: `${OPERATOR}/relayers` },
      { name: 'opWork', href: `${OPERATOR}/work` },
    ],
  },
  {
    places: [
      { name: 'opMerchants', href: `${OPERATOR}/merchants` },
      { name: 'opLimits', href: `${OPERATOR}/limits` },
      { name: 'opLog', href: `${OPERATOR}/log` },
    ],
  },
]

interface NavigationProps {
  readonly groups: readonly Group[]
  /** Whose held funds are counted. */
  readonly merchantId: string | null
}

/** All pages. On a phone the first group stays at the bottom, and a button shows the others above it. */
export function Navigation({ groups, merchantId }: NavigationProps) {
  const { words } = usePage()
  const { path } = useLocation()
  const [isOpen, setOpen] = useState(false)
  const [first, ...others] = groups
  const places = groups.flatMap((group) => group.places.map(({ href }) => href))
  // The operator's first page has the others below its own path.
  const here = places
    .toSorted((a, b) => b.length - a.length)
    .find((href) => path === href || path.startsWith(`${href}/`))
  // Navigation closes the menu.
  useEffect(() => setOpen(false), [path])
  if (first === undefined) return null
  return (
    <nav
      aria-label={words.say('navigation')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false)
      }}
    >
      <PlaceList {...first} {...{ here, merchantId }} />
      {others.length > 0 && (
        <>
          <button
            type="button"
            class="quiet more"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon shape="more" />
            {words.say('more')}
          </button>
          <div class={isOpen ? 'others open' : 'others'}>
            {others.map((group) => (
              <PlaceList key={group.places[0]?.name} {...group} {...{ here, merchantId }} />
            ))}
          </div>
        </>
      )}
    </nav>
  )
}

interface PlaceListProps extends Group {
  readonly here: string | undefined
  readonly merchantId: string | null
}

function PlaceList({ title, places, here, merchantId }: PlaceListProps) {
  const { words } = usePage()
  return (
    <>
      {title && <p class="group">{words.say(title)}</p>}
      <ul>
        {places.map(({ name, href }) => (
          <li key={name}>
            <a href={href} {...(href === here ? ({ 'aria-current': 'page' } as const) : {})}>
              <Icon shape={name} />
              {words.say(name)}
              {name === 'recoveries' && merchantId !== null && <Held merchantId={merchantId} />}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

const START = { after: '', before: '' } as const
const MOST_COUNTED = 9

/** How much needs a decision. */
function Held({ merchantId }: { readonly merchantId: string }) {
  const { words } = usePage()
  const path = merchantApi(merchantId, '/v1/recoveries')
  const held = useQuery({
    queryKey: ['heldCount', merchantId],
    queryFn: () => getList<RecoveryJson>(path, START, MOST_COUNTED + 1),
    staleTime: 30_000,
  })
  const n = held.data?.rows.length ?? 0
  if (n === 0) return null
  const shown = n > MOST_COUNTED ? `${MOST_COUNTED}+` : n
  return (
    <span class="count" title={words.say('nHeld', { n: shown })}>
      {shown}
    </span>
  )
}
