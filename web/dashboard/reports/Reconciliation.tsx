import { useQuery } from '@tanstack/preact-query'
import type { BalanceJson } from '../../../core/invoice/balance.ts'
import { isZero, sumOf } from '../parts/decimal.ts'
import { Loaded } from '../parts/Loaded.tsx'
import { NETWORK_TONES, NETWORK_WORDS } from '../parts/networkStates.ts'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { type Column, Table } from '../parts/Table.tsx'
import { overviewQuery } from '../session/overview.ts'

/** Reconciliation of the books: up to which block, received money, and where it is now. */
export function Reconciliation({ merchantId }: { readonly merchantId: string }) {
  const { words } = usePage()
  const overview = useQuery(overviewQuery(merchantId))
  return (
    <section class="card" aria-labelledby="reconciliation">
      <h2 id="reconciliation">{words.say('reconciliation')}</h2>
      <p class="hint">{words.say('reconciliationHint')}</p>
      <Loaded query={overview} rows={4}>
        {({ networks, balances }) => (
          <>
            <Table
              label={words.say('networks')}
              columns={[
                {
                  ...{ name: words.say('network'), kind: 'name', phone: 'start' },
                  cell: ({ name }) => name,
                },
                {
                  ...{ name: words.say('opProjected'), kind: 'figure', phone: 'below' },
                  cell: ({ block }) =>
                    block === null
                      ? words.say('bookedNothing')
                      : words.amount(String(block), 'JPY'),
                },
                {
                  ...{ name: words.say('status'), phone: 'end' },
                  cell: ({ state }) => (
                    <Pill tone={NETWORK_TONES[state]} text={words.say(NETWORK_WORDS[state])} />
                  ),
                },
              ]}
              rows={networks}
              keyOf={({ id }) => id}
            />
            <BalanceTable balances={balances.filter(({ asset }) => asset !== null)} />
          </>
        )}
      </Loaded>
    </section>
  )
}

/** Received money of each network and token, and where it is: the parts add up. */
function BalanceTable({ balances }: { readonly balances: readonly BalanceJson[] }) {
  const { words, networkName } = usePage()
  if (balances.length === 0) return null
  const parts = (balance: BalanceJson) => {
    const { held, settling, refunding, settled, fees, refunded } = balance
    return { paidOut: settled, fee: fees, refunded, held, inTransit: sumOf([settling, refunding]) }
  }
  const figure = (name: keyof ReturnType<typeof parts>): Column<BalanceJson> => ({
    ...{ name: words.say(name), kind: 'figure' },
    cell: (balance) => words.money(parts(balance)[name] ?? '0', balance.asset ?? ''),
  })
  return (
    <Table
      label={words.say('reconciliation')}
      columns={[
        {
          ...{ name: words.say('network'), kind: 'name' },
          cell: ({ chain }) => networkName(chain),
        },
        {
          ...{ name: words.say('received'), kind: 'figure' },
          cell: (balance) => words.money(sumOf(Object.values(parts(balance))), balance.asset ?? ''),
        },
        ...(['paidOut', 'fee', 'refunded', 'inTransit', 'held'] as const).map(figure),
        {
          name: words.say('status'),
          cell: ({ settling, refunding, incoming, held }) => {
            // What needs a decision is not final either.
            const isFinal = [settling, refunding, incoming, held].every(isZero)
            return (
              <Pill
                tone={isFinal ? 'good' : 'calm'}
                text={words.say(isFinal ? 'allFinal' : 'inProgress')}
              />
            )
          },
        },
      ]}
      rows={balances}
      keyOf={({ chain, tokenAddress }) => `${chain} ${tokenAddress}`}
    />
  )
}
