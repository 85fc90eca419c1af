import { Hash } from '../parts/Hash.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
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
      {chains.map((chain) => (
        <OneChain key={chain.networkId} chain={chain} />
      ))}
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

function OneChain({ chain }: { readonly chain: ChainJson }) {
  const { words } = usePage()
  const { networkId, name, head, headSeenAt, hasRpcError, indexedBlock, projectedBlock } = chain
  return (
    <section class="card" aria-labelledby={`chain-${networkId}`}>
      <div class="head">
        <h2 id={`chain-${networkId}`}>{name}</h2>
        <Pill
          tone={head === null ? 'calm' : hasRpcError ? 'bad' : 'good'}
          text={words.say(
            head === null ? 'opNotIndexed' : hasRpcError ? 'opNodeFails' : 'operational',
          )}
        />
      </div>
      <dl>
        <div>
          <dt>{words.say('opHead')}</dt>
          <dd class="figure">
            {head ?? '–'}
            {headSeenAt && (
              <>
                {' · '}
                <Moment at={headSeenAt} />
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>{words.say('opIndexed')}</dt>
          <dd class="figure">{indexedBlock ?? '–'}</dd>
        </div>
        <div>
          <dt>{words.say('opProjected')}</dt>
          <dd class="figure">{projectedBlock ?? '–'}</dd>
        </div>
        {chain.hubs.map(({ address, stopped, proposals }) => (
          <div key={address}>
            <dt>{words.say('opHub')}</dt>
            <dd>
              <Hash value={address} network={networkId} kind="address" />{' '}
              {stopped > 0 && <Pill tone="bad" text={words.say('opPaused', { n: stopped })} />}{' '}
              {proposals > 0 && (
                <Pill tone="warn" text={words.say('opProposals', { n: proposals })} />
              )}
            </dd>
          </div>
        ))}
        {chain.nodes.map(({ host, head: seen, fault }) => (
          <div key={host}>
            <dt class="long">{host}</dt>
            <dd class="figure">
              {seen ?? '–'} {fault !== null && <Pill tone="bad" text={fault} />}
            </dd>
          </div>
        ))}
      </dl>
    </section>
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
        <table>
          <caption class="hidden">{words.say('opOpenWork')}</caption>
          <thead>
            <tr>
              <th scope="col">{words.say('opKind')}</th>
              <th scope="col">{words.say('network')}</th>
              <th scope="col">{words.say('status')}</th>
              <th scope="col" class="right">
                {words.say('opCount')}
              </th>
              <th scope="col">{words.say('opOldest')}</th>
            </tr>
          </thead>
          <tbody>
            {work.map(({ networkId, kind, state, count, oldestAt }) => (
              <tr key={`${networkId}${kind}${state}`}>
                <th scope="row">{kind}</th>
                <td class="name" data-label={words.say('network')}>
                  {networkName(networkId)}
                </td>
                <td data-label={words.say('status')}>
                  <Pill tone={state === 'review' ? 'warn' : 'calm'} text={state} />
                </td>
                <td class="figure right" data-label={words.say('opCount')}>
                  {count}
                </td>
                <td data-label={words.say('opOldest')}>
                  <Moment at={oldestAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <dl>
        <div>
          <dt>{words.say('opDeliveries')}</dt>
          <dd class="figure">
            {deliveries}
            {deliveryDueAt && (
              <>
                {' · '}
                <Moment at={deliveryDueAt} />
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>{words.say('opEvents')}</dt>
          <dd class="figure">{events}</dd>
        </div>
      </dl>
    </section>
  )
}
