import { useQueryClient } from '@tanstack/preact-query'
import { Confirm } from '../forms/Confirm.tsx'
import { Shares } from '../parts/Bars.tsx'
import { shortDecimal } from '../parts/decimal.ts'
import { Empty } from '../parts/Empty.tsx'
import { Hash, shortHash } from '../parts/Hash.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { Table } from '../parts/Table.tsx'
import { toastDone } from '../parts/Toasts.tsx'
import { order, type RelayerJson, type SystemJson, useWatched } from './api.ts'
import { Orders } from './Orders.tsx'

const STATUSES = {
  active: { word: 'active', tone: 'good' },
  draining: { word: 'opDraining', tone: 'warn' },
  no_funds: { word: 'opNoFunds', tone: 'bad' },
  quarantined: { word: 'opQuarantined', tone: 'bad' },
} as const

/** The accounts that send transactions: their status, and buttons to drain or reactivate one. */
export function RelayersPage() {
  const { words, networkName } = usePage()
  const system = useWatched<SystemJson>('/system')
  if (system.isPending) return <Skeleton rows={8} />
  if (system.isError) return <Failed error={system.error} onRetry={() => system.refetch()} />
  const { relayers, chains } = system.data
  const symbolOf = (networkId: string) =>
    chains.find((chain) => chain.networkId === networkId)?.symbol ?? ''
  if (relayers.length === 0) {
    return <Empty title={words.say('opNoRelayerTitle')} next={words.say('opNoRelayerNext')} />
  }
  return (
    <>
      <Table
        label={words.say('opRelayers')}
        columns={[
          {
            ...{ name: words.say('account'), phone: 'start' },
            cell: ({ address, networkId }) => (
              <Hash value={address} network={networkId} kind="address" />
            ),
          },
          {
            ...{ name: words.say('network'), kind: 'name', phone: 'below' },
            cell: ({ networkId }) => networkName(networkId),
          },
          {
            ...{ name: words.say('status'), phone: 'end' },
            cell: ({ status, note }) => (
              <>
                <Pill tone={STATUSES[status].tone} text={words.say(STATUSES[status].word)} />
                {note !== null && <small class="hint long"> {note}</small>}
              </>
            ),
          },
          {
            ...{ name: words.say('opBalance'), kind: 'figure' },
            cell: ({ balance, networkId, isLow }) => (
              <>
                {balance === null ? (
                  '–'
                ) : (
                  <span title={balance}>
                    {words.money(shortDecimal(balance), symbolOf(networkId))}
                  </span>
                )}{' '}
                {isLow && <Pill tone="warn" text={words.say('opLow')} />}
              </>
            ),
          },
          { name: words.say('opInFlight'), kind: 'figure', cell: ({ open }) => open },
          {
            ...{ name: words.say('devActions'), kind: 'actions', phone: 'whole' },
            cell: (relayer) => <RelayerAction relayer={relayer} />,
          },
        ]}
        rows={relayers}
        keyOf={({ networkId, address }) => `${networkId}${address}`}
      />
      <Balances {...system.data} />
      <Orders />
    </>
  )
}

/** Of each chain, how its relayers' balances compare. */
function Balances({ relayers, chains }: Pick<SystemJson, 'relayers' | 'chains'>) {
  const { words } = usePage()
  return (
    <div class="charts below">
      {chains.map(({ networkId, name, symbol }) => {
        const found = relayers.filter((one) => one.networkId === networkId && one.balance !== null)
        if (found.length === 0) return null
        return (
          <section
            key={networkId}
            class="card"
            aria-label={words.say('opBalances', { network: name })}
          >
            <h2>{words.say('opBalances', { network: name })}</h2>
            <Shares
              rows={found.map(({ address, balance }) => ({
                ...{ name: shortHash(address), value: Number(balance) },
                shown: words.money(shortDecimal(balance ?? '0'), symbol),
              }))}
            />
          </section>
        )
      })}
    </div>
  )
}

/** The action that a relayer's status allows. */
function RelayerAction({ relayer }: { readonly relayer: RelayerJson }) {
  const { words } = usePage()
  const client = useQueryClient()
  const { networkId, address, status } = relayer
  const account = shortHash(address)
  async function send(kind: string): Promise<void> {
    await order(kind, networkId, address)
    await client.invalidateQueries({ queryKey: ['operator'] })
    toastDone(words, 'audit_orderWork', '#orders')
  }
  if (status === 'quarantined') {
    return (
      <Confirm
        label={words.say('opReactivate')}
        title={words.say('opReactivateTitle', { account })}
        action={words.say('opReactivate')}
        isSafe
        onConfirm={() => send('revive')}
      >
        <p>{words.say('opReactivateNext')}</p>
      </Confirm>
    )
  }
  if (status === 'draining') {
    return (
      <Confirm
        label={words.say('opResume')}
        title={words.say('opResumeTitle', { account })}
        action={words.say('opResumeDo')}
        isSafe
        onConfirm={() => send('resume')}
      >
        <p>{words.say('opResumeNext')}</p>
      </Confirm>
    )
  }
  return (
    <Confirm
      label={words.say('opDrain')}
      title={words.say('opDrainTitle', { account })}
      action={words.say('opDrainDo')}
      isSafe
      onConfirm={() => send('drain')}
    >
      <p>{words.say('opDrainNext')}</p>
    </Confirm>
  )
}
