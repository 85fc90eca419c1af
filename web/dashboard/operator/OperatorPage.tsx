import type { DashboardMessages } from '../../messages/dashboard/en.ts'
import { Empty } from '../parts/Empty.tsx'
import { Head } from '../parts/Head.tsx'
import { usePage } from '../parts/page.ts'
import type { Me } from '../session/me.ts'
import { FactorGate } from '../shell/FactorGate.tsx'
import { LimitsPage } from './LimitsPage.tsx'
import { LogPage } from './LogPage.tsx'
import { MerchantsPage } from './MerchantsPage.tsx'
import { RelayersPage } from './RelayersPage.tsx'
import { SystemPage } from './SystemPage.tsx'
import { WorkPage } from './WorkPage.tsx'

interface OperatorPageProps {
  readonly me: Me
  /** What the path has below the page's own; empty for the page itself. */
  readonly rest: string
}

const PATH = '/dashboard/operator'

/** The operator's pages. They require a second factor. */
export function OperatorPage({ me, rest }: OperatorPageProps) {
  const { words } = usePage()
  return (
    <FactorGate isNeeded={!me.person.hasSecondFactor} why={words.say('opFactorNext')}>
      <Head title={words.say(TITLES[rest] ?? 'notFoundTitle')}>
        <a class="button quiet" href={`${PATH}/queues`} target="_blank" rel="noreferrer">
          {words.say('opQueues')}
        </a>
      </Head>
      <Part rest={rest} />
    </FactorGate>
  )
}

const TITLES: Readonly<Record<string, keyof DashboardMessages>> = {
  '': 'opSystem',
  relayers: 'opRelayers',
  work: 'opWork',
  merchants: 'opMerchants',
  limits: 'opLimits',
  log: 'opLog',
}

function Part({ rest }: { readonly rest: string }) {
  const { words } = usePage()
  switch (rest) {
    case '':
      return <SystemPage />
    case 'relayers':
      return <RelayersPage />
    case 'work':
      return <WorkPage />
    case 'merchants':
      return <MerchantsPage />
    case 'limits':
      return <LimitsPage />
    case 'log':
      return <LogPage />
    default:
      return <Empty title={words.say('notFoundTitle')} next={words.say('notFoundNext')} />
  }
}
