import { Facts } from '../parts/Facts.tsx'
import { Hash } from '../parts/Hash.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { Table } from '../parts/Table.tsx'
import { type ChainJson, type SystemJson, useWatched } from './api.ts'

/** System status: what needs attention first, then chains, pending work and the notifier. */
export function SystemPage() {
  const { words, networkName } = usePage()
  const system = useWatched<SystemJson>('/system')
  if (system.isPending) return <Skeleton rows={12} />
  if (system.isError) return <Failed error={system.error} onRetry={() => system.refetch()} />
  const { problems, warnings, chains, alarms } = system.data
  return (
    <>
      <section class="card" aria-labelledby="stand">
        <div class="head">
          <h2 id="stand">{words.say('opStatus')}</h2>
          <Pill
            tone={problems.length > 0 ? 'bad' : warnings.length > 0 ? 'warn' : 'good'}
            text={words.say(
              problems.length > 0 ? 'opOutage' : warnings.length > 0 ? 'opDegraded' : 'operational',
            )}
          />
        </div>
        <ul class="lines">
          {[...problems, ...warnings].map((sentence, at) => (
            <li key={sentence}>
              <span class="long">{sentence}</span>
              <Pill
                tone={at < problems.length ? 'bad' : 'warn'}
                text={words.say(at < problems.length ? 'opProblem' : 'opWarning')}
              />
            </li>
          ))}
        </ul>
        {problems.length + warnings.length === 0 && <p class="hint">{words.say('opNoIssues')}</p>}
      </section>
      <ChainTable chains={chains} />
      <Work system={system.data} />
      {alarms.length > 0 && (
        <section class="card" aria-labelledby="alarms">
          <h2 id="alarms">{words.say('opAlerts')}</h2>
          <ul class="lines">
            {alarms.map(({ networkId, kind, subject, detail, since }) => (
              <li key={`${networkId}${kind}${subject}`}>
                <span class="long">
                  <b>{networkName(networkId)}</b> {kind} {subject}: {detail}
                </span>
                <Moment at={since} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** Each chain as a line: how far it is, and what its nodes say. */
function ChainTable({ chains }: Pick<SystemJson, 'chains'>) {
  const { words } = usePage()
  return (
    <section class="section" aria-labelledby="chains">
      <h2 id="chains">{words.say('networks')}</h2>
      <Table
        label={words.say('networks')}
        columns={[
          {
            ...{ name: words.say('network'), kind: 'name', phone: 'start' },
            cell: ({ name }) => name,
          },
          {
            ...{ name: words.say('status'), phone: 'end' },
            cell: (chain) => <ChainStatus chain={chain} />,
          },
          {
            ...{ name: words.say('opHead'), kind: 'figure' },
            cell: ({ head, headSeenAt }) => (
              <>
                {head ?? '–'}
                {headSeenAt && (
                  <small class="hint block">
                    <Moment at={headSeenAt} />
                  </small>
                )}
              </>
            ),
          },
          {
            ...{ name: words.say('opIndexed'), kind: 'figure' },
            cell: ({ indexedBlock }) => indexedBlock ?? '–',
          },
          {
            ...{ name: words.say('opProjected'), kind: 'figure' },
            cell: ({ projectedBlock }) => projectedBlock ?? '–',
          },
          {
            ...{ name: words.say('opHub'), phone: 'whole' },
            cell: (chain) => <Hubs chain={chain} />,
          },
          {
            ...{ name: words.say('opNodes'), kind: 'long', phone: 'whole' },
            cell: ({ nodes }) =>
              nodes.map(({ host, head, fault }) => (
                <small key={host} class="block">
                  {host} <span class="figure">{head ?? '–'}</span>{' '}
                  {fault !== null && <Pill tone="bad" text={fault} />}
                </small>
              )),
          },
        ]}
        rows={chains}
        keyOf={({ networkId }) => networkId}
      />
    </section>
  )
}

function ChainStatus({ chain: { head, hasRpcError } }: { readonly chain: ChainJson }) {
  const { words } = usePage()
  if (head === null) return <Pill tone="calm" text={words.say('opNotIndexed')} />
  return (
    <Pill
      tone={hasRpcError ? 'bad' : 'good'}
      text={words.say(hasRpcError ? 'opNodeFails' : 'operational')}
    />
  )
}

function Hubs({ chain: { hubs, networkId } }: { readonly chain: ChainJson }) {
  const { words } = usePage()
  return (
    <>
      {hubs.map(({ address, stopped, proposals }) => (
        <div key={address}>
          <Hash value={address} network={networkId} kind="address" />{' '}
          {stopped > 0 && <Pill tone="bad" text={words.say('opPaused', { n: stopped })} />}{' '}
          {proposals > 0 && <Pill tone="warn" text={words.say('opProposals', { n: proposals })} />}
        </div>
      ))}
    </>
  )
}

function Work({ system }: { readonly system: SystemJson }) {
  const { words, networkName } = usePage()
  const { work, deliveries, deliveryDueAt, events } = system
  return (
    <section class="card" aria-labelledby="open">
      <h2 id="open">{words.say('opOpenWork')}</h2>
      {work.length === 0 && <p class="hint">{words.say('opNoWork')}</p>}
      {work.length > 0 && (
        <Table
          label={words.say('opOpenWork')}
          columns={[
            { name: words.say('opKind'), phone: 'start', cell: ({ kind }) => kind },
            {
              ...{ name: words.say('network'), kind: 'name', phone: 'below' },
              cell: ({ networkId }) => networkName(networkId),
            },
            {
              ...{ name: words.say('status'), phone: 'end' },
              cell: ({ state }) => (
                <Pill tone={state === 'review' ? 'warn' : 'calm'} text={state} />
              ),
            },
            { name: words.say('opCount'), kind: 'figure', cell: ({ count }) => count },
            { name: words.say('opOldest'), cell: ({ oldestAt }) => <Moment at={oldestAt} /> },
          ]}
          rows={work}
          keyOf={({ networkId, kind, state }) => `${networkId}${kind}${state}`}
        />
      )}
      <Facts
        facts={[
          [
            words.say('opDeliveries'),
            <>
              {deliveries}
              {deliveryDueAt && (
                <>
                  {' · '}
                  <Moment at={deliveryDueAt} />
                </>
              )}
            </>,
          ],
          [words.say('opEvents'), events],
        ]}
      />
    </section>
  )
}
