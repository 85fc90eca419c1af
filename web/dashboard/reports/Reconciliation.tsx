import { useQuery } from '@tanstack/preact-query'
import type { BalanceJson } from '../../../core/invoice/balance.ts'
import { overviewQuery } from '../overview/load.ts'
import { isZero, sumOf } from '../parts/decimal.ts'
import { NETWORK_TONES, NETWORK_WORDS } from '../parts/networkStates.ts'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Failed, Skeleton } from '../parts/States.tsx'

/** Reconciliation of the books: up to which block, received money, and where it is now. */
export function Reconciliation({ merchantId }: { readonly merchantId: string }) {
  const { words } = usePage()
  const overview = useQuery(overviewQuery(merchantId))
  return (
    <section class="card" aria-labelledby="reconciliation">
      <h2 id="reconciliation">{words.say('reconciliation')}</h2>
      <p class="hint">{words.say('reconciliationHint')}</p>
      {overview.isPending && <Skeleton rows={4} />}
      {overview.isError && <Failed error={overview.error} onRetry={() => overview.refetch()} />}
      {overview.data && (
        <>
          <ul class="lines">
            {overview.data.networks.map(({ id, name, state, block }) => (
              <li key={id}>
                <span>{name}</span>
                <span class="hint figure">
                  {block === null
                    ? words.say('bookedNothing')
                    : words.say('bookedBlock', { block: words.amount(String(block), 'JPY') })}
                </span>
                <Pill tone={NETWORK_TONES[state]} text={words.say(NETWORK_WORDS[state])} />
              </li>
            ))}
          </ul>
          {overview.data.balances.map((balance) => (
            <Balance key={`${balance.chain} ${balance.tokenAddress}`} balance={balance} />
          ))}
        </>
      )}
    </section>
  )
}

/** Received money of one network and token, and where it is: the parts add up. */
function Balance({ balance }: { readonly balance: BalanceJson }) {
  const { words, networkName } = usePage()
  const { asset, chain, held, settling, refunding, settled, fees, refunded } = balance
  if (asset === null) return null
  const network = networkName(chain)
  const parts = [
    ['paidOut', settled],
    ['fee', fees],
    ['refunded', refunded],
    ['inTransit', sumOf([settling, refunding])],
    ['held', held],
  ] as const
  const received = sumOf(parts.map(([, amount]) => amount))
  const isFinal = [settling, refunding, balance.incoming].every(isZero)
  return (
    <details>
      <summary>
        {network} · <span class="figure">{words.money(received, asset)}</span>{' '}
        <Pill
          tone={isFinal ? 'good' : 'calm'}
          text={words.say(isFinal ? 'allFinal' : 'inProgress')}
        />
      </summary>
      <dl>
        <div>
          <dt>{words.say('received')}</dt>
          <dd class="figure">{words.money(received, asset)}</dd>
        </div>
        {parts.map(([word, amount]) => (
          <div key={word}>
            <dt>{words.say(word)}</dt>
            <dd class="figure">{words.money(amount ?? '0', asset)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
