import type { ComponentChildren } from 'preact'
import { useCallback, useLayoutEffect, useState } from 'preact/hooks'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { Toasts } from '../parts/Toasts.tsx'
import { type Me, useMe } from '../session/me.ts'
import { Problem } from '../session/request.ts'
import { Gate } from '../sign/Gate.tsx'
import { SignIn } from '../sign/SignIn.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { Again } from './Again.tsx'
import { Icon } from './icons.tsx'
import { lazily } from './lazily.tsx'
import { MerchantSwitcher } from './MerchantSwitcher.tsx'
import { merchantGroups, Navigation, OPERATOR_GROUPS } from './Navigation.tsx'

const FindDialog = lazily(async () => (await import('./FindDialog.tsx')).FindDialog)

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
  const [isFinding, setFinding] = useState(false)
  const find = useCallback(() => setFinding(true), [])
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
  // Pages about the user have the first merchant beside them.
  const current = merchantId ?? me.data.merchants[0]?.merchantId ?? null
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {words.say('skip')}
      </a>
      <Sidebar me={me.data} merchantId={current} onFind={find} {...(area ? { area } : {})} />
      <main id="content" tabIndex={-1}>
        {children(me.data)}
      </main>
      {isFinding && current !== null && (
        <FindDialog me={me.data} merchantId={current} onClose={() => setFinding(false)} />
      )}
      <Again me={me.data} />
      <Toasts />
    </div>
  )
}

interface SidebarProps extends Pick<ShellProps, 'merchantId' | 'area'> {
  readonly me: Me
  readonly onFind: () => void
}

function Sidebar({ me, merchantId, onFind, area }: SidebarProps) {
  const { words, isSandbox } = usePage()
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
        <MerchantSwitcher me={me} merchantId={merchantId} />
      )}
      {merchantId !== null && !isOperator && <FindButton onFind={onFind} />}
      <Navigation
        groups={isOperator ? OPERATOR_GROUPS : merchantGroups(me, merchantId, isSandbox)}
        merchantId={merchantId}
      />
      <AccountMenu me={me} />
    </header>
  )
}

/** Opens the search of all pages, by Ctrl+K or ⌘K too: from the moment at which it is seen. */
function FindButton({ onFind }: { readonly onFind: () => void }) {
  const { words } = usePage()
  useLayoutEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || event.ctrlKey === event.metaKey) return
      // A dialog that is open keeps what was entered in it.
      if (document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      onFind()
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [onFind])
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
  return (
    <button type="button" class="find" aria-keyshortcuts="Control+K Meta+K" onClick={onFind}>
      <Icon shape="search" />
      <span>{words.say('search')}</span>
      <kbd>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
  )
}
