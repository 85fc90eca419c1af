import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { Toasts } from '../parts/Toasts.tsx'
import { type Me, useMe } from '../session/me.ts'
import { Problem } from '../session/request.ts'
import { Gate } from '../sign/Gate.tsx'
import { SignIn } from '../sign/SignIn.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { Again } from './Again.tsx'
import { MerchantSwitcher } from './MerchantSwitcher.tsx'
import { merchantGroups, Navigation, OPERATOR_GROUPS } from './Navigation.tsx'

interface ShellProps {
  /** The merchant of the page; null for pages about the user. */
  readonly merchantId: string | null
  /** Whose pages these are: the operator's have a navigation of their own. */
  readonly area?: 'operator'
  readonly children: (me: Me) => ComponentChildren
}

/** The frame of every page of a signed-in user; the sign-in page for everyone else. */
export function Shell({ merchantId, area, children }: ShellProps) {
  const { words } = usePage()
  const me = useMe()
  if (me.isPending) {
    return (
      <Gate title={words.say('loading')}>
        <Skeleton rows={4} />
      </Gate>
    )
  }
  if (me.isError) {
    if (me.error instanceof Problem && me.error.status === 401) return <SignIn />
    return (
      <Gate title={words.say('failedTitle')}>
        <Failed error={me.error} onRetry={() => me.refetch()} />
      </Gate>
    )
  }
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {words.say('skip')}
      </a>
      <Sidebar me={me.data} merchantId={merchantId} {...(area ? { area } : {})} />
      <main id="content" tabIndex={-1}>
        {children(me.data)}
      </main>
      <Again me={me.data} />
      <Toasts />
    </div>
  )
}

interface SidebarProps extends Pick<ShellProps, 'merchantId' | 'area'> {
  readonly me: Me
}

function Sidebar({ me, merchantId, area }: SidebarProps) {
  const { words, isSandbox } = usePage()
  const current = merchantId ?? me.merchants[0]?.merchantId ?? null
  const isOperator = area === 'operator'
  return (
    <header class="side">
      <p class="brand">
        {words.say(isOperator ? 'operator' : 'product')}
        {isSandbox && <Pill tone="warn" text={words.say('testMode')} />}
      </p>
      {isOperator ? (
        <a class="leave" href="/dashboard">
          {words.say('toMerchants')}
        </a>
      ) : (
        <MerchantSwitcher me={me} merchantId={current} />
      )}
      {current !== null && !isOperator && <FindPayment merchantId={current} />}
      <Navigation
        groups={isOperator ? OPERATOR_GROUPS : merchantGroups(me, current, isSandbox)}
        merchantId={current}
      />
      <AccountMenu me={me} />
    </header>
  )
}

/** Finds a payment from any page, by all that the search of the list of invoices knows. */
function FindPayment({ merchantId }: { readonly merchantId: string }) {
  const { words } = usePage()
  const { route } = useLocation()
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const q = String(new FormData(event.currentTarget).get('find')).trim()
          if (q !== '') route(`${placePath(merchantId, 'invoices')}?${new URLSearchParams({ q })}`)
          event.currentTarget.reset()
        }}
      >
        <input
          type="search"
          name="find"
          class="wide"
          aria-label={words.say('findPayment')}
          placeholder={words.say('findPayment')}
          maxLength={255}
        />
      </form>
    </search>
  )
}
