import { QueryClient, QueryClientProvider } from '@tanstack/preact-query'
import type { ComponentType } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { LocationProvider, Route, Router, useLocation, useRoute } from 'preact-iso'
import { createWords } from '../messages/words.ts'
import { Empty } from './parts/Empty.tsx'
import { PageContext, usePage } from './parts/page.ts'
import { MERCHANT_PLACES, type MerchantPlace, type PlaceProps, placePath } from './parts/places.ts'
import type { Boot } from './session/boot.ts'
import type { Me } from './session/me.ts'
import { Problem } from './session/request.ts'
import { ForMerchant } from './shell/ForMerchant.tsx'
import { lazily } from './shell/lazily.tsx'
import { Shell } from './shell/Shell.tsx'
import { Confirmed } from './sign/Confirmed.tsx'
import { Invitation } from './sign/Invitation.tsx'

/** The mailbox, the files and the API are the server's own pages. */
const SCOPE = /^\/dashboard(?!\/(?:mailbox|auth|api|assets))/
const TRIES = 2

/** The pages of a merchant, each loaded on navigation. */
const PAGES: Readonly<Record<MerchantPlace, ComponentType<PlaceProps>>> = {
  overview: lazily(async () => (await import('./overview/OverviewPage.tsx')).OverviewPage),
  invoices: lazily(async () => (await import('./InvoicesPlace.tsx')).InvoicesPlace),
  recoveries: lazily(async () => (await import('./recoveries/RecoveriesPage.tsx')).RecoveriesPage),
  refunds: lazily(async () => (await import('./recoveries/RefundsPage.tsx')).RefundsPage),
  settlements: lazily(
    async () => (await import('./settlements/SettlementsPage.tsx')).SettlementsPage,
  ),
  x402: lazily(async () => (await import('./x402/X402Page.tsx')).X402Page),
  reports: lazily(async () => (await import('./reports/ReportsPage.tsx')).ReportsPage),
  developers: lazily(async () => (await import('./developers/DevelopersPage.tsx')).DevelopersPage),
  sandbox: lazily(async () => (await import('./sandbox/SandboxPage.tsx')).SandboxPage),
  members: lazily(async () => (await import('./members/MembersPage.tsx')).MembersPage),
  settings: lazily(async () => (await import('./settings/SettingsPage.tsx')).SettingsPage),
  audit: lazily(async () => (await import('./audit/AuditPage.tsx')).AuditPage),
}
const StopChange = lazily(async () => (await import('./sign/StopChange.tsx')).StopChange)
const SecurityPage = lazily(async () => (await import('./security/SecurityPage.tsx')).SecurityPage)
const Recover = lazily(async () => (await import('./sign/Recover.tsx')).Recover)
const SignUp = lazily(async () => (await import('./sign/SignUp.tsx')).SignUp)
const OperatorPage = lazily(async () => (await import('./operator/OperatorPage.tsx')).OperatorPage)

/** One component for each page, so that navigating from one to another resets its state. */
const MERCHANT_ROUTES = MERCHANT_PLACES.flat().map((place) => ({
  path: `/dashboard/merchants/:merchantId/${place}/:rest*`,
  component: () => <AtMerchant place={place} />,
}))

/** The dashboard: its pages by their paths. */
export function App({ boot }: { readonly boot: Boot }) {
  const client = useMemo(createClient, [])
  const page = useMemo(() => {
    const { networks, tokens, currencies, isSandbox, isOpen } = boot
    const networkName = (id: string) => networks.find((one) => one.id === id)?.name ?? id
    return {
      words: createWords(boot.messages, boot.locale),
      networks,
      tokens,
      currencies,
      networkName,
      isSandbox,
      isOpen,
    }
  }, [boot])
  return (
    <QueryClientProvider client={client}>
      <PageContext.Provider value={page}>
        <LocationProvider scope={SCOPE}>
          <Router>
            <Route path="/dashboard" component={Home} />
            <Route path="/dashboard/sign-in" component={Home} />
            <Route path="/dashboard/invitation" component={Invitation} />
            <Route path="/dashboard/confirmed" component={Confirmed} />
            <Route path="/dashboard/stop-change" component={StopChange} />
            <Route path="/dashboard/recover" component={Recover} />
            <Route path="/dashboard/sign-up" component={SignUp} />
            <Route path="/dashboard/security" component={Security} />
            <Route path="/dashboard/operator/:rest*" component={Operator} />
            {MERCHANT_ROUTES.map(({ path, component }) => (
              <Route key={path} path={path} component={component} />
            ))}
            <Route default component={Lost} />
          </Router>
        </LocationProvider>
      </PageContext.Provider>
    </QueryClientProvider>
  )
}

/** Refusals are not retried; failures are. */
function createClient(): QueryClient {
  const retry = (failures: number, error: Error) =>
    failures < TRIES && !(error instanceof Problem && error.status >= 400 && error.status < 500)
  return new QueryClient({ defaultOptions: { queries: { retry, staleTime: 5_000 } } })
}

function Home() {
  return <Shell merchantId={null}>{(me) => <First me={me} />}</Shell>
}

/** The first page after signing in. */
function First({ me }: { readonly me: Me }) {
  const { words } = usePage()
  const { route } = useLocation()
  const first = me.merchants[0]?.merchantId
  useEffect(() => {
    if (first !== undefined) route(placePath(first, 'overview'), true)
  }, [first, route])
  if (first !== undefined) return null
  return <Empty title={words.say('noMerchantTitle')} next={words.say('noMerchantNext')} />
}

function AtMerchant({ place }: { readonly place: MerchantPlace }) {
  const { merchantId = '', rest = '' } = useRoute().params
  const Page = PAGES[place]
  return (
    <ForMerchant merchantId={merchantId}>
      {(role) => <Page merchantId={merchantId} role={role} rest={rest} />}
    </ForMerchant>
  )
}

function Security() {
  return <Shell merchantId={null}>{(me) => <SecurityPage me={me} />}</Shell>
}

function Operator() {
  const { rest = '' } = useRoute().params
  return (
    <Shell merchantId={null} area="operator">
      {(me) => (me.isOperator === true ? <OperatorPage me={me} rest={rest} /> : <Lost />)}
    </Shell>
  )
}

function Lost() {
  const { words } = usePage()
  return <Empty title={words.say('notFoundTitle')} next={words.say('notFoundNext')} />
}
