import { QueryClient, QueryClientProvider } from '@tanstack/preact-query'
import { useEffect, useMemo } from 'preact/hooks'
import { LocationProvider, Route, Router, useLocation, useRoute } from 'preact-iso'
import { createWords } from '../language/words.ts'
import { InvoicePage } from './invoices/InvoicePage.tsx'
import { InvoicesPage } from './invoices/InvoicesPage.tsx'
import { PageContext, usePage } from './parts/page.ts'
import { Empty } from './parts/States.tsx'
import { SecurityPage } from './security/SecurityPage.tsx'
import type { Boot } from './session/boot.ts'
import type { Me } from './session/me.ts'
import { Problem } from './session/request.ts'
import { ForMerchant } from './shell/ForMerchant.tsx'
import { Shell } from './shell/Shell.tsx'
import { Confirmed } from './sign/Confirmed.tsx'
import { Invitation } from './sign/Invitation.tsx'

/** The mailbox, the files and the API are the server's own pages. */
const SCOPE = /^\/dashboard(?!\/(?:mailbox|auth|api|assets))/
const TRIES = 2

/** The dashboard: its pages by their paths. A new page is a line here and one in api/dashboard/pages.ts. */
export function App({ boot }: { readonly boot: Boot }) {
  const client = useMemo(createClient, [])
  const page = useMemo(() => {
    return { words: createWords(boot.messages, boot.locale), networks: boot.networks }
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
            <Route path="/dashboard/security" component={Security} />
            <Route path="/dashboard/merchants/:merchantId/invoices" component={Invoices} />
            <Route
              path="/dashboard/merchants/:merchantId/invoices/:invoiceId"
              component={Invoice}
            />
            <Route default component={Lost} />
          </Router>
        </LocationProvider>
      </PageContext.Provider>
    </QueryClientProvider>
  )
}

/** What the server refuses is not asked for again; what it could not answer is. */
function createClient(): QueryClient {
  const retry = (failures: number, error: Error) =>
    failures < TRIES && !(error instanceof Problem && error.status >= 400 && error.status < 500)
  return new QueryClient({ defaultOptions: { queries: { retry, staleTime: 5_000 } } })
}

function Home() {
  return <Shell merchantId={null}>{(me) => <First me={me} />}</Shell>
}

/** The first page of somebody who has just signed in. */
function First({ me }: { readonly me: Me }) {
  const { words } = usePage()
  const { route } = useLocation()
  const first = me.merchants[0]?.merchantId
  useEffect(() => {
    if (first !== undefined) route(`/dashboard/merchants/${first}/invoices`, true)
  }, [first, route])
  if (first !== undefined) return null
  return <Empty title={words.say('noMerchantTitle')} next={words.say('noMerchantNext')} />
}

function Security() {
  return <Shell merchantId={null}>{(me) => <SecurityPage me={me} />}</Shell>
}

function Invoices() {
  const { merchantId = '' } = useRoute().params
  return (
    <ForMerchant merchantId={merchantId}>
      <InvoicesPage merchantId={merchantId} />
    </ForMerchant>
  )
}

function Invoice() {
  const { merchantId = '', invoiceId = '' } = useRoute().params
  return (
    <ForMerchant merchantId={merchantId}>
      <InvoicePage merchantId={merchantId} invoiceId={invoiceId} />
    </ForMerchant>
  )
}

function Lost() {
  const { words } = usePage()
  return <Empty title={words.say('notFoundTitle')} next={words.say('notFoundNext')} />
}
