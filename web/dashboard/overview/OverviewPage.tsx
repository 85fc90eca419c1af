import { useQuery } from '@tanstack/preact-query'
import { ApprovalInbox } from '../approvals/ApprovalInbox.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Head } from '../parts/Head.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { may } from '../parts/may.ts'
import { NETWORK_TONES, NETWORK_WORDS } from '../parts/networkStates.ts'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { pollInterval } from '../session/live.ts'
import { type Overview, overviewQuery } from '../session/overview.ts'
import { Attention } from './Attention.tsx'
import { Figures } from './Figures.tsx'
import { Funnel } from './Funnel.tsx'
import { Recent } from './Recent.tsx'
import { SettleTimes } from './SettleTimes.tsx'
import { SetUp } from './SetUp.tsx'
import { Volumes } from './Volumes.tsx'

/** The merchant's status: what is to be set up or approved, the money, what needs attention, the networks. */
export function OverviewPage({ merchantId, role }: PlaceProps) {
  const { words } = usePage()
  const found = useQuery({ ...overviewQuery(merchantId), refetchInterval: pollInterval })
  return (
    <>
      <Head title={words.say('overview')}>
        {may(role, 'createPaymentLink') && (
          <a class="button" href={placePath(merchantId, 'invoices', 'links?new')}>
            {words.say('linkAdd')}
          </a>
        )}
        {may(role, 'createInvoice') && (
          <a class="button main" href={placePath(merchantId, 'invoices', 'new')}>
            {words.say('createInvoice')}
          </a>
        )}
      </Head>
      <Loaded query={found} rows={12}>
        {(overview) => (
          <>
            {role === 'owner' && <SetUp {...{ merchantId, overview }} />}
            <ApprovalInbox merchantId={merchantId} role={role} />
            <Figures {...{ merchantId, overview }} />
            <Attention {...{ merchantId, role, overview }} />
            <Volumes {...{ merchantId, overview }} />
            <div class="charts">
              <Funnel overview={overview} />
              <SettleTimes {...{ merchantId, overview }} />
            </div>
            <Recent merchantId={merchantId} />
            <Networks overview={overview} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Networks({ overview: { networks } }: { readonly overview: Overview }) {
  const { words } = usePage()
  return (
    <section class="card" aria-labelledby="networks">
      <h2 id="networks">{words.say('networks')}</h2>
      <Facts
        facts={networks.map(({ name, state }) => [
          name,
          <Pill key={name} tone={NETWORK_TONES[state]} text={words.say(NETWORK_WORDS[state])} />,
        ])}
      />
    </section>
  )
}
