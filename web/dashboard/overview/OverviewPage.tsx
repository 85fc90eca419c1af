import { useQuery } from '@tanstack/preact-query'
import { ApprovalInbox } from '../approvals/ApprovalInbox.tsx'
import { may } from '../parts/may.ts'
import { NETWORK_TONES, NETWORK_WORDS } from '../parts/networkStates.ts'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { Empty, Failed, Skeleton } from '../parts/States.tsx'
import { pollInterval } from '../session/live.ts'
import { Attention } from './Attention.tsx'
import { Figures } from './Figures.tsx'
import { type Overview, overviewQuery } from './load.ts'
import { VolumeChart } from './VolumeChart.tsx'
import { ofInvoices, ofPayouts, volumesOf } from './volumes.ts'

/** The merchant's status: what needs attention first, then the money, then the networks. */
export function OverviewPage({ merchantId, role }: PlaceProps) {
  const { words } = usePage()
  const found = useQuery({ ...overviewQuery(merchantId), refetchInterval: pollInterval })
  return (
    <>
      <div class="head">
        <h1>{words.say('overview')}</h1>
        {may(role, 'createInvoice') && (
          <a class="button main" href={placePath(merchantId, 'invoices', 'new')}>
            {words.say('createInvoice')}
          </a>
        )}
      </div>
      {found.isPending && <Skeleton rows={12} />}
      {found.isError && !found.data && (
        <Failed error={found.error} onRetry={() => found.refetch()} />
      )}
      {found.data && (
        <>
          <ApprovalInbox merchantId={merchantId} role={role} />
          <Attention {...{ merchantId, role }} overview={found.data} />
          <Figures merchantId={merchantId} overview={found.data} />
          <Volumes overview={found.data} />
          <Networks overview={found.data} />
        </>
      )}
    </>
  )
}

function Volumes({ overview }: { readonly overview: Overview }) {
  const { words } = usePage()
  const { days, x402, from, to } = overview
  const invoices = volumesOf(ofInvoices(days), from, to)
  const payouts = volumesOf(ofPayouts(x402.days), from, to)
  return (
    <section aria-labelledby="volume">
      <h2 id="volume">{words.say('volume')}</h2>
      {invoices.length + payouts.length === 0 && (
        <Empty title={words.say('overviewNoneTitle')} next={words.say('overviewNoneNext')} />
      )}
      <div class="charts">
        {invoices.map((volume) => (
          <VolumeChart
            key={volume.asset}
            title={words.say('volumeInvoices', { asset: volume.asset })}
            volume={volume}
          />
        ))}
        {payouts.map((volume) => (
          <VolumeChart
            key={volume.asset}
            title={words.say('volumeX402', { asset: volume.asset })}
            volume={volume}
          />
        ))}
      </div>
    </section>
  )
}

function Networks({ overview: { networks } }: { readonly overview: Overview }) {
  const { words } = usePage()
  return (
    <section class="card" aria-labelledby="networks">
      <h2 id="networks">{words.say('networks')}</h2>
      <ul class="lines">
        {networks.map(({ id, name, state }) => (
          <li key={id}>
            <span>{name}</span>
            <Pill tone={NETWORK_TONES[state]} text={words.say(NETWORK_WORDS[state])} />
          </li>
        ))}
      </ul>
    </section>
  )
}
