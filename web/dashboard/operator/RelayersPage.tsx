import { useQueryClient } from '@tanstack/preact-query'
import { Confirm } from '../forms/Confirm.tsx'
import { Hash } from '../parts/Hash.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Empty, Failed, Skeleton } from '../parts/States.tsx'
import { Wide } from '../parts/Wide.tsx'
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
  const { words } = usePage()
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
      <Wide label={words.say('opRelayers')}>
        <table>
          <caption class="hidden">{words.say('opRelayers')}</caption>
          <thead>
            <tr>
              <th scope="col">{words.say('opAccount')}</th>
              <th scope="col">{words.say('network')}</th>
              <th scope="col">{words.say('status')}</th>
              <th scope="col" class="right">
                {words.say('opBalance')}
              </th>
              <th scope="col" class="right">
                {words.say('opInFlight')}
              </th>
              <th scope="col">{words.say('devActions')}</th>
            </tr>
          </thead>
          <tbody>
            {relayers.map((relayer) => (
              <OneRelayer
                key={`${relayer.networkId}${relayer.address}`}
                relayer={relayer}
                symbol={symbolOf(relayer.networkId)}
              />
            ))}
          </tbody>
        </table>
      </Wide>
      <Orders />
    </>
  )
}

interface OneRelayerProps {
  readonly relayer: RelayerJson
  readonly symbol: string
}

function OneRelayer({ relayer, symbol }: OneRelayerProps) {
  const { words, networkName } = usePage()
  const { networkId, address, status, note, open, balance, isLow } = relayer
  const { word, tone } = STATUSES[status]
  return (
    <tr>
      <th scope="row">
        <Hash value={address} network={networkId} kind="address" />
      </th>
      <td class="name" data-label={words.say('network')}>
        {networkName(networkId)}
      </td>
      <td data-label={words.say('status')}>
        <span>
          <Pill tone={tone} text={words.say(word)} />
          {note !== null && <small class="hint long"> {note}</small>}
        </span>
      </td>
      <td class="figure right" data-label={words.say('opBalance')}>
        <span>
          {balance === null ? '–' : words.money(balance, symbol)}
          {isLow && <Pill tone="warn" text={words.say('opLow')} />}
        </span>
      </td>
      <td class="figure right" data-label={words.say('opInFlight')}>
        {open}
      </td>
      <td data-label={words.say('devActions')}>
        <RelayerAction relayer={relayer} />
      </td>
    </tr>
  )
}

/** The action that a relayer's status allows. */
function RelayerAction({ relayer }: { readonly relayer: RelayerJson }) {
  const { words } = usePage()
  const client = useQueryClient()
  const { networkId, address, status } = relayer
  const account = `${address.slice(0, 6)}…${address.slice(-4)}`
  async function send(kind: string): Promise<void> {
    await order(kind, networkId, address)
    await client.invalidateQueries({ queryKey: ['operator'] })
  }
  if (status === 'quarantined') {
    return (
      <Confirm
        label={words.say('opReactivate')}
        title={words.say('opReactivateTitle', { account })}
        action={words.say('opReactivate')}
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
      onConfirm={() => send('drain')}
    >
      <p>{words.say('opDrainNext')}</p>
    </Confirm>
  )
}
