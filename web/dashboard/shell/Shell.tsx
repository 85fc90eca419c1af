import { useQueryClient } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { usePage } from '../parts/page.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { signOut } from '../session/auth.ts'
import { ME, type Me, useMe } from '../session/me.ts'
import { Problem } from '../session/request.ts'
import { Gate } from '../sign/Gate.tsx'
import { SignIn } from '../sign/SignIn.tsx'
import { Again } from './Again.tsx'
import { MerchantSwitcher } from './MerchantSwitcher.tsx'
import { Navigation } from './Navigation.tsx'

interface ShellProps {
  /** The merchant of the page; null for pages about the user. */
  readonly merchantId: string | null
  readonly children: (me: Me) => ComponentChildren
}

/** The frame of every page of a signed-in user; the sign-in page for everyone else. */
export function Shell({ merchantId, children }: ShellProps) {
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
      <Sidebar me={me.data} merchantId={merchantId} />
      <main id="content" tabIndex={-1}>
        {children(me.data)}
      </main>
      <Again me={me.data} />
    </div>
  )
}

interface SidebarProps {
  readonly me: Me
  readonly merchantId: string | null
}

function Sidebar({ me, merchantId }: SidebarProps) {
  const { words } = usePage()
  const { route } = useLocation()
  const client = useQueryClient()
  const current = merchantId ?? me.merchants[0]?.merchantId ?? null

  async function leave(): Promise<void> {
    await signOut()
    // Data that the next user must not see is dropped, and the session is read again even if the page stays.
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] })
    route('/dashboard/sign-in')
    await client.resetQueries({ queryKey: ME })
  }

  return (
    <header class="side">
      <p class="brand">{words.say('product')}</p>
      <MerchantSwitcher me={me} merchantId={current} />
      <Navigation me={me} merchantId={current} />
      <div class="self">
        <small class="hint" title={me.person.email}>
          {me.person.email}
        </small>
        <button type="button" class="quiet" onClick={leave}>
          {words.say('signOut')}
        </button>
      </div>
    </header>
  )
}
