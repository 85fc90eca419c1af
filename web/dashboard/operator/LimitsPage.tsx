import { useQuery } from '@tanstack/preact-query'
import { usePage } from '../parts/page.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { getData } from '../session/request.ts'
import { operatorApi } from './api.ts'

interface LimitsJson {
  readonly environment: string
  readonly lowBalance: string
  readonly gaslessPerMerchant: string
  readonly requests: Readonly<Record<string, number>>
  readonly chains: readonly {
    readonly networkId: string
    readonly name: string
    readonly symbol: string
    readonly confirmations: number
    readonly txFeeMax: string
    readonly nodes: number
  }[]
}

/** The limits by what they are called in the configuration. */
const NAMES = [
  ['authenticated', 'opLimitAuthenticated'],
  ['x402', 'opLimitX402'],
  ['utility', 'opLimitUtility'],
  ['payers', 'opLimitPayers'],
  ['sessions', 'opLimitSessions'],
  ['unpaidPerDay', 'opLimitUnpaid'],
  ['claimsPerPayer', 'opLimitClaims'],
  ['gaslessUnpaidPerClient', 'opLimitSignatures'],
  ['streamsPerClient', 'opLimitStreams'],
  ['requests', 'opLimitUsers'],
  ['signIns', 'opLimitSignIns'],
] as const

/** What this deployment allows. The configuration changes it, and nothing here does. */
export function LimitsPage() {
  const { words } = usePage()
  const limits = useQuery({
    queryKey: ['operator', '/limits'],
    queryFn: () => getData<LimitsJson>(operatorApi('/limits')),
  })
  if (limits.isPending) return <Skeleton rows={10} />
  if (limits.isError) return <Failed error={limits.error} onRetry={() => limits.refetch()} />
  const { requests, gaslessPerMerchant, chains } = limits.data
  return (
    <>
      <section class="card" aria-labelledby="requests">
        <h2 id="requests">{words.say('opLimits')}</h2>
        <p class="hint">{words.say('opLimitsHint')}</p>
        <dl>
          {NAMES.map(([name, word]) => (
            <div key={name}>
              <dt>{words.say(word)}</dt>
              <dd class="figure">{requests[name] ?? '–'}</dd>
            </div>
          ))}
          <div>
            <dt>{words.say('opLimitGas')}</dt>
            <dd class="figure">{words.money(gaslessPerMerchant, 'USD')}</dd>
          </div>
        </dl>
      </section>
      <table>
        <caption class="hidden">{words.say('networks')}</caption>
        <thead>
          <tr>
            <th scope="col">{words.say('network')}</th>
            <th scope="col" class="right">
              {words.say('opConfirmations')}
            </th>
            <th scope="col" class="right">
              {words.say('opFeeMax')}
            </th>
            <th scope="col" class="right">
              {words.say('opNodes')}
            </th>
          </tr>
        </thead>
        <tbody>
          {chains.map(({ networkId, name, symbol, confirmations, txFeeMax, nodes }) => (
            <tr key={networkId}>
              <th scope="row">{name}</th>
              <td class="figure right" data-label={words.say('opConfirmations')}>
                {confirmations}
              </td>
              <td class="figure right" data-label={words.say('opFeeMax')}>
                {words.money(txFeeMax, symbol)}
              </td>
              <td class="figure right" data-label={words.say('opNodes')}>
                {nodes}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
